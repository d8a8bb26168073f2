"""The walk through the queue: filter, jump, batch, undo, cases that others look at, blind review."""

from collections.abc import Callable
from dataclasses import replace

from builder.review import acts, batch, blind, clash, filters, outcome
from builder.review.desk import Item
from builder.review.keys import BY_ACT, Act
from builder.review.state import (
    Ask,
    Look,
    Message,
    Mode,
    Open,
    Question,
    Seek,
    State,
    Step,
    Tone,
    Word,
)

_TURNING = frozenset(
    (*BY_ACT[Act.HELP].names, *BY_ACT[Act.DOWN].names, *BY_ACT[Act.PAGE_DOWN].names, *BY_ACT[Act.NEXT].names)
)
"""Keys that turn the page."""


def arrived(state: State, index: int, item: Item, held: tuple[str, ...], now: float) -> State:
    """The state with the case at `index` on the screen; `held` are those that others look at."""
    state = outcome.opened(state, index, item, now)
    state = replace(state, revealed=False, batch=None, clash=None, held=held)
    if item.held_by:
        said = Message("held", {"case": item.case.case_id, "who": item.held_by}, Tone.WARN)
        state = replace(state, message=said)
    return state


def passed(state: State, index: int, case_id: str, by: int) -> Step:
    """Past a case that somebody else looks at: on to the next one, or back to the one before."""
    state = replace(state, held=(*state.held, case_id))
    if by < 0:
        before = (place for place in range(index - 1, -1, -1) if state.order[place] not in state.held)
        target = next(before, None)
        return (state, Open(target, by=-1)) if target is not None else acts.told(state, Message("first"))
    here = replace(state, index=index)
    return acts.onward(here)


def sought(state: State, item: Item) -> Step:
    """A case that is not in the queue joins it at the end."""
    return replace(state, order=(*state.order, item.case.case_id)), Open(len(state.order))


def undone(state: State, case_ids: tuple[str, ...], *, again: bool = False) -> Step:
    """The state after an act was taken back (or done again), and the wish to see its first case."""
    if not case_ids:
        return acts.told(state, Message("nothing_to_redo" if again else "nothing_to_undo"))
    key = "redone" if again else "undone"
    source, target = (state.undone, state.done) if again else (state.done, state.undone)
    first = case_ids[0]
    message = Message(key, {"case": first})
    # The last act may be one of an earlier session: then there is nothing to count down.
    if source and first in (source[-1].case_id, *source[-1].others):
        last = source[-1]
        message = Message(f"{key}_act", {"case": first, "act": Word(f"review.doing.{last.doing}")})
        if left := len(last.others) + 1 - len(case_ids):
            message = Message(f"{key}_but", {"count": len(case_ids), "left": left}, Tone.WARN)
        source, target = source[:-1], (*target, last)
    if len(case_ids) > 1 and message.key in (key, f"{key}_act"):
        message = Message(f"{key}_batch", {"count": len(case_ids)})
    done, back = (target, source) if again else (source, target)
    order = state.order if first in state.order else (*state.order, first)
    return replace(state, done=done, undone=back, message=message, order=order), Open(order.index(first))


def jumped(state: State, line: str) -> Step:
    """To a number of the queue, to the one case of it whose id begins so, or to any case by its whole id."""
    if not line:
        return acts.told(state, Message("cancelled"))
    if line.isdecimal():
        inside = 1 <= int(line) <= len(state.order)
        return (state, Open(int(line) - 1)) if inside else unknown(state, line)
    fits = [index for index, case_id in enumerate(state.order) if case_id.startswith(line)]
    return (state, Open(fits[0])) if len(fits) == 1 else (state, Seek(line))


def turned(state: State, key: str) -> Step:
    """The next page of what stands in place of the case, or back to the case."""
    if key in _TURNING and state.more:
        return replace(state, top=state.top + state.page), None
    return replace(clash.closed(state), top=0), None


def unknown(state: State, text: str) -> Step:
    """There is no such case."""
    return acts.warned(state, "no_such_case", text=text)


def _picture(state: State) -> Step:
    if state.item is None or not (state.item.passages or state.offers):
        return acts.told(state, Message("no_evidence"))
    return state, Look()


def _reveal(state: State) -> Step:
    return (blind.revealed(state), None) if state.blind else acts.told(state, Message("not_blind"))


ALWAYS: dict[Act, Callable[[State], Step]] = {
    Act.FILTER: lambda state: (state, Ask(Question.FILTER)),
    Act.BATCH: batch.begin,
}
"""Keys that need no case on the screen."""

WITH_ITEM: dict[Act, Callable[[State], Step]] = {Act.PICTURE: _picture, Act.REVEAL: _reveal}
"""Keys that need one."""

CHOOSING: dict[Mode, Callable[[State, str], Step]] = {
    Mode.BATCH: batch.choose,
    Mode.BATCH_REASON: batch.choose_reason,
    Mode.CLASH: turned,
}
"""What a key does while something is chosen or shown in place of the case."""

ANSWERS: dict[Question, Callable[[State, str], Step]] = {
    Question.JUMP: jumped,
    Question.FILTER: filters.asked,
    Question.BATCH_OTHER: batch.worded,
    Question.BATCH_COUNT: batch.counted,
}
"""What a typed line does; an empty one too."""
