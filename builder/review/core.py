"""What keys do: `update(state, key, now)` gives the next state and at most one effect. No screen, store or clock."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from builder.model.case import RejectReason, ReviewState
from builder.review import acts, groups, negatives, walking
from builder.review.keys import BY_NAME, DIGITS, Act, cap
from builder.review.state import (
    Ask,
    Compare,
    Message,
    Mode,
    Open,
    Pane,
    Question,
    Redo,
    State,
    Step,
    Times,
    Tone,
    Undo,
    Write,
)

IDLE = 120.0
"""Seconds without a key that still count as work."""
GUARD = 0.15
"""Seconds after a new item in which keys that decide are dropped."""
HELD = 4
"""Guards for which the same deciding key must rest: a held key decides once."""
REASONS: tuple[RejectReason, ...] = tuple(RejectReason)
"""Reject reasons in the order of their digits."""


def begin(
    reviewer: str,
    order: tuple[str, ...],
    now: float,
    guard: float = GUARD,
    *,
    expression: str = "",
    blind: bool = False,
) -> Step:
    """The state before the first item, and the wish to see it."""
    times = Times(begun=now, at=now, shown=now)
    state = State(reviewer=reviewer, order=order, guard=guard, times=times, expression=expression, blind=blind)
    return (state, Open(0, by=1)) if order else (state, None)


def update(state: State, key: str, now: float) -> Step:
    """What `key` (a name from `keys.decode`), pressed at `now` (seconds), does."""
    early = _early(state, key, now)
    state = _ticked(state, key, now)
    if key in ("ctrl-c", "hangup"):
        return replace(state, over=True), None
    if early or key == "resize":
        return state, None
    state = replace(state, message=None)
    if state.mode is Mode.HELP:
        return walking.turned(state, key)
    return _IN_MODE.get(state.mode, _view)(state, key)


def _early(state: State, key: str, now: float) -> bool:
    """A key that decides, typed before the item could be read, or held down."""
    row, times = BY_NAME.get(key), state.times
    if row is None or not row.decides or state.mode is not Mode.VIEW:
        return False
    held = key == times.pressed and now - times.pressed_at < HELD * state.guard
    return held or now - times.shown < state.guard


def _ticked(state: State, key: str, now: float) -> State:
    times = replace(state.times, at=now, spent=state.times.spent + min(max(0.0, now - state.times.at), IDLE))
    row = BY_NAME.get(key)
    if row is not None and row.decides:
        times = replace(times, pressed=key, pressed_at=now)
    return replace(state, times=times)


def _choose_reason(state: State, key: str) -> Step:
    state = replace(state, mode=Mode.VIEW)
    if key not in DIGITS:
        return acts.told(state, Message("cancelled"))
    reason = REASONS[int(key) - 1]
    return state, Ask(Question.OTHER) if reason is RejectReason.OTHER else acts.rejection(state, reason)


def _reading(choose: Callable[[State, str], Step]) -> Callable[[State, str], Step]:
    """A choice among what is on the screen, which can be scrolled meanwhile."""

    def answer(state: State, key: str) -> Step:
        row = BY_NAME.get(key)
        return _WITH_ITEM[row.act](state) if row and row.act in _SCROLLS else choose(state, key)

    return answer


def _compared(state: State, key: str) -> Step:
    """The comparison can be scrolled; any other key goes back to the case."""
    row = BY_NAME.get(key)
    if row is None or row.act not in _SCROLLS:
        return replace(state, mode=Mode.VIEW, original=None), None
    lines, pages = _SCROLLS[row.act]
    return replace(state, top=max(0, state.top + lines + pages * max(1, state.page - 1))), None


def _view(state: State, key: str) -> Step:
    row = BY_NAME.get(key)
    if row is None:
        return acts.told(state, _unknown(key))
    if row.act in _ALWAYS:
        return _ALWAYS[row.act](state)
    if state.item is None:
        return acts.told(state, Message("nothing_here"))
    if row.act is Act.PIN:
        return groups.pin(state, key)
    return _WITH_ITEM[row.act](state)


def _unknown(key: str) -> Message:
    if key == "paste":
        return Message("paste", tone=Tone.WARN)
    if len(key) == 1 and unicodedata.east_asian_width(key) in "WF":
        return Message("input_method", tone=Tone.WARN)
    return Message("unknown_key", {"key": cap(key)})


def _reject(state: State) -> Step:
    if acts.case_of(state).review_state is ReviewState.REJECTED:
        return acts.told(state, Message("already_rejected"))
    return replace(state, mode=Mode.REJECT), None


def _move(by: int) -> Callable[[State], Step]:
    def move(state: State) -> Step:
        # Behind the end of the queue "previous" is the case that was there last.
        index = state.index + by if state.item else state.index if by < 0 else len(state.order)
        if 0 <= index < len(state.order):
            return state, Open(index, by=by)
        return acts.told(state, Message("last" if by > 0 else "first"))

    return move


def _scroll(lines: int, pages: int) -> Callable[[State], Step]:
    def scroll(state: State) -> Step:
        by = lines + pages * max(1, state.page - 1)
        if state.pane is Pane.FIELDS:
            return replace(state, fields_top=max(0, state.fields_top + by)), None
        return replace(state, source_top=max(0, (state.source_top or 0) + by)), None

    return scroll


def _evidence(by: int) -> Callable[[State], Step]:
    def move(state: State) -> Step:
        count = len(state.item.passages) if state.item else 0
        if count == 0:
            return acts.told(state, Message("no_evidence"))
        focus = (state.focus + by) % count
        return replace(state, focus=focus, source_top=None, offering=False, pane=Pane.SOURCE), None

    return move


def _focus(state: State) -> Step:
    other = Pane.FIELDS if state.pane is Pane.SOURCE else Pane.SOURCE
    return acts.told(replace(state, pane=other), Message(f"focus_{other}"))


def _back(state: State) -> Step:
    """From what was searched to the proposals, and between proposals and evidence where there are both."""
    if state.item is None:
        return state, None
    if state.item.passages and state.offers:
        return replace(state, offering=not state.offering, source_top=None), None
    if state.query:
        return replace(state, offers=state.item.proposals, query="", source_top=None), None
    return state, None


_ALWAYS: dict[Act, Callable[[State], Step]] = {
    Act.UNDO: lambda state: (state, Undo()),
    Act.REDO: lambda state: (state, Redo()),
    Act.NEXT: _move(1),
    Act.PREVIOUS: _move(-1),
    Act.JUMP: lambda state: (state, Ask(Question.JUMP)),
    **walking.ALWAYS,
    Act.HELP: lambda state: (replace(state, mode=Mode.HELP, top=0), None),
    Act.QUIT: lambda state: (replace(state, over=True), None),
}
_SCROLLS: dict[Act, tuple[int, int]] = {
    Act.DOWN: (1, 0),
    Act.UP: (-1, 0),
    Act.PAGE_DOWN: (0, 1),
    Act.PAGE_UP: (0, -1),
}
"""By how many lines and pages."""
_WITH_ITEM: dict[Act, Callable[[State], Step]] = {
    **{act: _scroll(lines, pages) for act, (lines, pages) in _SCROLLS.items()},
    Act.APPROVE: acts.approve,
    Act.REJECT: _reject,
    Act.EDIT: lambda state: (state, Write()),
    Act.NOTE: lambda state: (state, Ask(Question.NOTE)),
    Act.ALTERNATIVE: groups.alternative,
    Act.NEGATIVE: negatives.mark,
    Act.DIFFERENCE: lambda state: (state, Compare()),
    Act.SEARCH: lambda state: (state, Ask(Question.SEARCH)),
    Act.UNANSWERABLE: acts.unanswerable,
    Act.RIGHT: acts.right,
    Act.SKIP: acts.skip,
    Act.EVIDENCE_NEXT: _evidence(1),
    Act.EVIDENCE_PREVIOUS: _evidence(-1),
    Act.FOCUS: _focus,
    Act.BACK: _back,
    **walking.WITH_ITEM,
}
_IN_MODE: dict[Mode, Callable[[State, str], Step]] = {
    Mode.REJECT: _choose_reason,
    Mode.ALTERNATIVE: _reading(groups.choose_alternative),
    Mode.MARK: _reading(negatives.choose),
    Mode.NEGATIVE: negatives.choose_reason,
    Mode.DIFFERENCE: _compared,
    **walking.CHOOSING,
}
"""What a key does where it answers something."""
