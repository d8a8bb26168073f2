"""What comes back from an effect, and the state that follows."""

from dataclasses import replace

from builder.review.answers.core import jumped, noted, onward, told
from builder.review.answers.desk import Answer, Key
from builder.review.answers.state import Judge, Open, Pane, Question, State, Step
from builder.review.state import Message

_CLEAR = "-"
"""A note of this takes the note away."""


def opened(state: State, index: int, item: Answer, now: float) -> State:
    """The state with the answer at `index` on the screen."""
    state = replace(
        state,
        item=item,
        helping=False,
        index=index,
        pane=Pane.CONTEXT,
        focus=-1,
        context_top=None,
        fields_top=0,
        claims_from=0,
        times=replace(state.times, at=now, shown=now, spent=0.0),
    )
    return _counted(state)


def judged(state: State, item: Answer, effect: Judge) -> Step:
    """The state after something was written: a verdict leads on, a claim or a note stays."""
    key = state.order[state.index]
    skipped = tuple(other for other in state.skipped if other != key)
    state = _counted(replace(state, item=item, message=effect.said, skipped=skipped))
    return onward(state) if effect.onward else (state, None)


def undone(state: State, key: Key | None, *, again: bool = False) -> Step:
    """The state after an act was taken back (or done again), and the wish to see its answer."""
    if key is None:
        return told(state, "nothing_to_redo" if again else "nothing_to_undo")
    order = state.order if key in state.order else (*state.order, key)
    message = Message("redone" if again else "undone", {"case": key.case_id})
    return replace(state, order=order, message=message), Open(order.index(key))


def failed(state: State, message: Message) -> State:
    """The state after an effect was refused."""
    return replace(state, message=message)


def answered(state: State, question: Question, text: str | None) -> Step:
    """What a line of text does; none or an empty one cancels."""
    line = (text or "").strip()
    if not line:
        return told(state, "cancelled")
    if question is Question.NOTE:
        return noted(state, "" if line == _CLEAR else line)
    return jumped(state, line)


def away(state: State, now: float) -> State:
    """The state after the user typed a line until `now`: not reading time."""
    return replace(state, times=replace(state.times, at=now, shown=now))


def painted(state: State, *, context_top: int | None, fields_top: int, page: int) -> State:
    """The state with the places that the view really showed."""
    return replace(state, context_top=context_top, fields_top=fields_top, page=page)


def _counted(state: State) -> State:
    """The verdicts, with the one on the answer at hand."""
    key = state.order[state.index]
    others = {other: verdict for other, verdict in state.verdicts.items() if other != key}
    verdict = state.item.mine.verdict if state.item and state.item.mine else None
    return replace(state, verdicts=others if verdict is None else others | {key: verdict})
