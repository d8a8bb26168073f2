"""The base of every record: frozen, closed, keyword-only."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value. Unknown fields are errors, so a typo in a file never passes in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def replace(self, **changes: Any) -> Self:
        """Return a copy with `changes`, validated as if it were new.

        Raises:
            pydantic.ValidationError: the result would not be a legal record.
        """
        values: dict[str, Any] = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**(values | changes))
