"""What doctor finds."""

from typing import Literal

from pydantic import Field

from builder.model.record import Record

Outcome = Literal["ok", "warn", "fail"]


class Finding(Record):
    """One thing that was looked at."""

    name: str
    """A key of the word lists below `doctor.`."""
    outcome: Outcome
    """ok; warn: something is not there; fail: something is broken."""
    values: dict[str, str] = Field(default_factory=dict)
    """What the line speaks of."""
