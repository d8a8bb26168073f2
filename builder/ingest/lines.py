"""The lines of a text without layout."""

from builder.model.document import Line


def text_lines(text: str) -> tuple[Line, ...]:
    """The lines of a text without layout, white space around them left out."""
    lines: list[Line] = []
    start = 0
    for raw in text.splitlines(keepends=True):
        if inner := raw.strip():
            first = start + raw.index(inner[0])
            lines.append(Line(start=first, end=first + len(inner), box=(0.0, 0.0, 0.0, 0.0)))
        start += len(raw)
    return tuple(lines)
