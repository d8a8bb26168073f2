"""Lines of words that are not worded yet, so that one set of facts is told in any language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.words import Words


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words: its key and what fills its places. A value that is a line is worded first."""

    key: str
    """A key of the word lists."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What fills its places."""

    def said(self, say: Words) -> str:
        """The line in words."""
        values = {name: value.said(say) if isinstance(value, Line) else value for name, value in self.values.items()}
        return say(self.key, **values)
