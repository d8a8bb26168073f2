"""gates/waivers.toml: cases that may break a rule for a while, with an owner, a reason and a last day."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import Field

from builder.errors import InputError
from builder.model.record import Record
from builder.score.gates.settings import read_toml


class Waiver(Record):
    """One case, one rule."""

    case: str = Field(min_length=1)
    """The case."""
    rule: str = Field(min_length=1)
    """The hard or manual rule."""
    owner: str = Field(min_length=1)
    """Who answers for it."""
    reason: str = Field(min_length=1)
    """Why it is let pass."""
    until: date
    """The last day; after it the waiver is a failure."""

    def expired(self, today: date) -> bool:
        """Its last day is over."""
        return today > self.until


class WaiverFile(Record):
    """All waivers."""

    schema_version: Literal[1] = 1
    """Version of this file's format."""
    waiver: tuple[Waiver, ...] = ()
    """In the order of the file."""


def read_waivers(path: Path, rules: Iterable[str]) -> tuple[Waiver, ...]:
    """The waivers of a file; none where there is no file.

    Raises:
        InputError: no TOML, something missing, or a rule that there is not.
    """
    if not path.exists():
        return ()
    known = tuple(rules)
    found = read_toml(WaiverFile, path).waiver
    for waiver in found:
        if waiver.rule not in known:
            raise InputError("gates_rule", file=path, kind="waiver", rule=waiver.rule, known=", ".join(known))
    return found


def waived(waivers: Iterable[Waiver], rule: str, today: date) -> frozenset[str]:
    """Cases that may break a rule today."""
    return frozenset(waiver.case for waiver in waivers if waiver.rule == rule and not waiver.expired(today))
