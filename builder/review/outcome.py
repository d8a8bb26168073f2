"""What comes back from an effect, and the state that follows."""

from dataclasses import replace

from builder.model.case import RejectReason, ReviewState
from builder.review.acts import case_of, edit, onward, rejection, told
from builder.review.desk import Item, Passage
from builder.review.state import (
    Commit,
    Doing,
    Find,
    Message,
    Mode,
    Open,
    Pane,
    Question,
    State,
    Step,
    Tone,
    Word,
)


def opened(state: State, index: int, item: Item, now: float) -> State:
    """The state with the case at `index` on the screen."""
    return replace(
        state,
        item=item,
        mode=Mode.VIEW,
        index=index,
        offers=item.proposals,
        offering=not item.passages,
        query="",
        focus=0,
        source_top=None,
        fields_top=0,
        pane=Pane.SOURCE,
        draft="",
        times=replace(state.times, at=now, shown=now, spent=0.0),
    )


def committed(state: State, item: Item, effect: Commit) -> Step:
    """The state after an act was written: a verdict leads on, an edit stays."""
    skipped = tuple(case_id for case_id in state.skipped if case_id != effect.done.case_id)
    done = (*state.done, effect.done)
    state = replace(state, item=item, done=done, undone=(), skipped=skipped, message=effect.said, draft="")
    if effect.done.doing in (Doing.APPROVE, Doing.REJECT):
        return onward(state)
    last = len(item.passages) - 1 if effect.done.doing is Doing.PIN else 0
    offers = state.offers or item.proposals
    return replace(state, offers=offers, offering=not item.passages, focus=max(0, last), source_top=None), None


def failed(state: State, message: Message, draft: str = "") -> State:
    """The state after an effect was refused."""
    return replace(state, message=message, draft=draft or state.draft)


def undone(state: State, case_id: str | None, *, again: bool = False) -> Step:
    """The state after an act was taken back (or done again), and the wish to see its case."""
    if case_id is None:
        return told(state, Message("nothing_to_redo" if again else "nothing_to_undo"))
    key = "redone" if again else "undone"
    source, target = (state.undone, state.done) if again else (state.done, state.undone)
    message = Message(key, {"case": case_id})
    # The last act may be one of an earlier session: then there is nothing to count down.
    if source and source[-1].case_id == case_id:
        message = Message(f"{key}_act", {"case": case_id, "act": Word(f"review.doing.{source[-1].doing}")})
        source, target = source[:-1], (*target, source[-1])
    done, back = (target, source) if again else (source, target)
    order = state.order if case_id in state.order else (*state.order, case_id)
    state = replace(state, done=done, undone=back, message=message, order=order)
    return state, Open(order.index(case_id))


def found(state: State, query: str, passages: tuple[Passage, ...]) -> State:
    """The state after a search."""
    if not passages:
        return failed(state, Message("not_found", {"query": query}, Tone.WARN))
    said = Message("found", {"count": len(passages)})
    return replace(state, offers=passages, query=query, offering=True, source_top=0, pane=Pane.SOURCE, message=said)


def answered(state: State, question: Question, text: str | None) -> Step:
    """What a line of text does; none or an empty one cancels."""
    line = (text or "").strip()
    if not line:
        return told(state, Message("cancelled"))
    if question is Question.SEARCH:
        return state, Find(line)
    if question is Question.OTHER:
        return state, rejection(state, RejectReason.OTHER, line)
    return _jump(state, line)


def written(state: State, changes: dict[str, object], ignored: tuple[str, ...], draft: str) -> Step:
    """What an edited form does: new values by field, fields that were emptied and may not be, the form itself."""
    names = tuple(Word(f"review.field.{name}") for name in changes)
    kept = tuple(Word(f"review.field.{name}") for name in ignored)
    if not changes:
        return told(state, Message("emptied", {"fields": kept}, Tone.WARN) if kept else Message("no_edit"))
    said = Message("edited", {"fields": names})
    said = Message("edited_but", {"fields": names, "kept": kept}, Tone.WARN) if kept else said
    fills = case_of(state).review_state is ReviewState.NEEDS_ANSWER and "ground_truth" in changes
    return state, edit(state, Doing.FILL if fills else Doing.EDIT, changes, said, draft)


def away(state: State, begun: float, now: float) -> State:
    """The state after the user was elsewhere (editor, a line of text) from `begun` to `now`: not reading time."""
    times = state.times
    return replace(state, times=replace(times, at=now, shown=now, editor=times.editor + now - begun))


def painted(state: State, *, source_top: int | None, fields_top: int, page: int) -> State:
    """The state with the places that the view really showed."""
    return replace(state, source_top=source_top, fields_top=fields_top, page=page)


def _jump(state: State, line: str) -> Step:
    """To a number of the queue, or to the one case whose id begins so."""
    if line.isdecimal() and 1 <= int(line) <= len(state.order):
        return state, Open(int(line) - 1)
    fits = [index for index, case_id in enumerate(state.order) if case_id.startswith(line)]
    if len(fits) == 1:
        return state, Open(fits[0])
    return told(state, Message("no_such_case", {"text": line}, Tone.WARN))
