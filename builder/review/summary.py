"""What a session did, for the normal screen, so that it stays in the scroll-back."""

from collections import Counter
from dataclasses import dataclass
from statistics import median

from builder.model.case import RejectReason
from builder.review.state import Doing, State
from builder.review.strip import flat
from builder.text.screen import cells
from builder.words import Words

_LABEL = 10
"""Cells of the label column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of one session; what was taken back is not in them."""

    reviewer: str
    """Who decided."""
    minutes: int
    """Length of the session without the editor."""
    editor_minutes: int
    """Minutes in the editor."""
    approved: int
    """Cases approved."""
    edited: int
    """Of these: edited before."""
    rejected: int
    """Cases rejected."""
    reasons: tuple[tuple[RejectReason, int], ...]
    """Reject reasons, the most frequent first."""
    skipped: int
    """Cases skipped and not decided."""
    filled: int
    """Answers written where one was missing."""
    typical: int | None
    """Median seconds of a decision."""
    left: int
    """Cases of the queue that still wait."""


def summarize(state: State, now: float) -> Summary:
    """The summary of a session that ends at `now`."""
    verdicts = state.verdicts
    approved = {case_id for case_id, doing in verdicts.items() if doing is Doing.APPROVE}
    changed = {done.case_id for done in state.done if done.doing not in (Doing.APPROVE, Doing.REJECT)}
    last = {done.case_id: done.reason for done in state.done}
    reasons = Counter(reason for case_id, reason in last.items() if reason and case_id in verdicts)
    seconds = [done.seconds for done in state.done if done.doing in (Doing.APPROVE, Doing.REJECT)]
    return Summary(
        reviewer=state.reviewer,
        minutes=max(1, round((now - state.times.begun - state.times.editor) / 60)),
        editor_minutes=round(state.times.editor / 60),
        approved=len(approved),
        edited=len(approved & changed),
        rejected=len(verdicts) - len(approved),
        reasons=tuple(reasons.most_common()),
        skipped=len(state.skipped),
        filled=len({done.case_id for done in state.done if done.doing is Doing.FILL}),
        typical=round(median(seconds)) if seconds else None,
        left=sum(case_id not in verdicts for case_id in state.order),
    )


def lines(summary: Summary, say: Words) -> tuple[str, ...]:
    """The summary as lines of text."""
    head = say("review.summary.head", reviewer=flat(summary.reviewer), minutes=summary.minutes)
    head += say("review.summary.editor", minutes=summary.editor_minutes) if summary.editor_minutes else ""
    rows = [
        ("approved", summary.approved, say("review.summary.of_these", count=summary.edited) if summary.edited else ""),
        ("rejected", summary.rejected, _reasons(summary, say)),
        ("skipped", summary.skipped, say("review.summary.come_back") if summary.skipped else ""),
        ("filled", summary.filled, ""),
        ("left", summary.left, ""),
    ]
    rows = [row for row in rows if row[1] or row[0] not in ("skipped", "filled")]
    shown = [_row(say(f"review.summary.{key}"), str(count), note) for key, count, note in rows]
    if summary.typical is not None:
        shown.append(_row(say("review.summary.pace"), "", say("review.summary.typical", seconds=summary.typical)))
    closing = [say("review.summary.saved"), *([say("review.summary.next")] if summary.left else [])]
    return (f" {head}", "", *shown, "", *(f" {line}" for line in closing))


def _reasons(summary: Summary, say: Words) -> str:
    named = (f"{say(f'reject.{reason}')} {count}" for reason, count in summary.reasons)
    return say("review.comma").join(named)


def _row(label: str, count: str, note: str) -> str:
    return f"   {label}{' ' * max(1, _LABEL - cells(label))}{count:>4}   {note}".rstrip()
