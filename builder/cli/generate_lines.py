"""What builder generate prints: plan before, result after, failures last."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from builder.cli.console import Console
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.app.batch import Collected, Sent
    from builder.app.generate import GenerationPlan, GenerationReport

_NOTHING_THERE = "empty"
"""Counted among the drops, but nothing was dropped: the writer found nothing to ask."""
_BUDGETS = ("budget_tokens", "budget_cost", "max_calls")
"""A run that one of these stopped did what it was asked."""


def show_plan(console: Console, plan: "GenerationPlan") -> None:
    """Print what a run is about to do."""
    console.talk(
        "generate.plan",
        **plan.model_dump(exclude={"held_back", "bound_by", "review_seconds", "rows"}),
        tokens=plan.prompt_tokens + plan.completion_tokens,
        bound=console.say(f"generate.bound.{plan.bound_by}"),
        minutes=-(-plan.review_seconds // 60),
    )
    for row in plan.rows:
        console.talk("generate.plan_row", **row.model_dump(exclude={"name"}), name=_kind(console, row.name))
    if plan.cost is not None:
        console.talk("generate.cost", cost=plan.cost)
    if plan.held_back:
        held = sum(plan.held_back.values())
        console.talk("generate.held_back", chunks=held, documents=", ".join(sorted(plan.held_back)))


def show_report(console: Console, report: "GenerationReport") -> None:
    """Print what a run did; failures last."""
    if not (report.plan.calls or report.verified):
        console.out("generate.nothing_to_do")
        return
    counts = ("kept", "calls", "reused", "prompt_tokens", "completion_tokens")
    console.out("generate.done", **{name: getattr(report, name) for name in counts})
    if report.plan.rows:
        names = [(_kind(console, row.question_type), _style(console, row.style)) for row in report.rows]
        rows = [(*name, row.kept, row.warned) for name, row in zip(names, report.rows, strict=True)]
        console.table(("type", "style", "kept", "warned"), rows, right=(2, 3))
    if report.verified:
        console.out("generate.verified", calls=report.verified)
    if report.unverified:
        console.talk("generate.unverified", cases=report.unverified)
    if report.duplicates:
        console.out("generate.duplicates", cases=report.duplicates)
    _drops(console, report.dropped)
    _failures(console, report)


def _drops(console: Console, drops: Mapping[str, int]) -> None:
    for reason, count in sorted(drops.items()):
        if reason == _NOTHING_THERE:
            console.out("generate.nothing_there", chunks=count)
            continue
        console.out("generate.dropped", count=count, reason=console.say(f"generate.drop.{reason}"))


def _failures(console: Console, report: "GenerationReport") -> None:
    if report.skipped_claimed:
        console.talk("generate.claimed", calls=report.skipped_claimed)
    for reason, (count, detail) in sorted(report.failed.items()):
        console.talk("generate.failed", count=count, reason=console.say(f"generate.failure.{reason}"), detail=detail)
    if report.stopped in _BUDGETS:
        console.talk(f"generate.stopped.{report.stopped}")
    if report.stopped or report.failed:
        console.talk("generate.resume", left=report.not_started + sum(count for count, _ in report.failed.values()))


def show_rest(console: Console, report: "GenerationReport") -> None:
    """Print what a preview says of the whole run."""
    plan = report.plan
    seen = report.calls + report.reused
    console.out("generate.previewed", kept=report.kept, calls=seen)
    _drops(console, report.dropped)
    console.out(
        "generate.rest",
        calls=plan.calls,
        tokens=plan.prompt_tokens + plan.completion_tokens,
        kept=plan.calls * report.kept // max(1, seen),
        minutes=-(-plan.review_seconds // 60),
    )
    if plan.cost is not None:
        console.out("generate.cost", cost=plan.cost)
    _failures(console, report)


def show_sent(console: Console, sent: "Sent") -> None:
    """Print what went out."""
    if sent.file:
        console.out("generate.batch_file", requests=sent.requests, file=sent.file)
    else:
        console.out("generate.batch_sent", requests=sent.requests, batches=", ".join(sent.batches) or "-")


def show_collected(console: Console, back: "Collected") -> None:
    """Print what came back; failures last."""
    console.out("generate.collected", kept=back.kept, replies=back.replies, known=back.known)
    _drops(console, back.dropped)
    for name in ("unknown", "unreadable", "gone", "waiting"):
        if count := getattr(back, name):
            console.talk(f"generate.batch.{name}", count=count)
    for reason, count in sorted(back.failed.items()):
        console.talk("generate.batch_failed", count=count, reason=reason)


def exit_code(report: "GenerationReport") -> ExitCode:
    """4: no call came through, or none can; 1: calls were answered and nothing was kept."""
    if report.every_call_failed or (report.stopped and report.stopped not in _BUDGETS):
        return ExitCode.OUTSIDE
    nothing = report.calls + report.reused > 0 and report.kept == 0 and not report.verified
    return ExitCode.FAILURE if nothing else ExitCode.DONE


def collected_code(back: "Collected") -> ExitCode:
    """4: every request failed; 1: replies came and nothing was kept."""
    if back.failed and not back.replies:
        return ExitCode.OUTSIDE
    return ExitCode.FAILURE if back.replies and not back.kept else ExitCode.DONE


def _kind(console: Console, name: str) -> str:
    for key in (f"review.type.{name}", f"review.style.{name}"):
        try:
            return console.say(key)
        except KeyError:
            continue
    return name


def _style(console: Console, name: str) -> str:
    return console.say(f"review.style.{name}")
