"""The screen as rows of Rich text: two columns where there is room, else question above source."""

from dataclasses import dataclass

from builder.model.case import Case
from builder.review import bars, batch, blind, clash, fields
from builder.review.choices import CHOICES
from builder.review.compared import comparison
from builder.review.rows import SMALLEST, WIDE, Row, at, cut, heading, part, row, two, window
from builder.review.sections import headed, labelled
from builder.review.source import source
from builder.review.state import Mode, Pane, State
from builder.review.strip import EMPTY, Strip, apart, fit
from builder.words import Words

_ENDLESS = 1000


@dataclass(frozen=True, slots=True)
class Frame:
    """A screen, and the places that it shows."""

    rows: tuple[Row, ...]
    """Rows from the top."""
    source_top: int | None = None
    """First line of the source; none where there is none."""
    fields_top: int = 0
    """First line of question and answer."""
    page: int = 1
    """Lines of a page of the pane in focus."""
    top: int = 0
    """First line of what stands in place of the case."""
    more: bool = False
    """It goes on below."""


@dataclass(frozen=True, slots=True)
class _Body:
    """The part between header and footer."""

    rows: list[Row]
    source_top: int | None = None
    fields_top: int = 0
    page: int = 1
    top: int = 0
    more: bool = False


def render(state: State, say: Words, width: int, height: int) -> Frame:
    """The screen of `width` columns and `height` rows for `state`."""
    columns, lines = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    wide = columns >= WIDE[0] and lines >= WIDE[1]
    top = [row(bars.header(state, say, columns, pace=wide)), row(bars.progress(state, say, columns))]
    bottom = _bottom(state, say, columns, lines)
    body = _body(state, say, columns, lines - len(top) - len(bottom), wide)
    filler = [row(EMPTY)] * (lines - len(top) - len(bottom) - len(body.rows))
    rows = [*top, *body.rows, *filler, *bottom]
    return Frame(
        tuple(cut(row, width) for row in rows[:height]),
        body.source_top,
        body.fields_top,
        body.page,
        body.top,
        body.more,
    )


def body_lines(state: State, say: Words, width: int) -> tuple[str, ...]:
    """What stands between header and keys, whole, as text."""
    rows = _body(state, say, width, _ENDLESS, False).rows
    return tuple(row.text().plain.rstrip() for row in rows)


def bottom_lines(state: State, say: Words, width: int) -> tuple[str, ...]:
    """What is said or asked below the case, and the keys, as text."""
    return tuple(row.text().plain.rstrip() for row in _bottom(state, say, width, _ENDLESS))


def _bottom(state: State, say: Words, width: int, height: int) -> list[Row]:
    rule: Strip = ((" " * width, "rule"),)
    if state.mode is Mode.REJECT or state.mode is Mode.BATCH_REASON:
        return list(map(row, (rule, *bars.reasons(state, say, width))))
    if state.mode is Mode.BATCH:
        return list(map(row, (rule, *batch.lines(state, say, width))))
    if state.mode in CHOICES:
        return list(map(row, (rule, *CHOICES[state.mode](state, say, width))))
    if state.mode is Mode.DIFFERENCE:
        return list(map(row, (rule, ((f" {say('review.difference_close')}", ""),))))
    if state.mode is Mode.HELP or state.mode is Mode.CLASH:
        return list(map(row, (rule, ((f" {say(_closing(state, say, width, height))}", ""),))))
    said = fit(bars.message(state, say), width)
    return list(map(row, (rule, said, *bars.footer(state, say, width))))


def _closing(state: State, say: Words, width: int, height: int) -> str:
    """How one leaves what stands in place of the case; rule and this line below, header and progress above."""
    below = len(_instead(state, say, width)) - state.top - (height - 4)
    return "review.help_more" if below > 0 else "review.help_close"


def _instead(state: State, say: Words, width: int) -> list[Strip]:
    """What stands in place of the case, whole."""
    return bars.help_lines(say, width) if state.mode is Mode.HELP else clash.lines(state, say, width)


def _body(state: State, say: Words, width: int, height: int, wide: bool) -> _Body:
    if state.mode is Mode.HELP or state.mode is Mode.CLASH:
        whole = _instead(state, say, width)
        shown = whole[state.top : state.top + height]
        more = state.top + height < len(whole)
        return _Body(list(map(row, shown)), state.source_top, state.fields_top, height, state.top, more)
    if state.mode is Mode.DIFFERENCE:
        return _compared(state, say, width, height)
    if state.item is None:
        return _Body(list(map(row, bars.finished(state, say)[:height])))
    return (_side_by_side if wide else _stacked)(state, state.item.case, say, width, height)


def _compared(state: State, say: Words, width: int, height: int) -> _Body:
    lines = comparison(state, say, width)
    top = max(0, min(state.top, len(lines) - height))
    visible = lines[top : top + height]
    if (below := len(lines) - top - len(visible)) > 0:
        visible[-1] = ((f" {say('review.more', count=below + 1)}", "dim"),)
    return _Body(list(map(row, visible)), state.source_top, state.fields_top, height, top)


def _side_by_side(state: State, case: Case, say: Words, width: int, height: int) -> _Body:
    split = min(64, width * 45 // 100)
    right = width - split - 2
    name, status = fields.title(case, say)
    claimed = headed(blind.shown(state, say), split)
    shown = source(state, say, right, height - 2)
    top, lines = window(shown, state.source_top, height - 2)
    left_top, left = part(claimed, state.fields_top, height - 2, say)
    heads = (apart(name, status, split), heading(shown, len(lines), top, say, right))
    rows = [two(*heads, split), two(EMPTY, EMPTY, split)]
    rows += [two(at(left, place), at(lines, place), split) for place in range(height - 2)]
    return _Body(rows, top, left_top, height - 2)


def _stacked(state: State, case: Case, say: Words, width: int, height: int) -> _Body:
    name, status = fields.title(case, say)
    claimed = labelled(blind.shown(state, say), width)
    room = height - 2
    shown = source(state, say, width, room - len(claimed))
    least = min(3 if state.pane is Pane.FIELDS else max(4, room // 2), room - 3)
    upper = min(len(claimed), room - min(least, len(shown.lines)))
    left_top, above = part(claimed, state.fields_top, upper, say)
    top, lines = window(shown, state.source_top, room - upper)
    ruled = tuple((text, f"{style} rule") for text, style in heading(shown, len(lines), top, say, width))
    strips = [apart(name, status, width), *above, ruled, *lines]
    return _Body(list(map(row, strips)), top, left_top, upper if state.pane is Pane.FIELDS else room - upper)
