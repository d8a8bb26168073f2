"""Lines of a screen as pieces of text with the name of a style; widths in terminal cells, never `len`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from builder.text.screen import cells, clip, inert, wrap

Piece = tuple[str, str]
"""Text and the name of its style, empty for plain."""
Strip = tuple[Piece, ...]
"""One line."""

EMPTY: Strip = ()


def shown(text: object) -> str:
    """`text` as it may stand on a screen."""
    return inert(str(text)).replace("\t", " ")


def flat(text: object) -> str:
    """`text` as one line."""
    return " ".join(shown(text).split())


def span(strip: Strip) -> int:
    """Cells of a line."""
    return sum(cells(text) for text, _ in strip)


def fit(strip: Strip, width: int) -> Strip:
    """The line, clipped with an ellipsis where it is wider than `width`."""
    if span(strip) <= width:
        return strip
    kept: list[Piece] = []
    left = max(0, width - 1)
    for text, style in strip:
        part = clip(text, left)
        kept.append((part, style))
        left -= cells(part)
        if part != text:
            break
    return (*kept, ("…" if width > 0 else "", "dim"))


def apart(left: Strip, right: Strip, width: int) -> Strip:
    """`left` at the left end and `right` at the right end; where both do not fit, `left` is clipped."""
    right = fit(right, width)
    left = fit(left, max(0, width - span(right) - 2))
    gap = width - span(left) - span(right)
    return (*left, (" " * max(0, gap), ""), *right)


def paragraph(text: str, width: int, style: str = "", *, first: Strip = (), indent: int = 0) -> list[Strip]:
    """`text` wrapped below each other; `first` stands before the first line, `indent` cells before the others."""
    safe = shown(text)
    lines = [safe[start:end] for start, end in wrap(safe, max(2, width - indent))] or [""]
    head = (*first, (" " * (indent - span(first)), ""))
    return [(*(head if number == 0 else ((" " * indent, ""),)), (line, style)) for number, line in enumerate(lines)]


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text that is underlined."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""
    style: str
    """How it is drawn."""
    label: str = ""
    """What stands beside the line where it begins."""


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """One line of a text with marks."""

    strip: Strip
    """The line."""
    labels: tuple[str, ...]
    """Labels of the marks that begin here."""
    touched: bool
    """A mark runs through it."""


def marked(text: str, marks: Sequence[Mark], width: int) -> list[MarkedLine]:
    """`text` wrapped, its marks drawn; marks may overlap, the later one wins."""
    safe, marks = _safe(text, marks)
    return [_marked_line(safe, start, end, marks) for start, end in wrap(safe, max(2, width))]


def _safe(text: str, marks: Sequence[Mark]) -> tuple[str, list[Mark]]:
    """Text and marks after what could steer a terminal was made visible, which takes more characters."""
    inside = [mark for mark in marks if 0 <= mark.start < mark.end <= len(text)]
    cuts = sorted({0, len(text), *(mark.start for mark in inside), *(mark.end for mark in inside)})
    parts = [shown(text[low:high]) for low, high in pairwise(cuts)]
    places = dict(zip(cuts, _sums(map(len, parts)), strict=False))
    moved = [Mark(places[mark.start], places[mark.end], mark.style, mark.label) for mark in inside]
    return "".join(parts), moved


def _sums(lengths: Iterable[int]) -> list[int]:
    sums = [0]
    for length in lengths:
        sums.append(sums[-1] + length)
    return sums


def _marked_line(text: str, start: int, end: int, marks: Sequence[Mark]) -> MarkedLine:
    here = [mark for mark in marks if mark.start < end and start < mark.end]
    cuts = sorted({start, end, *(at for mark in here for at in (mark.start, mark.end) if start < at < end)})
    pieces = tuple((text[low:high], _style(low, here)) for low, high in pairwise(cuts))
    begins = sorted((mark.start, mark.label) for mark in here if start <= mark.start and mark.label)
    return MarkedLine(pieces, tuple(label for _, label in begins), bool(here))


def _style(at: int, marks: Sequence[Mark]) -> str:
    return next((mark.style for mark in reversed(marks) if mark.start <= at < mark.end), "")
