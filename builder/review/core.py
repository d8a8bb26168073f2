"""What keys do: `update(state, key, now)` gives the next state and at most one effect. No screen, store or clock."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from builder.model.case import RejectReason, ReviewState
from builder.review import acts
from builder.review.keys import BY_NAME, DIGITS, Act, cap
from builder.review.state import Ask, Message, Mode, Open, Pane, Question, Redo, State, Step, Times, Tone, Undo, Write

IDLE = 120.0
"""Seconds without a key that still count as work."""
GUARD = 0.15
"""Seconds after a new item in which keys that decide are dropped."""
HELD = 4
"""Guards for which the same deciding key must rest: a held key decides once."""
REASONS: tuple[RejectReason, ...] = tuple(RejectReason)
"""Reject reasons in the order of their digits."""


def begin(reviewer: str, order: tuple[str, ...], now: float, guard: float = GUARD) -> Step:
    """The state before the first item, and the wish to see it."""
    times = Times(begun=now, at=now, shown=now)
    state = State(reviewer=reviewer, order=order, guard=guard, times=times)
    return (state, Open(0)) if order else (state, None)


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
        return replace(state, mode=Mode.VIEW), None
    if state.mode is Mode.REJECT:
        return _choose_reason(state, key)
    return _view(state, key)


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


def _view(state: State, key: str) -> Step:
    row = BY_NAME.get(key)
    if row is None:
        return acts.told(state, _unknown(key))
    if row.act in _ALWAYS:
        return _ALWAYS[row.act](state)
    if state.item is None:
        return acts.told(state, Message("nothing_here"))
    if row.act is Act.PIN:
        return acts.pin(state, int(key))
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
            return state, Open(index)
        return acts.told(state, Message("last" if by > 0 else "first"))

    return move


def _scroll(lines: int = 0, pages: int = 0) -> Callable[[State], Step]:
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
    Act.HELP: lambda state: (replace(state, mode=Mode.HELP), None),
    Act.QUIT: lambda state: (replace(state, over=True), None),
}
_WITH_ITEM: dict[Act, Callable[[State], Step]] = {
    Act.APPROVE: acts.approve,
    Act.REJECT: _reject,
    Act.EDIT: lambda state: (state, Write()),
    Act.SEARCH: lambda state: (state, Ask(Question.SEARCH)),
    Act.UNANSWERABLE: acts.unanswerable,
    Act.RIGHT: acts.right,
    Act.SKIP: acts.skip,
    Act.DOWN: _scroll(lines=1),
    Act.UP: _scroll(lines=-1),
    Act.PAGE_DOWN: _scroll(pages=1),
    Act.PAGE_UP: _scroll(pages=-1),
    Act.EVIDENCE_NEXT: _evidence(1),
    Act.EVIDENCE_PREVIOUS: _evidence(-1),
    Act.FOCUS: _focus,
    Act.BACK: _back,
}
