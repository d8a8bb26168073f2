"""The facts of a scored run as JSON: names as in the code, nothing worded, nothing rounded."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from math import isfinite
from typing import Any

from builder.model.record import Record
from builder.report.gate_lines import standing, verdict
from builder.report.line import Line
from builder.report.score_answer import Told
from builder.report.score_facts import ScoreFacts
from builder.words import Words

SCHEMA_VERSION = 1


def score_json(facts: ScoreFacts, say: Words) -> dict[str, Any]:
    """What `score --json` prints: `metrics` one entry a metric and slice, `outcome` what `release` comes to."""
    found: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
    for field in fields(facts):
        name = "metrics" if field.name == "rows" else field.name
        found[name] = _plain(getattr(facts, field.name), say)
    return found | {"outcome": standing(facts.release), "sentence": verdict(facts.release, say)}


def told_json(told: Told, say: Words) -> dict[str, Any]:
    """One answer with all that it is judged by."""
    found: dict[str, Any] = _plain(told, say)
    return found


def _plain(value: Any, say: Words) -> Any:
    """A value as JSON has it; a line of words keeps its key and is told too."""
    match value:
        case Line():
            return {"key": value.key, "values": _plain(value.values, say), "text": value.said(say)}
        case Record():
            return _plain(value.model_dump(mode="python"), say)
        case Mapping():
            return {str(_plain(name, say)): _plain(one, say) for name, one in value.items()}
        case Set():
            return sorted(_plain(one, say) for one in value)
        case Sequence() if not isinstance(value, str):
            return [_plain(one, say) for one in value]
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name), say) for field in fields(value)}
        case _:
            return _scalar(value)


def _scalar(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case float():
            return value if isfinite(value) else None
        case datetime() | date():
            return value.isoformat()
        case _:
            return value
