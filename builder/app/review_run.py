"""builder review --run: the answers of a run, the snapshot that they answer, and what people say of them."""

import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from builder.app.people import reviewer_name
from builder.app.run_places import Places
from builder.curate.undo import redo_target, undo_target
from builder.errors import InputError
from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict
from builder.review.answers.desk import Answer, Key, Saying, Why
from builder.review.answers.material import material
from builder.review.answers.order import Candidate, ordered
from builder.review.answers.session import Session, run
from builder.review.answers.summary import lines
from builder.review.terminal import TtyTerminal
from builder.score.claims import judge_claims
from builder.score.json_lines import mend
from builder.score.run_file import read_run
from builder.score.scored import Scored, scored_by_checks
from builder.score.stability import unstable
from builder.score.verdict_file import (
    answer_hash,
    append_verdicts,
    case_hash,
    current,
    holds,
    read_verdicts,
    verdict_path,
)
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.words import Words

SAMPLE = 30
"""Answers of the sample where nobody asks for another number."""


def review_run(
    workspace: Workspace,
    say: Words,
    name: str,
    *,
    sample: int = SAMPLE,
    seed: int = 0,
    blind: bool = False,
    who: str | None = None,
) -> tuple[str, ...]:
    """Let a person judge the answers of a run in the terminal. Returns the lines of the summary.

    Raises:
        UsageError: no terminal.
        InputError: no such run, a broken line, or its snapshot is not here.
    """
    terminal = TtyTerminal()
    path = Places(Path.cwd(), workspace).run(name)
    with open_store(workspace.store_url) as store:
        desk = RunDesk(workspace, store, path, sample=sample, seed=seed, blind=blind, who=who)
        found = run(Session(desk=desk, terminal=terminal, say=say, clock=time.monotonic))
    strange = (f" {say('answers.summary.strange', count=desk.strange)}",) if desk.strange else ()
    return (*lines(found, say), *strange)


