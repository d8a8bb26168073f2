"""The screen of the review of answers: two columns where there is room, else answer above context."""

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from builder.review.answers import bars, fields
from builder.review.answers.context import Context, context
from builder.review.answers.state import Pane, State
from builder.review.strip import EMPTY, Strip, apart, fit
from builder.review.view import SMALLEST, THEME, Row
from builder.words import Words

_WIDE = (96, 20)
"""From here on answer and context stand side by side."""
_ABOVE = 3
"""Lines of context above a mark."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A screen, and the places that it shows."""

    rows: tuple[Row, ...]
    context_top: int | None = None
    """First line of the context; none where there is none."""
    fields_top: int = 0
    page: int = 1
    """Lines of a page of the pane in focus."""


@dataclass(frozen=True, slots=True)
class _Body:
    """The part between header and footer."""

    rows: list[Row]
    context_top: int | None = None
    fields_top: int = 0
    page: int = 1


def render(state: State, say: Words, width: int, height: int) -> Frame:
    """The screen of `width` columns and `height` rows for `state`."""
    columns, lines = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    top = [_row(bars.header(state, say, columns)), _row(bars.progress(state, columns))]
    bottom = _bottom(state, say, columns)
    room = lines - len(top) - len(bottom)
    body = _body(state, say, columns, room, columns >= _WIDE[0] and lines >= _WIDE[1])
    filler = [_row(EMPTY)] * (room - len(body.rows))
    rows = [*top, *body.rows, *filler, *bottom]
    return Frame(tuple(_cut(row, width) for row in rows[:height]), body.context_top, body.fields_top, body.page)


def _bottom(state: State, say: Words, width: int) -> list[Row]:
    rule: Strip = ((" " * width, "rule"),)
    if state.helping:
        return list(map(_row, (rule, ((f" {say('review.help_close')}", ""),))))
    return list(map(_row, (rule, fit(bars.message(state, say), width), *bars.footer(state, say, width))))


def _body(state: State, say: Words, width: int, height: int, wide: bool) -> _Body:
    if state.helping:
        return _Body(list(map(_row, bars.help_lines(say, width)[:height])), state.context_top, state.fields_top)
    if state.item is None:
        return _Body(list(map(_row, bars.finished(state, say)[:height])))
    return (_side_by_side if wide else _stacked)(state, say, width, height)


def _side_by_side(state: State, say: Words, width: int, height: int) -> _Body:
    split = min(64, width * 45 // 100)
    right = width - split - 2
    claimed = fields.headed(fields.sections(state, say), say, split)
    shown = context(state, say, right)
    top, lines = _window(shown, state.context_top, height - 2)
    left_top, left = _part(claimed, state.fields_top, height - 2, say)
    rows = [_two(apart(*fields.title(state, say), split), _heading(shown, len(lines), top, say, right), split)]
    rows.append(_two(EMPTY, EMPTY, split))
    rows += [_two(_at(left, place), _at(lines, place), split) for place in range(height - 2)]
    return _Body(rows, top, left_top, height - 2)


def _stacked(state: State, say: Words, width: int, height: int) -> _Body:
    claimed = fields.labelled(fields.sections(state, say), say, width)
    shown = context(state, say, width)
    room = height - 2
    # What is judged matters most; of the context some lines are always there.
    least = 3 if state.pane is Pane.FIELDS else max(4, room // 3)
    upper = min(len(claimed), room - min(least, len(shown.lines)))
    left_top, above = _part(claimed, state.fields_top, upper, say)
    top, lines = _window(shown, state.context_top, room - upper)
    heading = tuple((text, f"{style} rule") for text, style in _heading(shown, len(lines), top, say, width))
    strips = [apart(*fields.title(state, say), width), *above, heading, *lines]
    return _Body(list(map(_row, strips)), top, left_top, upper if state.pane is Pane.FIELDS else room - upper)


def _heading(shown: Context, visible: int, top: int, say: Words, width: int) -> Strip:
    below = len(shown.lines) - top - visible
    more = say("review.more", count=below) if below > 0 else ""
    return apart(((" ", ""), *shown.heading), ((f"{more} ", "dim"),), width)


def _window(shown: Context, asked: int | None, height: int) -> tuple[int, list[Strip]]:
    """The lines of the context that are visible, and the first one's number."""
    wanted = shown.anchor - _ABOVE if asked is None else asked
    top = max(0, min(wanted, len(shown.lines) - height))
    return top, shown.lines[top : top + height]


def _part(lines: list[Strip], asked: int, height: int, say: Words) -> tuple[int, list[Strip]]:
    """As `_window`; where lines are left below, the last visible one says so."""
    top = max(0, min(asked, len(lines) - height))
    visible = lines[top : top + height]
    below = len(lines) - top - len(visible)
    if below > 0 and visible:
        visible[-1] = ((f" {say('review.more_fields', count=below + 1)}", "dim"),)
    return top, visible


def _at(lines: list[Strip], place: int) -> Strip:
    return lines[place] if place < len(lines) else EMPTY


def _two(left: Strip, right: Strip, split: int) -> Row:
    # The divider may be drawn two cells wide; the cell behind it is free.
    return Row(((0, _text(fit(left, split))), (split, Text("│", THEME["dim"])), (split + 2, _text(right))))


def _row(strip: Strip) -> Row:
    return Row(((0, _text(strip)),))


def _text(strip: Strip) -> Text:
    text = Text(no_wrap=True, end="")
    for piece, style in strip:
        text.append(piece, Style.combine(THEME[name] for name in style.split()) if style else None)
    return text


def _cut(row: Row, width: int) -> Row:
    kept: list[tuple[int, Text]] = []
    for column, text in row.parts:
        if column < width:
            text.truncate(width - column)
            kept.append((column, text))
    return Row(tuple(kept))
