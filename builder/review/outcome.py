"""What comes back from an effect, and the state that follows."""

from dataclasses import replace

from builder.model.case import Case, RejectReason, ReviewState
from builder.review import blind
from builder.review.acts import case_of, edit, note, onward, rejection, told
from builder.review.compared import changed
from builder.review.desk import Item, Passage
from builder.review.form import Edit
from builder.review.state import (
    Commit,
    Doing,
    Draft,
    Find,
    Message,
    Mode,
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
        picked=None,
        original=None,
        times=replace(state.times, at=now, shown=now, spent=0.0),
    )


def committed(state: State, item: Item, effect: Commit) -> Step:
    """The state after an act was written: a verdict leads on, an edit stays."""
    before = case_of(state)
    skipped = tuple(case_id for case_id in state.skipped if case_id != effect.done.case_id)
    waits = item.case.review_state in (ReviewState.UNREVIEWED, ReviewState.NEEDS_ANSWER)
    done = (*state.done, replace(effect.done, waits=waits))
    state = replace(state, item=item, done=done, undone=(), skipped=skipped, message=effect.said)
    if effect.done.doing in (Doing.APPROVE, Doing.REJECT):
        return onward(state)
    if effect.done.doing in (Doing.NOTE, Doing.NEGATIVE):
        return state, None
    offers = state.offers or item.proposals
    focus = _focus(before, item.case, state.focus)
    return replace(state, offers=offers, offering=not item.passages, focus=focus, source_top=None), None


def _focus(before: Case, after: Case, place: int) -> int:
    """Where to look after an edit: at the evidence that came in, else at the piece that was in focus."""
    fresh = [number for number, one in enumerate(after.evidence) if one not in before.evidence]
    if fresh:
        return fresh[-1]
    kept = before.evidence[place] if place < len(before.evidence) else None
    if kept in after.evidence:
        return after.evidence.index(kept)
    return max(0, min(place, len(after.evidence) - 1))


def failed(state: State, message: Message, draft: Draft | None = None) -> State:
    """The state after an effect was refused; what was typed is kept."""
    state = replace(state, message=message)
    return drafted(state, draft) if draft else state


def drafted(state: State, draft: Draft | None) -> State:
    """The state with another draft for the case at hand, or none."""
    case_id = case_of(state).case_id
    others = {name: one for name, one in state.drafts.items() if name != case_id}
    return replace(state, drafts=others | ({case_id: draft} if draft else {}))


def compared(state: State, original: Case) -> Step:
    """The case at hand beside what was first written, where they differ."""
    beside = replace(state, mode=Mode.DIFFERENCE, original=original, top=0)
    return (beside, None) if changed(beside) else told(state, Message("no_difference"))


def found(state: State, query: str, passages: tuple[Passage, ...]) -> State:
    """The state after a search."""
    if not passages:
        return failed(state, Message("not_found", {"query": query}, Tone.WARN))
    said = Message("found", {"count": len(passages)})
    return replace(state, offers=passages, query=query, offering=True, source_top=0, pane=Pane.SOURCE, message=said)


def answered(state: State, question: Question, text: str | None) -> Step:
    """What a line of text does to the case at hand; none or an empty one cancels."""
    line = (text or "").strip()
    if not line:
        return told(state, Message("cancelled"))
    if question is Question.SEARCH:
        return state, Find(line)
    if question is Question.OTHER:
        return state, rejection(state, RejectReason.OTHER, line)
    return state, note(state, line)


def written(state: State, news: Edit, draft: Draft) -> Step:
    """What an edited form does; one that cannot be read is kept, to be put right."""
    if news.faults:
        return failed(state, news.faults[0], draft), None
    state = drafted(state, None)
    changes, ignored = blind.with_note(case_of(state), state, news.changes), news.emptied
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


def painted(state: State, *, source_top: int | None, fields_top: int, page: int, top: int = 0) -> State:
    """The state with the places that the view really showed."""
    return replace(state, source_top=source_top, fields_top=fields_top, page=page, top=top)
