"""What a session did, for the normal screen, so that it stays in the scroll-back."""

from collections import Counter
from dataclasses import dataclass

from builder.model.verdict import Verdict
from builder.review.answers.state import State
from builder.review.strip import flat
from builder.text.screen import cells
from builder.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of one session; what was taken back is not in them."""

    reviewer: str
    run: str
    minutes: int
    counts: tuple[tuple[Verdict, int], ...]
    """Answers by verdict, in the order of the verdicts."""
    skipped: int
    left: int
    """Answers of the queue without a verdict."""


def summarize(state: State, now: float) -> Summary:
    """The summary of a session that ends at `now`."""
    counts = Counter(state.verdicts.values())
    return Summary(
        reviewer=state.reviewer,
        run=state.run,
        minutes=max(1, round((now - state.times.begun) / 60)),
        counts=tuple((verdict, counts[verdict]) for verdict in Verdict if counts[verdict]),
        skipped=len(state.skipped),
        left=sum(key not in state.verdicts for key in state.order),
    )


def lines(summary: Summary, say: Words) -> tuple[str, ...]:
    """The summary as lines of text."""
    head = say("answers.summary.head", run=flat(summary.run), reviewer=flat(summary.reviewer), minutes=summary.minutes)
    rows = [(say(f"answers.verdict.{verdict}"), count) for verdict, count in summary.counts]
    rows += [(say("answers.summary.skipped"), summary.skipped)] if summary.skipped else []
    rows.append((say("answers.summary.left"), summary.left))
    column = max(cells(label) for label, _ in rows) + 2
    shown = [f"   {label}{' ' * (column - cells(label))}{count:>4}" for label, count in rows]
    return (f" {head}", "", *shown, "", f" {say('answers.summary.saved')}")
