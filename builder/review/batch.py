"""One decision about all cases of the filter: reject or skip only, and the count must be typed."""

from dataclasses import replace

from builder.model.case import RejectReason
from builder.model.decision import Action, Decision
from builder.review.acts import onward, told, warned
from builder.review.keys import DIGITS
from builder.review.state import (
    Ask,
    Batch,
    Doing,
    Done,
    Message,
    Mode,
    Question,
    State,
    Step,
    Sweep,
    Word,
)
from builder.review.strip import Strip, apart, fit, flat
from builder.words import Words

_REASONS: tuple[RejectReason, ...] = tuple(RejectReason)


def begin(state: State) -> Step:
    """Gather the cases of the filter that still wait and that nobody else looks at."""
    if not state.expression:
        return warned(state, "batch_no_filter")
    decided, held = state.verdicts, set(state.held)
    case_ids = tuple(one for one in state.order if one not in decided and one not in held)
    if not case_ids:
        return warned(state, "batch_empty")
    return replace(state, mode=Mode.BATCH, batch=Batch(case_ids=case_ids)), None


def choose(state: State, key: str) -> Step:
    """Reject or skip."""
    if key in ("x", "delete"):
        return replace(state, mode=Mode.BATCH_REASON), None
    if key in ("s", "space") and state.batch:
        return _count(state, replace(state.batch, skip=True))
    return cancelled(state)


def choose_reason(state: State, key: str) -> Step:
    """Why all of them are rejected."""
    if key not in DIGITS or state.batch is None:
        return cancelled(state)
    batch = replace(state.batch, reason=_REASONS[int(key) - 1])
    if batch.reason is RejectReason.OTHER:
        return replace(state, mode=Mode.VIEW, batch=batch), Ask(Question.BATCH_OTHER)
    return _count(state, batch)


def worded(state: State, line: str) -> Step:
    """The other reason, in words."""
    if not line or state.batch is None:
        return cancelled(state)
    return _count(state, replace(state.batch, text=line))


def counted(state: State, line: str) -> Step:
    """The number of cases was typed: only the right one does it."""
    batch = state.batch
    if not line or batch is None:
        return cancelled(state)
    state = replace(state, batch=None)
    if line != str(len(batch.case_ids)):
        return warned(state, "batch_count", typed=line, count=len(batch.case_ids))
    return _skipped(state, batch) if batch.skip else (state, Sweep(batch))


def decision(batch: Batch) -> Decision:
    """What is done to each case."""
    return Decision(action=Action.REJECT, reason=batch.reason, text=batch.text)


def swept(state: State, batch: Batch, case_ids: tuple[str, ...]) -> Step:
    """The state after `case_ids` were rejected as one act; the others of the batch were decided by somebody else."""
    if not case_ids:
        return warned(state, "batch_late")
    done = Done(case_id=case_ids[0], others=case_ids[1:], doing=Doing.REJECT, reason=batch.reason)
    values = {"count": len(case_ids), "reason": Word(f"reject.{batch.reason}")}
    said = Message("batch_rejected", values)
    if left := len(batch.case_ids) - len(case_ids):
        said = Message("batch_rejected_but", values | {"left": left})
    gone = set(case_ids)
    skipped = tuple(one for one in state.skipped if one not in gone)
    return onward(replace(state, done=(*state.done, done), undone=(), skipped=skipped, message=said))


def cancelled(state: State) -> Step:
    """Nothing is done."""
    return told(replace(state, mode=Mode.VIEW, batch=None), Message("cancelled"))


def lines(state: State, say: Words, width: int) -> list[Strip]:
    """How many cases there are, the first of them, and what can be done."""
    case_ids = state.batch.case_ids if state.batch else ()
    head = ((f" {say('review.batch.title', count=len(case_ids))}", "reject"),)
    shown = f" {flat(state.expression)}: {' '.join(map(flat, case_ids[:20]))}"
    keys: Strip = ((" ", ""),)
    for key, word in (("x", say("review.key.reject")), ("s", say("review.key.skip")), ("Esc", say("review.cancel"))):
        keys += ((key, "key"), (f" {word}   ", ""))
    return [
        fit(head, width),
        fit(((shown, "dim"),), width),
        apart(keys, ((f"{say('review.batch.note')} ", "dim"),), width),
    ]


def _count(state: State, batch: Batch) -> Step:
    return replace(state, mode=Mode.VIEW, batch=batch), Ask(Question.BATCH_COUNT)


def _skipped(state: State, batch: Batch) -> Step:
    gone = set(batch.case_ids)
    skipped = (*(one for one in state.skipped if one not in gone), *batch.case_ids)
    said = Message("batch_skipped", {"count": len(batch.case_ids)})
    return onward(replace(state, skipped=skipped, message=said))
