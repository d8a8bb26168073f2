"""A run scored: files in, figures, slices and blames out. No database, no network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from builder.app.run_places import Places
from builder.app.score_turned import turned
from builder.errors import InputError
from builder.model.case import Case, Split
from builder.model.record import Record
from builder.model.snapshot import Snapshot
from builder.score.cuts import cuts_of, families, labelled
from builder.score.diagnosis import Blame, diagnose
from builder.score.gold import Level
from builder.score.indexed import indexed
from builder.score.layers.known import Known, usual_cut
from builder.score.map_file import Map, read_map
from builder.score.measured import Measured
from builder.score.metrics.metric import Metric
from builder.score.metrics.registry import KS
from builder.score.passages import Library
from builder.score.records import AnswerScore, Scores
from builder.score.run_file import Run, read_run
from builder.score.scope import cases_of
from builder.score.scoring import ScoredAnswers, score_answers
from builder.score.slices import rows
from builder.score.uses import SplitUse, note_use, read_uses
from builder.score.verdict_file import current, read_verdicts, verdict_path
from builder.score.view import View

__all__ = ["KS", "Asked", "Level", "ScoredRun", "scored_run"]
Key = tuple[str, int]
"""An answer: case and repeat."""


class Asked(Record):
    """How a run is scored. Runs that are compared, or held against each other, are scored alike."""

    snapshot: str | None = None
    """Name or folder of its snapshot; none: the one that the run names."""
    ks: tuple[int, ...] = KS
    """How many candidates are looked at."""
    level: Level = "passage"
    """Found is the passage, or any of its document."""
    map_file: Path | None = None
    """What the system's ids stand for."""


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """A scored run with all that it rests on."""

    run: Run
    """The run."""
    snapshot: Snapshot
    """The snapshot that it answers."""
    measured: Measured
    """Figures, answers, cases."""
    metrics: Mapping[str, Metric]
    """The metrics, by name."""
    known: Known
    """What stands beside the answers."""
    blames: tuple[Blame, ...]
    """The failing answers, with the layer to blame."""
    uses: tuple[SplitUse, ...]
    """Uses of the test split that are written down, this one included."""
    entries: Map
    """What the system's ids stand for."""

    @cached_property
    def views(self) -> dict[Key, View]:
        """The answers, in the order of case and repeat."""
        return {(view.case.case_id, view.repeat): view for view in self.measured.views}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Texts by id: those of the map file, and of the snapshot's passages."""
        told = {name: "\n".join(one.text for one in some if one.text) for name, some in self.entries.items()}
        return told | {chunk.chunk_id: chunk.text for chunk in self.snapshot.chunks}

    @cached_property
    def answer_of(self) -> dict[Key, AnswerScore]:
        """The figures of each answer."""
        return {(answer.case_id, answer.repeat): answer for answer in self.measured.answers}

    @cached_property
    def blame_of(self) -> dict[Key, Blame]:
        """The blame for each failing answer."""
        return {(blame.case_id, blame.repeat): blame for blame in self.blames}


def scored_run(places: Places, name: str, asked: Asked) -> ScoredRun:
    """Score a run: its name, or its file.

    Raises:
        InputError: no such run, snapshot or map file, or a broken one; no case was to be asked, or none was; or the
            corpus turned over, so that zeros would be told as figures.
    """
    path = places.run(name)
    run = read_run(path)
    found = places.snapshot(run, path, asked.snapshot)
    cases = _cases(run, found)
    entries = read_map(places.folder / asked.map_file) if asked.map_file else {}
    verdicts = current(read_verdicts(verdict_path(path)))
    today = datetime.now(UTC).date()
    answers = score_answers(
        cases,
        run,
        found,
        ks=asked.ks,
        level=asked.level,
        map=entries,
        departments=places.departments,
        verdicts=verdicts,
        today=today,
    )
    _same_corpus(run, found, answers.views)
    known = _known(found, cases, answers.views, entries)
    uses = _counted(path, run, found, cases)
    return ScoredRun(
        run=run,
        snapshot=found,
        measured=_measured(run, found, cases, answers, asked.level),
        metrics=answers.metrics,
        known=known,
        blames=tuple(_blames(answers, known)),
        uses=uses,
        entries=entries,
    )


