"""The figures of a scored run as reports see them: whatever scoring gives with these fields."""

from collections.abc import Mapping
from typing import Protocol

ALL = "all"
"""The slice that holds every case, and the cut that has only this one."""


class Between(Protocol):
    """An interval."""

    @property
    def low(self) -> float:
        """Lower end."""

    @property
    def high(self) -> float:
        """Upper end."""

    @property
    def how(self) -> str:
        """How it was found: wilson or bootstrap."""


class Row(Protocol):
    """One metric on one slice, as scoring gives it."""

    @property
    def name(self) -> str:
        """Name of the metric."""

    @property
    def value(self) -> float | None:
        """The figure; none where n is 0."""

    @property
    def n(self) -> int:
        """Cases that it rests on."""

    @property
    def interval(self) -> Between | None:
        """Where the true figure may lie."""

    @property
    def by(self) -> str:
        """What the slice is cut by."""

    @property
    def slice(self) -> str:
        """Which slice."""

    @property
    def few(self) -> bool:
        """Too few cases."""

    @property
    def smallest_drop(self) -> float | None:
        """The smallest paired drop that so many cases can show."""

    @property
    def excluded(self) -> Mapping[str, int]:
        """Cases left out, by reason."""
