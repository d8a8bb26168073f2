"""One answer as a row of a file, and what readers of such rows share."""

import ast
import io
import json
import math
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from builder.logs.fields import as_text, is_deep, look_up
from builder.logs.files import FORMATS as TABLES
from builder.logs.files import Row
from builder.logs.record import RowProblem

CASE_IDS = (
    "case_id",
    "builder.case_id",
    "metadata.case_id",
    "additional_metadata.case_id",
    "additionalMetadata.case_id",
)
"""Where the id of a case may stand."""


_QUESTION = ("question", "query", "user_input", "input")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One answer."""

    number: int
    """Row, line or place in the file, from 1."""
    case_id: str = ""
    """The case, where the file says it."""
    question: str = ""
    """The question as the file has it."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a run record."""


def table_rows(text: str, name: str) -> Iterator[Row | RowProblem]:
    """The rows of a JSONL, JSON or CSV text."""
    return next(entry for entry in TABLES if entry.name == name).rows(text)


def kind_of(text: str) -> str:
    """jsonl, json or csv."""
    return next((entry.name for entry in TABLES if entry.fits("", text)), "csv")


def first_row(text: str) -> Mapping[str, Any]:
    """The first row of a JSONL, JSON or CSV text; empty where there is none."""
    found = next((row for row in table_rows(text, kind_of(text)) if isinstance(row, Row)), None)
    return found.values if found else {}


def case_id_in(values: Mapping[str, Any]) -> str:
    """The id of the case, where a row tells it."""
    found = (look_up(values, path) for path in CASE_IDS)
    return next((str(value) for value in found if isinstance(value, str | int) and str(value)), "")


def listed(value: Any) -> list[Any]:
    """A list; one that is written as JSON or as a Python literal in a cell, too (data frames write the latter)."""
    if not isinstance(value, str):
        return list(value) if isinstance(value, list | tuple) else []
    for parse in (json.loads, _literal):
        try:
            found = parse(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError):
            continue
        if isinstance(found, list) and not is_deep(found):
            return found
    return [value] if value.strip() else []


def _literal(text: str) -> Any:
    """A Python literal; arrays are printed without commas, which would make one text of all their texts."""
    if not text.lstrip().startswith("["):
        return None
    made: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text.strip()).readline):
        if made and made[-1][0] == token.type == tokenize.STRING:
            made.append((tokenize.OP, ","))
        if token.type not in (tokenize.NL, tokenize.NEWLINE):
            made.append((token.type, token.string))
    return ast.literal_eval(tokenize.untokenize(made).strip())


def asked(value: Any) -> str:
    """The question: a text, of messages what the user said last, of a traced call the argument that is one."""
    found = listed(value) if isinstance(value, str) and value.lstrip().startswith("[{") else value
    if isinstance(found, Mapping) and isinstance(found.get("args"), list):
        named = as_text(found.get("kwargs"), _QUESTION)
        return named or next((one for one in found["args"] if isinstance(one, str)), "")
    return as_text(found, _QUESTION)


def number_in(value: Any) -> float | None:
    """A figure, also one that is written as text."""
    try:
        found = None if value is None or isinstance(value, bool) or value == "" else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found is not None and math.isfinite(found) else None


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, where it is one; an empty one elsewhere."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> list[Any]:
    """A list, where it is one; an empty one elsewhere."""
    return value if isinstance(value, list) else []
