"""The screen of the review of answers: two columns where there is room, else answer above context."""

from dataclasses import dataclass

from builder.review.answers import bars, fields
from builder.review.answers.context import context
from builder.review.answers.state import Pane, State
from builder.review.rows import SMALLEST, WIDE, Row, at, cut, heading, part, row, two, window
from builder.review.sections import headed, labelled
from builder.review.strip import EMPTY, Strip, apart, fit
from builder.words import Words


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
    top = [row(bars.header(state, say, columns)), row(bars.progress(state, columns))]
    bottom = _bottom(state, say, columns)
    room = lines - len(top) - len(bottom)
    body = _body(state, say, columns, room, columns >= WIDE[0] and lines >= WIDE[1])
    filler = [row(EMPTY)] * (room - len(body.rows))
    rows = [*top, *body.rows, *filler, *bottom]
    return Frame(tuple(cut(row, width) for row in rows[:height]), body.context_top, body.fields_top, body.page)


def _bottom(state: State, say: Words, width: int) -> list[Row]:
    rule: Strip = ((" " * width, "rule"),)
    if state.helping:
        return list(map(row, (rule, ((f" {say('review.help_close')}", ""),))))
    return list(map(row, (rule, fit(bars.message(state, say), width), *bars.footer(state, say, width))))


def _body(state: State, say: Words, width: int, height: int, wide: bool) -> _Body:
    if state.helping:
        return _Body(list(map(row, bars.help_lines(say, width)[:height])), state.context_top, state.fields_top)
    if state.item is None:
        return _Body(list(map(row, bars.finished(state, say)[:height])))
    return (_side_by_side if wide else _stacked)(state, say, width, height)


def _side_by_side(state: State, say: Words, width: int, height: int) -> _Body:
    split = min(64, width * 45 // 100)
    right = width - split - 2
    claimed = headed(fields.sections(state, say), split)
    shown = context(state, say, right)
    top, lines = window(shown, state.context_top, height - 2)
    left_top, left = part(claimed, state.fields_top, height - 2, say)
    rows = [two(apart(*fields.title(state, say), split), heading(shown, len(lines), top, say, right), split)]
    rows.append(two(EMPTY, EMPTY, split))
    rows += [two(at(left, place), at(lines, place), split) for place in range(height - 2)]
    return _Body(rows, top, left_top, height - 2)


def _stacked(state: State, say: Words, width: int, height: int) -> _Body:
    claimed = labelled(fields.sections(state, say), width)
    shown = context(state, say, width)
    room = height - 2
    # What is judged matters most; of the context some lines are always there.
    least = 3 if state.pane is Pane.FIELDS else max(4, room // 3)
    upper = min(len(claimed), room - min(least, len(shown.lines)))
    left_top, above = part(claimed, state.fields_top, upper, say)
    top, lines = window(shown, state.context_top, room - upper)
    ruled = tuple((text, f"{style} rule") for text, style in heading(shown, len(lines), top, say, width))
    strips = [apart(*fields.title(state, say), width), *above, ruled, *lines]
    return _Body(list(map(row, strips)), top, left_top, upper if state.pane is Pane.FIELDS else room - upper)
