"""Claims: the facts that an answer must hold, each with an optional deterministic check."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from builder.model.record import Record


class LiteralCheck(Record):
    """Forms of words that must or must not be there."""

    kind: Literal["literal"] = "literal"
    """The kind of check."""
    any_of: tuple[str, ...] = ()
    """At least one of these stands in the answer."""
    none_of: tuple[str, ...] = ()
    """None of these stands in the answer."""


class NumberCheck(Record):
    """A number with its unit, compared by value (二十四个月 is 24 个月)."""

    kind: Literal["number"] = "number"
    """The kind of check."""
    value: str
    """Decimal as text: nothing frozen holds a float."""
    unit: str = ""
    """Canonical unit (text.numbers), empty for a bare number."""

    @field_validator("value")
    @classmethod
    def _decimal(cls, value: str) -> str:
        from decimal import Decimal, InvalidOperation

        try:
            Decimal(value)
        except InvalidOperation as error:
            raise ValueError(f"not a decimal number: {value!r}") from error
        return value


Check = Annotated[LiteralCheck | NumberCheck, Field(discriminator="kind")]


class Claim(Record):
    """One fact of the answer."""

    text: str
    """The fact in words."""
    weight: int = Field(default=100, ge=0, le=100)
    """How much it counts, 0-100."""
    critical: bool = False
    """Wrong here means wrong altogether."""
    check: Check | None = None
    """How a program can tell; none means a person or a judge must."""
