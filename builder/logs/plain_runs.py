"""Answers under the usual names (JSONL, JSON, CSV): a case id or a question, and any field of a run record."""

from collections.abc import Iterator, Mapping
from typing import Any

from builder.logs.fields import LOG_NAMES, find_columns
from builder.logs.given import CONTEXTS, Unreadable, fields_of
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, asked, case_id_in, first_row, kind_of, listed, table_rows

_LISTS = (
    "retrieved",
    "reranked",
    "context",
    "citations",
    CONTEXTS,
    "retrieved_contexts",
    "source_documents",
    "sources",
)


def fits(suffix: str, text: str) -> bool:
    """A case id or a question stands in the first row, or it is the header of a run file."""
    first = first_row(text)
    return bool(first) and bool(case_id_in(first) or _question(first) or "snapshot" in first)


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row an answer; the header of a run file is passed over."""
    for row in table_rows(text, kind_of(text)):
        if isinstance(row, RowProblem):
            yield row
        elif not ("snapshot" in row.values and not case_id_in(row.values)):
            yield _row(row.number, row.values)


def _question(values: Mapping[str, Any]) -> str:
    columns = find_columns("", [values], LOG_NAMES)
    return asked(columns.value(values, "question"))


def _row(number: int, values: Mapping[str, Any]) -> RunRow | RowProblem:
    told = {
        name: listed(value) if name in _LISTS and isinstance(value, str) else value for name, value in values.items()
    }
    try:
        done = fields_of({name: value for name, value in told.items() if value != ""})
    except Unreadable as error:
        return RowProblem(row=number, code="no_answer", detail=str(error))
    return RunRow(number=number, case_id=case_id_in(values), question=_question(values), values=done)
