"""Results and data sets of ragas (CSV, JSON, JSONL): user_input, response, retrieved_contexts, retrieved_context_ids.

Its references and metrics are not taken: a run says what the system did. Passages are what was retrieved and read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from builder.logs.fields import as_text
from builder.logs.files import Row
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, asked, case_id_in, first_row, kind_of, listed, table_rows


def fits(suffix: str, text: str) -> bool:
    """It speaks of user_input, and of what came of it."""
    first = first_row(text)
    return "user_input" in first and bool({"response", "retrieved_contexts", "retrieved_context_ids"} & set(first))


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row an answer."""
    for row in table_rows(text, kind_of(text)):
        yield _row(row.number, row.values) if isinstance(row, Row) else row


def _row(number: int, values: Mapping[str, Any]) -> RunRow:
    done: dict[str, Any] = {}
    if values.get("response") not in (None, ""):
        done["answer"] = as_text(values["response"])
    items = passages(listed(values.get("retrieved_contexts")), listed(values.get("retrieved_context_ids")))
    if items or "retrieved_contexts" in values or "retrieved_context_ids" in values:
        done |= {"retrieved": items, "context": items}
    return RunRow(number=number, case_id=case_id_in(values), question=asked(values.get("user_input")), values=done)


def passages(texts: list[Any], ids: list[Any]) -> list[dict[str, Any]]:
    """Passages with text, with id, or with both where there are as many of the one as of the other."""
    if ids and len(ids) != len(texts):
        return [{"id": str(one)} for one in ids]
    named = ids or [""] * len(texts)
    pairs = ((str(name), as_text(text, ("context",))) for name, text in zip(named, texts, strict=True))
    return [{"id": name, "text": text} for name, text in pairs if name or text]
