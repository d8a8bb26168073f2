"""The acts that a person can do to a case, as commits; and what is said where one cannot be done."""

from dataclasses import replace
from itertools import chain

from builder.model.case import Case, RejectReason, ReviewState, Status
from builder.model.decision import Action, Decision
from builder.review.state import Commit, Doing, Done, Draft, Message, Open, State, Step, Tone, Word

WRONG_DOWNVOTE = "wrong_downvote"
"""Tag of a feedback case whose complaint was wrong."""


def told(state: State, message: Message) -> Step:
    """Nothing is done but to say why."""
    return replace(state, message=message), None


def warned(state: State, key: str, **values: object) -> Step:
    """As `told`, as a warning."""
    return told(state, Message(key, values, Tone.WARN))


def case_of(state: State) -> Case:
    """The case at hand.

    Raises:
        ValueError: nothing is on the screen: a defect of the caller.
    """
    if state.item is None:
        raise ValueError("no case at hand")
    return state.item.case


def lacking(state: State) -> tuple[str, ...]:
    """Fields without which the case at hand cannot be approved. Evidence may be empty."""
    case = case_of(state)
    named = tuple(name for name in (state.item.missing if state.item else ()) if name != "evidence")
    return named or (() if case.complete else ("ground_truth",) if case.question.strip() else ("question",))


def approve(state: State) -> Step:
    """Approve, or say what is missing."""
    case = case_of(state)
    if missing := lacking(state):
        return warned(state, "incomplete", fields=tuple(Word(f"review.field.{name}") for name in missing))
    restore = (Decision(action=Action.RESTORE),) if case.review_state is ReviewState.REJECTED else ()
    return state, Commit(
        decisions=(*restore, Decision(action=Action.APPROVE)),
        done=_done(state, Doing.APPROVE),
        said=Message("approved", {"case": case.case_id}),
    )


def right(state: State) -> Step:
    """Approve a feedback case whose complaint was wrong; a person's answer, or 文档无答案, comes first."""
    case = case_of(state)
    if not case.rejected_output:
        return warned(state, "not_feedback")
    if not case.complete:
        return warned(state, "right_needs_answer")
    state, effect = approve(state)
    if not isinstance(effect, Commit):
        return state, effect
    tags = tuple(dict.fromkeys((*case.tags, WRONG_DOWNVOTE)))
    tag = Decision(action=Action.EDIT, changes={"tags": tags})
    said = Message("right", {"case": case.case_id})
    return state, replace(effect, decisions=(tag, *effect.decisions), said=said)


def rejection(state: State, reason: RejectReason, text: str = "") -> Commit:
    """Reject with a reason."""
    return Commit(
        decisions=(Decision(action=Action.REJECT, reason=reason, text=text),),
        done=_done(state, Doing.REJECT, reason),
        said=Message("rejected", {"case": case_of(state).case_id, "reason": Word(f"reject.{reason}")}),
    )


def unanswerable(state: State) -> Step:
    """Mark that the documents do not hold the answer; where that was said before this session, that they do."""
    case = case_of(state)
    if not case.answerable:
        return _answerable(state)
    # Answer, claims and evidence contradict the verdict; they stay in the case's history.
    changes: dict[str, object] = {"answerable": False, "acceptable_status": (Status.REFUSE,)}
    changes |= {"ground_truth": "", "claims": (), "evidence_groups": ()}
    news = {name: value for name, value in changes.items() if getattr(case, name) != value}
    return state, edit(state, Doing.UNANSWERABLE, news, Message("unanswerable"))


def _answerable(state: State) -> Step:
    case = case_of(state)
    if any(done.case_id == case.case_id and done.doing is Doing.UNANSWERABLE for done in state.done):
        return told(state, Message("already_unanswerable"))
    changes: dict[str, object] = {"answerable": True}
    changes |= {"acceptable_status": ()} if case.acceptable_status == (Status.REFUSE,) else {}
    return state, edit(state, Doing.ANSWERABLE, changes, Message("answerable"))


def note(state: State, line: str) -> Commit:
    """Add a line to the note."""
    text = "\n".join(part for part in (case_of(state).note.rstrip(), line) if part)
    return edit(state, Doing.NOTE, {"note": text}, Message("noted"))


def skip(state: State) -> Step:
    """Decide nothing; it comes back when all others are done."""
    case_id = case_of(state).case_id
    skipped = (*(other for other in state.skipped if other != case_id), case_id)
    return onward(replace(state, skipped=skipped, message=Message("skipped", {"case": case_id})))


def edit(state: State, doing: Doing, changes: dict[str, object], said: Message, draft: Draft | None = None) -> Commit:
    """Change fields of the case at hand."""
    decision = Decision(action=Action.EDIT, changes=changes)
    return Commit(decisions=(decision,), done=_done(state, doing), said=said, draft=draft)


def onward(state: State) -> Step:
    """To the next case that waits, then to the skipped ones, then to the end; past those that others look at."""
    order, here = state.order, min(state.index + 1, len(state.order))
    passed = {*state.verdicts, *state.skipped, *state.held}
    ring = chain(range(here, len(order)), range(here))
    target = next((place for place in ring if order[place] not in passed), None)
    if target is None:
        again = set(state.skipped) - set(state.held)
        ring = chain(range(here, len(order)), range(here))
        target = next((place for place in ring if order[place] in again), None) if again else None
    return (state, Open(target, by=1)) if target is not None else (replace(state, item=None), None)


def _done(state: State, doing: Doing, reason: RejectReason | None = None) -> Done:
    return Done(case_id=case_of(state).case_id, doing=doing, reason=reason, seconds=state.times.spent)