class RunDesk:
    """Answers of one run for one reviewer; every verdict is in the store and in the file before it returns."""

    def __init__(
        self,
        workspace: Workspace,
        store: Store,
        path: Path,
        *,
        sample: int = SAMPLE,
        seed: int = 0,
        blind: bool = False,
        who: str | None = None,
        scored: Scored | None = None,
    ) -> None:
        self.reviewer = reviewer_name(workspace, who)
        self._run = read_run(path)
        self.run = self._run.name
        self._snapshot = Places(Path.cwd(), workspace).snapshot(self._run, path)
        self._cases = {case.case_id: case for case in self._snapshot.cases}
        self._store = store
        self._file = verdict_path(path)
        self._sample, self._seed, self._blind = sample, seed, blind
        self._scored = scored or scored_by_checks(self._cases.__getitem__, lambda *key: self._run.by_key[key])
        self._why: dict[Key, Why] = {}
        self.strange = sum(record.case_id not in self._cases for record in self._run.records)
        if self.strange and self.strange == len(self._run.records):
            raise InputError("run_strange", run=self.run, answers=self.strange, snapshot=self._snapshot.manifest.name)
        self._lines = self._in_step()

    def queue(self) -> tuple[Key, ...]:
        """Answers that this reviewer has not judged: critical failures, high risk, unstable ones, then a sample."""
        judged = {
            Key(line.case_id, line.repeat)
            for line in current(self._lines)
            if line.who == self.reviewer and line.verdict and self._holds(line)
        }
        records = [record for record in self._run.records if record.case_id in self._cases]
        candidates = [self._candidate(record) for record in records if Key(record.case_id, record.repeat) not in judged]
        self._why = dict(ordered(candidates, sample=self._sample, seed=self._seed))
        return tuple(self._why)

    def load(self, key: Key) -> Answer:
        """One answer with what the model read, what the checks say and what people said before.

        Raises:
            InputError: there is none.
        """
        record, case = self._run.by_key.get(key), self._cases.get(key.case_id)
        if record is None or case is None:
            raise InputError("no_answer", run=self.run, case=key.case_id, repeat=key.repeat)
        shown = material(case, record, self._chunks, self._titles)
        said = [line for line in current(self._lines) if (line.case_id, line.repeat) == key]
        mine = next((line for line in said if line.who == self.reviewer), None)
        valid = mine is not None and holds(mine, record, case)
        others = tuple(line for line in said if line.who != self.reviewer and holds(line, record, case))
        hidden = self._blind and not (valid and mine and mine.verdict)
        repeats = self._run.by_case[key.case_id]
        return Answer(
            record=record,
            case=case,
            why=self._why.get(key, Why.SAMPLE),
            repeats=len(repeats),
            unstable=unstable(repeats),
            checked=() if hidden else judge_claims(case, record.answer or ""),
            context=shown.context,
            cited=shown.cited,
            lost=shown.lost,
            mine=mine if valid else None,
            old=None if valid else mine,
            others=() if hidden else others,
        )

    def judge(self, answer: Answer, saying: Saying) -> Answer:
        """Write down what the reviewer says of an answer."""
        record, case = answer.record, answer.case
        line = AnswerVerdict(
            id=secrets.token_hex(8),
            run=self.run,
            case_id=record.case_id,
            repeat=record.repeat,
            verdict=saying.verdict,
            claims=_claims(case, saying),
            note=saying.note,
            who=self.reviewer,
            at=datetime.now(UTC),
            answer_hash=answer_hash(record),
            case_hash=case_hash(case),
        )
        self._write(line)
        return self.load(Key(record.case_id, record.repeat))

    def undo(self) -> Key | None:
        """Take back this reviewer's last act on this run, also of an earlier session."""
        return self._take_back(undo_target(self._own()))

    def redo(self) -> Key | None:
        """Take back this reviewer's last undo."""
        return self._take_back(redo_target(self._own()))

    def _take_back(self, target: str | None) -> Key | None:
        if target is None:
            return None
        line = next(line for line in self._lines if line.id == target)
        self._write(
            AnswerVerdict(
                id=secrets.token_hex(8),
                run=self.run,
                case_id=line.case_id,
                repeat=line.repeat,
                who=self.reviewer,
                at=datetime.now(UTC),
                undoes=target,
            )
        )
        return Key(line.case_id, line.repeat)

    def _own(self) -> Sequence[AnswerVerdict]:
        """This reviewer's lines; one that takes back what is not there (a file put together by hand) says nothing."""
        known = {line.id for line in self._lines if (line.case_id, line.repeat) in self._run.by_key}
        own = [line for line in self._lines if line.who == self.reviewer and line.id in known]
        return [line for line in own if line.undoes is None or line.undoes in known]

    def _write(self, line: AnswerVerdict) -> None:
        """First the store, then the file: what a crash left out of the file is added when the run is opened again."""
        self._store.verdicts.add([line])
        append_verdicts(self._file, [line])
        self._lines = (*self._lines, line)

    def _in_step(self) -> tuple[AnswerVerdict, ...]:
        """All lines about this run, after store and file have each got what only the other had."""
        mend(self._file)
        stored, written = self._store.verdicts.of_run(self.run), read_verdicts(self._file)
        self._store.verdicts.add(line for line in written if line.run == self.run)
        there = {line.id for line in written}
        append_verdicts(self._file, [line for line in stored if line.id not in there])
        return self._store.verdicts.of_run(self.run)

    def _holds(self, line: AnswerVerdict) -> bool:
        record, case = self._run.by_key.get((line.case_id, line.repeat)), self._cases.get(line.case_id)
        return record is not None and case is not None and holds(line, record, case)

    def _candidate(self, record: RunRecord) -> Candidate:
        score = self._scored(record.case_id, record.repeat)
        return Candidate(
            key=Key(record.case_id, record.repeat),
            risk=self._cases[record.case_id].risk is not None,
            unstable=record.case_id in self._unstable,
            score=score.score if score else None,
            passed=score is not None and score.passed,
            critical=score is not None and score.critical,
        )

    @cached_property
    def _unstable(self) -> frozenset[str]:
        return frozenset(case_id for case_id, records in self._run.by_case.items() if unstable(records))

    @cached_property
    def _chunks(self) -> dict[str, Chunk]:
        return {chunk.chunk_id: chunk for chunk in self._snapshot.chunks}

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {
            document.doc_id: document.metadata.title or document.source_path for document in self._snapshot.documents
        }


def _claims(case: Case, saying: Saying) -> tuple[ClaimVerdict, ...]:
    shift = len(case.claims)
    found = ((place - shift if place >= shift else place, place >= shift, said) for place, said in saying.claims)
    return tuple(
        ClaimVerdict(
            index=index,
            must_not=must_not,
            text=(case.must_not_claims if must_not else case.claims)[index].text,
            verdict=judgement,
        )
        for index, must_not, judgement in found
    )
