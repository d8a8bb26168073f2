"""builder apply."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Bar, Console, session
from builder.cli.options import DryRun, Json, Lang, Who
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.app.apply import ApplyReport


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("apply")(apply)


def apply(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A filled sheet, .xlsx or .csv.")],
    who: Who = None,
    strict: Annotated[bool, typer.Option("--strict", help="All rows or none.")] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Take a filled sheet: every good row is a decision of the expert, the others go to FILE.rest.xlsx."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.apply import apply_sheet
        from builder.settings import find_workspace

        workspace = find_workspace(Path.cwd())
        bar = Bar(console.say)
        report = apply_sheet(workspace, file, who=who, strict=strict, dry_run=dry_run, progress=bar)
        console.json(report.model_dump(mode="json"))
        _print(console, report)
        if report.refused:
            raise typer.Exit(ExitCode.FAILURE)


def _print(console: Console, report: "ApplyReport") -> None:
    say = console.say
    if report.stopped:
        console.out("sheet.nothing_strict")
    else:
        count = sum(report.applied.values())
        console.out("sheet.would_apply" if report.dry_run else "sheet.applied", count=count)
    for verdict, number in report.applied.items():
        console.out("sheet.verdict_count", verdict=say(f"sheet.verdict.{verdict}"), count=number)
    for key, number in (("again", report.again), ("blank", report.blank), ("refused_count", len(report.refused))):
        if number:
            console.out(f"sheet.{key}", count=number)
    for row in report.refused:
        console.out("sheet.refused_row", row=row.row, number=row.number, why=row.detail)
    for kind, number in report.redacted.items():
        console.out("sheet.redacted", kind=say(f"redact.{kind}"), count=number)
    if report.rest:
        console.talk("sheet.rest", file=report.rest)
