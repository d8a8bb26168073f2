"""People's verdicts on the answers of a run: runs/NAME.verdicts.jsonl, append-only, undo is a later line."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from builder.errors import InputError
from builder.model.case import Case
from builder.model.run import RunRecord
from builder.model.verdict import SCHEMA_VERSION, AnswerVerdict
from builder.score.json_lines import append, numbered, parsed
from builder.score.run_file import VERDICTS, run_name
from builder.text.canonical import canonical
from builder.text.ids import digest

_JUDGED_BY = {
    "question",
    "conversation",
    "answerable",
    "acceptable_status",
    "ground_truth",
    "claims",
    "must_not_claims",
}


def verdict_path(run: Path) -> Path:
    """Where the verdicts on the run in this file lie."""
    return run.with_name(f"{run_name(run)}{VERDICTS}")


def read_verdicts(path: Path) -> tuple[AnswerVerdict, ...]:
    """All lines of a verdict file, oldest first; none where there is no file.

    Raises:
        InputError: a line is no verdict; the line is named.
    """
    if not path.exists():
        return ()
    found: dict[str, AnswerVerdict] = {}
    for number, line in numbered(path):
        verdict = parsed(AnswerVerdict, line, path, number)
        if verdict.schema_version != SCHEMA_VERSION:
            raise InputError("run_line", file=path, line=number, detail=f"schema_version {verdict.schema_version}")
        found.setdefault(verdict.id, verdict)
    return tuple(found.values())


def append_verdicts(path: Path, verdicts: Iterable[AnswerVerdict]) -> None:
    """Add lines to a verdict file, on disk when this returns.

    Raises:
        InputError: it cannot be written.
    """
    append(path, verdicts)


def current(lines: Sequence[AnswerVerdict]) -> tuple[AnswerVerdict, ...]:
    """What holds: the last line of each person about each answer that nobody took back; oldest first."""
    back: set[str] = set()
    last: dict[tuple[str, int, str], AnswerVerdict] = {}
    for line in reversed(lines):
        if line.id in back:
            continue
        if line.undoes is not None:
            back.add(line.undoes)
        else:
            last.setdefault((line.case_id, line.repeat, line.who), line)
    return tuple(line for line in reversed(list(last.values())) if line.says_something)


def answer_hash(record: RunRecord) -> str:
    """Hash of an answer: its words; no answer is another thing than an empty one."""
    return digest(*(() if record.answer is None else (record.answer,)))


def case_hash(case: Case) -> str:
    """Hash of what an answer is judged by: question, conversation, reference and claims."""
    return digest(canonical(case.model_dump(mode="json", include=_JUDGED_BY)))


def holds(verdict: AnswerVerdict, record: RunRecord, case: Case) -> bool:
    """True where the verdict is about this very answer, judged by this very reference."""
    return verdict.answer_hash == answer_hash(record) and verdict.case_hash in ("", case_hash(case))
