"""What a session did, for the normal screen, so that it stays in the scroll-back."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from builder.model.case import RejectReason
from builder.review.state import Doing, State
from builder.review.strip import flat
from builder.text.screen import cells
from builder.words import Words

_LABEL = 10
"""Cells of the label column."""
_READ = 20
"""Characters a second that nobody reads faster: a decision after less time is worth a second look."""
_NAMED = 10
"""Cases that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of one session; what was taken back is not in them."""

    reviewer: str
    """Who decided."""
    begun: datetime
    """When it began."""
    ended: datetime
    """When it ended."""
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
    incomplete: tuple[int, int]
    """Cases of the dataset that lacked their answer, before and after."""
    filled: int
    """Answers written where one was missing."""
    typical: int | None
    """Median seconds of a decision."""
    fast: tuple[str, ...]
    """Cases that were decided in less time than it takes to read them."""
    left: int
    """Cases of the queue that still wait."""


def summarize(
    state: State, now: float, *, begun: datetime, ended: datetime, incomplete: tuple[int, int] = (0, 0)
) -> Summary:
    """The summary of a session that ends at `now`; the times of day are only told."""
    verdicts = state.verdicts
    approved = {case_id for case_id, doing in verdicts.items() if doing is Doing.APPROVE}
    changed = {done.case_id for done in state.done if done.doing not in (Doing.APPROVE, Doing.REJECT)}
    rejections = [done for done in state.done if done.doing is Doing.REJECT]
    last = {case_id: done.reason for done in rejections for case_id in (done.case_id, *done.others)}
    reasons = Counter(reason for case_id, reason in last.items() if reason and verdicts.get(case_id) is Doing.REJECT)
    looked = [done for done in state.done if done.doing in (Doing.APPROVE, Doing.REJECT) and not done.others]
    seconds = [done.seconds for done in looked]
    fast = {done.case_id: done.seconds < done.length / _READ for done in looked}
    return Summary(
        reviewer=state.reviewer,
        begun=begun,
        ended=ended,
        minutes=max(1, round((now - state.times.begun - state.times.editor) / 60)),
        editor_minutes=round(state.times.editor / 60),
        approved=len(approved),
        edited=len(approved & changed),
        rejected=len(verdicts) - len(approved),
        reasons=tuple(reasons.most_common()),
        skipped=len(state.skipped),
        incomplete=incomplete,
        filled=len({done.case_id for done in state.done if done.doing is Doing.FILL}),
        typical=round(median(seconds)) if seconds else None,
        fast=tuple(case_id for case_id, quick in fast.items() if quick and case_id in verdicts),
        left=sum(case_id not in verdicts for case_id in state.order),
    )


def lines(summary: Summary, say: Words, store: str = "") -> tuple[str, ...]:
    """The summary as lines of text; `store` is where the decisions are."""
    time = f"{summary.begun:%Y-%m-%d %H:%M}-{summary.ended:%H:%M}"
    head = say("review.summary.head", reviewer=flat(summary.reviewer), time=time, minutes=summary.minutes)
    head += say("review.summary.editor", minutes=summary.editor_minutes) if summary.editor_minutes else ""
    rows = [
        ("approved", summary.approved, say("review.summary.of_these", count=summary.edited) if summary.edited else ""),
        ("rejected", summary.rejected, _reasons(summary, say)),
        ("skipped", summary.skipped, say("review.summary.come_back") if summary.skipped else ""),
        ("filled", summary.filled, _incomplete(summary, say)),
        ("left", summary.left, _left(summary, say)),
    ]
    rows = [row for row in rows if row[1] or row[0] not in ("skipped", "filled")]
    shown = [_row(say(f"review.summary.{key}"), str(count), note) for key, count, note in rows]
    if summary.typical is not None:
        shown.insert(-1, _row(say("review.summary.pace"), "", say("review.summary.typical", seconds=summary.typical)))
    if summary.fast:
        named = " ".join(summary.fast[:_NAMED]) + (" …" if len(summary.fast) > _NAMED else "")
        shown.insert(-1, _row("", "", say("review.summary.fast", count=len(summary.fast), cases=named)))
    saved = say("review.summary.saved_in", store=store) if store else say("review.summary.saved")
    closing = [saved, *([say("review.summary.next")] if summary.left else [])]
    return (f" {head}", "", *shown, "", *(f" {line}" for line in closing))


def _reasons(summary: Summary, say: Words) -> str:
    named = (f"{say(f'reject.{reason}')} {count}" for reason, count in summary.reasons)
    return say("review.comma").join(named)


def _incomplete(summary: Summary, say: Words) -> str:
    before, after = summary.incomplete
    return say("review.summary.incomplete", before=before, after=after) if before else ""


def _left(summary: Summary, say: Words) -> str:
    if not summary.left or not summary.typical:
        return ""
    return say("review.summary.time_left", minutes=max(1, round(summary.left * summary.typical / 60)))


def _row(label: str, count: str, note: str) -> str:
    return f"   {label}{' ' * max(1, _LABEL - cells(label))}{count:>4}   {note}".rstrip()
