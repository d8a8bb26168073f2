"""builder generate."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from builder.cli.console import Bar, Console, session
from builder.cli.options import Dataset, DryRun, Json, Lang, Yes
from builder.errors import UsageError

if TYPE_CHECKING:
    from builder.app.generate import Asked, GenerationPlan


class Batch(StrEnum):
    """Where a batch goes."""

    FILE = "file"
    OPENAI = "openai"


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, **more)


PerChunk = Annotated[int, _option("--per-chunk", min=1, help="Cases that a chunk shall have.")]
Limit = Annotated[int | None, _option("--limit", min=1, help="At most so many chunks.")]
Cases = Annotated[int, _option("--cases", "-n", min=1, help="Cases that the dataset shall have in all.")]
Docs = Annotated[list[str] | None, _option("--docs", help="Only documents whose id begins so.")]
WriterName = Annotated[str | None, _option("--writer", help="openai, local or extractive.")]
Model = Annotated[str | None, _option("--model", help="Model name, or a .gguf file.")]
Types = Annotated[str, _option("--types", help="Types of questions, joined by commas; or all.")]
Styles = Annotated[str, _option("--styles", help="Word accepted questions anew in these styles; or all.")]
Mix = Annotated[str, _option("--mix", help="Parts of types and styles: single_fact=4,conflict=1,formal=3,typo=1.")]
Mode = Annotated[str, _option("--mode", help="text, or outline: the model sees facts in place of sentences.")]
Window = Annotated[int, _option("--window", min=1, max=20, help="Chunks a call.")]
Seed = Annotated[int, _option("--seed", help="Changes which chunks come first.")]
Concurrency = Annotated[int | None, _option("--concurrency", min=1, help="Calls at a time.")]
BudgetTokens = Annotated[int | None, _option("--budget-tokens", min=1, help="Stop before more tokens are spent.")]
BudgetCost = Annotated[str | None, _option("--budget-cost", help="Stop before more is spent.")]
MaxCalls = Annotated[int | None, _option("--max-calls", min=1, help="At most so many calls.")]
RetryFailed = Annotated[bool, _option("--retry-failed", help="Ask once more about what fell short.")]
Preview = Annotated[int | None, _option("--preview", min=1, help="Ask about so many chunks, show, write nothing.")]
Verify = Annotated[bool, _option("--verify", help="Let a second call answer blind, and compare.")]
VerifyModel = Annotated[str | None, _option("--verify-model", help="Model that answers then.")]
ToBatch = Annotated[Batch | None, _option("--batch", help="Send all requests as one batch.")]
Output = Annotated[Path | None, _option("-o", "--output", help="--batch file: where the requests are written.")]
Collect = Annotated[Path | None, _option("--collect", help="Make cases of the results in this file.")]
Resume = Annotated[str, _option("--resume", help="if-same, always or never.")]


def mount(app: typer.Typer) -> None:
    """Add the command; `create` is the name that some users know."""
    app.command("generate")(generate)
    app.command("create", hidden=True)(generate)


def generate(
    per_chunk: PerChunk = 2,
    limit: Limit = None,
    cases: Cases = 200,
    docs: Docs = None,
    writer: WriterName = None,
    model: Model = None,
    types: Types = "",
    styles: Styles = "",
    mix: Mix = "",
    mode: Mode = "text",
    window: Window = 1,
    seed: Seed = 0,
    concurrency: Concurrency = None,
    budget_tokens: BudgetTokens = None,
    budget_cost: BudgetCost = None,
    max_calls: MaxCalls = None,
    retry_failed: RetryFailed = False,
    preview: Preview = None,
    verify: Verify = False,
    verify_model: VerifyModel = None,
    batch: ToBatch = None,
    output: Output = None,
    collect: Collect = None,
    resume: Resume = "if-same",
    dataset: Dataset = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Let a writer ask questions about numbered passages; its answers become cases to review."""
    given = dict(locals())
    with session(as_json=as_json, lang=lang) as console:
        if collect is not None:
            _collect(console, collect, dataset)
            return
        wanted = _asked(given)
        if preview is not None:
            _preview(console, wanted, preview)
        elif batch is not None:
            _batch(console, wanted, batch, output, yes=yes)
        else:
            _generate(console, wanted, dry_run=dry_run, yes=yes)


def _asked(given: dict[str, Any]) -> "Asked":
    from builder.app.generate import asked
    from builder.app.mix import kinds

    types, styles = kinds(given["types"], given["styles"], given["mix"])
    verify = given["verify"] or given["verify_model"] is not None
    known = {name: given[name] for name in asked_names() if name in given}
    known |= {"docs": tuple(given["docs"] or ()), "types": types, "styles": styles, "verify": verify}
    return asked(**known)


def asked_names() -> tuple[str, ...]:
    """Fields of what a run is asked for."""
    from builder.app.generate import Asked

    return tuple(Asked.model_fields)


def _generate(console: Console, wanted: "Asked", *, dry_run: bool, yes: bool) -> None:
    from builder.app.generate import generate as run
    from builder.cli.generate_lines import exit_code, show_report
    from builder.settings import find_workspace

    report = run(find_workspace(Path.cwd()), wanted, Bar(console.say), _talk(console, yes), dry_run=dry_run)
    console.json(report.model_dump(mode="json"))
    if not dry_run:
        show_report(console, report)
        raise typer.Exit(exit_code(report))


def _preview(console: Console, wanted: "Asked", count: int) -> None:
    from builder.app.generate import glance
    from builder.cli.generate_lines import exit_code, show_rest
    from builder.settings import find_workspace

    seen = glance(find_workspace(Path.cwd()), wanted, Bar(console.say), count)
    report = seen.report
    console.json(report.model_dump(mode="json") | {"cases": [case.model_dump(mode="json") for case in seen.cases]})
    for line in seen.lines(console.say, console.width):
        console.text(line)
    show_rest(console, report)
    raise typer.Exit(exit_code(report))


def _batch(console: Console, wanted: "Asked", batch: Batch, output: Path | None, *, yes: bool) -> None:
    from builder.app.generate import send_batch
    from builder.cli.generate_lines import collected_code, show_collected, show_sent
    from builder.settings import find_workspace

    if (batch is Batch.FILE) != (output is not None):
        raise UsageError("batch_output")
    sent, back = send_batch(find_workspace(Path.cwd()), wanted, Bar(console.say), _talk(console, yes), file=output)
    console.json({"sent": sent.model_dump(mode="json"), "collected": back and back.model_dump(mode="json")})
    show_sent(console, sent)
    if back is not None:
        show_collected(console, back)
        raise typer.Exit(collected_code(back))


def _collect(console: Console, file: Path, dataset: str | None) -> None:
    from builder.app.generate import collect_batch
    from builder.cli.generate_lines import collected_code, show_collected
    from builder.settings import find_workspace

    back = collect_batch(find_workspace(Path.cwd()), file, dataset)
    console.json(back.model_dump(mode="json"))
    show_collected(console, back)
    raise typer.Exit(collected_code(back))


def _talk(console: Console, yes: bool) -> Any:
    from builder.app.generate import Talk
    from builder.cli.generate_lines import show_plan

    return Talk(announce=lambda plan: show_plan(console, plan), confirm=lambda plan: yes or _confirmed(console, plan))


def _confirmed(console: Console, plan: "GenerationPlan") -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return typer.confirm(console.say("generate.confirm", calls=plan.calls), err=True)