def _cases(run: Run, snapshot: Snapshot) -> tuple[Case, ...]:
    """The cases that were to be asked; where not one of them was, the run answers something else."""
    cases = cases_of(run.header, snapshot.cases)
    name = snapshot.manifest.name
    if not cases:
        raise InputError("run_no_cases", snapshot=name, splits=", ".join(run.header.splits) or "-")
    if run.by_case.keys().isdisjoint(case.case_id for case in cases):
        raise InputError("score_no_answers", run=run.name, count=len(run.records), snapshot=name)
    return cases


def _same_corpus(run: Run, snapshot: Snapshot, views: Sequence[View]) -> None:
    found = turned(views)
    if found.over:
        values = {"items": found.items, "unknown": found.unknown, "gold": found.gold, "missing": found.missing}
        key = "score_turned_over" if found.strange else "score_only_ids"
        raise InputError(key, run=run.name, snapshot=snapshot.manifest.name, **values)


def _measured(run: Run, snapshot: Snapshot, cases: Sequence[Case], answers: ScoredAnswers, level: Level) -> Measured:
    by_id = {case.case_id: case for case in cases}
    documents = {document.doc_id: document for document in snapshot.documents}
    kin = families(cases, snapshot.documents)
    found = rows(
        answers.scores, by_id, kin, answers.metrics, documents=snapshot.documents, labels=labelled(answers.views)
    )
    scores = Scores(
        run=run.name,
        snapshot=snapshot.manifest.name,
        snapshot_hash=snapshot.manifest.content_hash,
        cases=len(cases),
        repeats=max((view.repeat for view in answers.views), default=1),
        metrics=found,
        flags=_flags(answers.scores) | _strange(run, by_id),
    )
    return Measured(
        scores=scores,
        answers=answers.scores,
        cases=by_id,
        metrics=answers.metrics,
        families=kin,
        cuts={case_id: cuts_of(case, documents) for case_id, case in by_id.items()},
        views=answers.views,
        verdicts={(view.case.case_id, view.repeat): view.verdict for view in answers.views if view.verdict},
        config=run.header.config,
        level=level,
    )


def _flags(answers: Sequence[AnswerScore]) -> dict[str, int]:
    """Answers by flag."""
    names = sorted({flag for answer in answers for flag in answer.flags})
    return {name: sum(name in answer.flags for answer in answers) for name in names}


def _strange(run: Run, cases: Mapping[str, Case]) -> dict[str, int]:
    """Lines that no figure rests on: answers to what was not to be asked, and those that a later line replaced."""
    found = {"unknown_cases": sum(record.case_id not in cases for record in run.records), "replaced": run.replaced}
    return {name: count for name, count in found.items() if count}


def _known(snapshot: Snapshot, cases: Sequence[Case], views: Sequence[View], entries: Map) -> Known:
    return Known(
        documents={document.doc_id: document for document in snapshot.documents},
        index=indexed(cases, Library(snapshot, entries, {}), entries) if entries else None,
        cut=usual_cut(views),
    )


def _blames(answers: ScoredAnswers, known: Known) -> list[Blame]:
    pairs = zip(answers.views, answers.scores, strict=True)
    return [blame for view, score in pairs if (blame := diagnose(view, score, known))]


def _counted(path: Path, run: Run, snapshot: Snapshot, cases: Sequence[Case]) -> tuple[SplitUse, ...]:
    """Uses of the test split, with this run among them where it asked any of it; also one that came from elsewhere."""
    tests = {case.case_id for case in cases if case.split is Split.TEST}
    if any(record.case_id in tests for record in run.records):
        use = SplitUse(
            run=run.name,
            snapshot=snapshot.manifest.name,
            snapshot_hash=snapshot.manifest.content_hash,
            cases=len(tests),
            target=str(run.header.config.get("target", "")),
            at=datetime.now(UTC),
        )
        note_use(path.parent, use)
    return read_uses(path.parent)
