"""Answers as rows of somebody else's file: the one door through which they come, and where they are redacted."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.errors import InputError, UsageError
from builder.logs import deepeval, langfuse_runs, otel, phoenix, plain_runs, ragas, trec
from builder.logs.answers import Guard
from builder.logs.files import decoded
from builder.logs.given import cleaned
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFormat:
    """A way to read answers."""

    name: str
    """What `--format` calls it."""
    fits: Callable[[str, str], bool]
    """(suffix in lower case, text) -> whether `auto` takes it. The first that fits is taken."""
    rows: Callable[[str], Iterator[RunRow | RowProblem]]
    """Text -> rows, and problems in their place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """A file as read; every text is redacted."""

    file: str
    """File name, without its folder."""
    format: str
    """What read it."""
    rows: tuple[RunRow, ...]
    """The answers, in file order."""
    problems: tuple[RowProblem, ...]
    """Rows that could not be read."""
    redacted: Mapping[str, int] = field(default_factory=dict)
    """What was taken out, by kind."""


FORMATS = tuple(
    RunFormat(name=name, fits=module.fits, rows=module.rows)
    for name, module in (
        ("otel", otel),
        ("langfuse", langfuse_runs),
        ("phoenix", phoenix),
        ("deepeval", deepeval),
        ("ragas", ragas),
        ("plain", plain_runs),
        ("trec", trec),
    )
)
"""All formats, in the order in which `auto` tries them."""


def read_run_rows(path: Path, format: str = "auto", guard: Guard | None = None) -> RunRows:
    """Read the answers in a file.

    Raises:
        UsageError: no such format.
        InputError: the file cannot be read, fits no format, or has not one row that can be read.
    """
    text = decoded(path)
    chosen = _chosen(path, text, format)
    found = tuple(map(_told, chosen.rows(text)))
    problems = tuple(one for one in found if isinstance(one, RowProblem))
    rows = [one for one in found if isinstance(one, RunRow)]
    if not rows:
        first = problems[0] if problems else RowProblem(row=1, code="nothing")
        raise InputError("import_no_rows", file=path, row=first.row, detail=first.detail or first.code)
    counts: Counter[str] = Counter()
    clean = tuple(_clean(row, guard or Guard(), counts) for row in rows)
    return RunRows(file=path.name, format=chosen.name, rows=clean, problems=problems, redacted=dict(counts))


def _told(row: RunRow | RowProblem) -> RunRow | RowProblem:
    """A row that names neither a case nor a question belongs to nothing."""
    if isinstance(row, RowProblem) or row.case_id or row.question:
        return row
    return RowProblem(row=row.number, code="no_question")


def _clean(row: RunRow, guard: Guard, counts: Counter[str]) -> RunRow:
    """The question stays as it is: it is only looked up, and the case's own is what is stored."""
    values, found = guard.clean(cleaned(dict(row.values)))
    counts.update(found)
    return RunRow(number=row.number, case_id=row.case_id, question=row.question, values=values)


def _chosen(path: Path, text: str, name: str) -> RunFormat:
    names = [entry.name for entry in FORMATS]
    if name not in ("auto", *names):
        raise UsageError("run_format", format=name, known=", ".join(names))
    for entry in FORMATS:
        if entry.name == name or (name == "auto" and text.strip() and entry.fits(path.suffix.lower(), text)):
            return entry
    raise InputError("run_unknown", file=path, known=", ".join(names))
