"""Test cases of deepeval (JSON, JSONL, CSV), also within a test run: input, actual_output, retrieval_context.

`context` and `expected_output` are deepeval's references and are not taken.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from builder.logs.fields import as_text
from builder.logs.files import Row
from builder.logs.ragas import passages
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, asked, case_id_in, kind_of, listed, number_in, table_rows

_NAMES = {
    "actual_output": ("actual_output", "actualOutput"),
    "retrieval_context": ("retrieval_context", "retrievalContext"),
    "completion_time": ("completion_time", "completionTime"),
    "token_cost": ("token_cost", "tokenCost"),
}
_LISTS = ("testCases", "test_cases", "goldens")


def fits(suffix: str, text: str) -> bool:
    """It speaks of an input, and of the actual output or the retrieval context."""
    first = next((row.values for row in _found(text) if isinstance(row, Row)), {})
    return "input" in first and any(name in first for names in list(_NAMES.values())[:2] for name in names)


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row a test case."""
    for row in _found(text):
        yield _row(row.number, row.values) if isinstance(row, Row) else row


def _found(text: str) -> Iterator[Row | RowProblem]:
    """The test cases; those of a test run lie within it."""
    for row in table_rows(text, kind_of(text)):
        inner = (
            next((row.values[name] for name in _LISTS if name in row.values), None) if isinstance(row, Row) else None
        )
        if not isinstance(inner, list):
            yield row
            continue
        for number, one in enumerate(inner, 1):
            known = isinstance(one, Mapping)
            yield Row(number=number, values=one) if known else RowProblem(row=number, code="not_object")


def _row(number: int, values: Mapping[str, Any]) -> RunRow:
    told = {field: next((values[name] for name in names if name in values), None) for field, names in _NAMES.items()}
    done: dict[str, Any] = {}
    if told["actual_output"] not in (None, ""):
        done["answer"] = as_text(told["actual_output"])
    if told["retrieval_context"] not in (None, ""):
        items = passages(_contexts(told["retrieval_context"]), [])
        done |= {"retrieved": items, "context": items}
    if (seconds := number_in(told["completion_time"])) is not None:
        done["latency_ms"] = {"total": 1000 * seconds}
    if (cost := number_in(told["token_cost"])) is not None:
        done["cost"] = {"total": cost}
    case_id = case_id_in(values) or str(values.get("name") or "")
    return RunRow(number=number, case_id=case_id, question=asked(values.get("input")), values=done)


def _contexts(value: Any) -> list[Any]:
    """In a CSV, deepeval writes passages with `|` between them."""
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return value.split("|")
    return listed(value)
