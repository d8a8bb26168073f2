"""builder generate."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Bar, Console, session
from builder.cli.options import Dataset, DryRun, Json, Lang, Yes
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.app.generate import GenerationPlan, GenerationReport

_NOTHING_THERE = "empty"
"""Counted among the drops, but nothing was dropped: the writer found nothing to ask."""


def mount(app: typer.Typer) -> None:
    """Add the command; `create` is the name that some users know."""
    app.command("generate")(generate)
    app.command("create", hidden=True)(generate)


def generate(
    per_chunk: Annotated[int, typer.Option("--per-chunk", min=1, help="Cases that a chunk shall have.")] = 2,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many chunks.")] = None,
    cases: Annotated[int, typer.Option("--cases", "-n", min=1, help="Cases that the dataset shall have in all.")] = 200,
    docs: Annotated[list[str] | None, typer.Option("--docs", help="Only documents whose id begins so.")] = None,
    writer: Annotated[str | None, typer.Option("--writer", help="openai, local or extractive.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Model name, or a .gguf file.")] = None,
    window: Annotated[int, typer.Option("--window", min=1, max=20, help="Chunks a call.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Changes which chunks come first.")] = 0,
    concurrency: Annotated[int | None, typer.Option("--concurrency", min=1, help="Calls at a time.")] = None,
    resume: Annotated[str, typer.Option("--resume", help="if-same, always or never.")] = "if-same",
    dataset: Dataset = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Let a writer ask questions about numbered passages; its answers become cases to review."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.generate import asked
        from builder.app.generate import generate as run
        from builder.settings import find_workspace

        wanted = asked(
            per_chunk=per_chunk,
            limit=limit,
            cases=cases,
            docs=tuple(docs or ()),
            writer=writer,
            model=model,
            window=window,
            seed=seed,
            concurrency=concurrency,
            resume=resume,
            dataset=dataset,
        )
        report = run(
            find_workspace(Path.cwd()),
            wanted,
            Bar(console.say),
            confirm=lambda plan: yes or _confirmed(console, plan),
            announce=lambda plan: show_plan(console, plan),
            dry_run=dry_run,
        )
        console.json(report.model_dump(mode="json"))
        if not dry_run:
            show_report(console, report)
            raise typer.Exit(_exit_code(report))


def show_plan(console: Console, plan: "GenerationPlan") -> None:
    """Print what a run is about to do."""
    console.talk(
        "generate.plan",
        **plan.model_dump(exclude={"held_back", "bound_by", "review_seconds"}),
        tokens=plan.prompt_tokens + plan.completion_tokens,
        bound=console.say(f"generate.bound.{plan.bound_by}"),
        minutes=-(-plan.review_seconds // 60),
    )
    if plan.cost is not None:
        console.talk("generate.cost", cost=plan.cost)
    if plan.held_back:
        held = sum(plan.held_back.values())
        console.talk("generate.held_back", chunks=held, documents=", ".join(sorted(plan.held_back)))


def show_report(console: Console, report: "GenerationReport") -> None:
    """Print what a run did; failures last."""
    if not report.plan.calls:
        console.out("generate.nothing_to_do")
        return
    console.out("generate.done", **report.model_dump(exclude={"plan", "dropped", "failed", "stopped"}))
    for reason, count in sorted(report.dropped.items()):
        if reason == _NOTHING_THERE:
            console.out("generate.nothing_there", chunks=count)
            continue
        console.out("generate.dropped", count=count, reason=console.say(f"generate.drop.{reason}"))
    if report.skipped_claimed:
        console.talk("generate.claimed", calls=report.skipped_claimed)
    for reason, (count, detail) in sorted(report.failed.items()):
        console.talk("generate.failed", count=count, reason=console.say(f"generate.failure.{reason}"), detail=detail)
    if report.stopped or report.failed:
        console.talk("generate.resume", left=report.not_started + sum(count for count, _ in report.failed.values()))


def _confirmed(console: Console, plan: "GenerationPlan") -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return typer.confirm(console.say("generate.confirm", calls=plan.calls), err=True)


def _exit_code(report: "GenerationReport") -> ExitCode:
    if report.stopped or report.every_call_failed:
        return ExitCode.OUTSIDE
    nothing = report.calls + report.reused > 0 and report.kept == 0 and report.plan.have == 0
    return ExitCode.FAILURE if nothing else ExitCode.DONE
