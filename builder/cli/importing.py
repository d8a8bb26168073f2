"""builder import."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session, workspace_here
from builder.cli.options import Dataset, DryRun, Json, Lang, Who
from builder.errors import ExitCode, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from builder.app.importing import ImportReport


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Logs or manual lists.", show_default=False)],
    from_: Annotated[str, typer.Option("--from", help="auto, jsonl, csv or manual.")] = "auto",
    map_: Annotated[str, typer.Option("--map", help="question=…,answer=…,rating=…: which field is what.")] = "",
    dataset: Dataset = None,
    who: Who = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Thumbs-down logs become disabled cases that wait for an answer; manual lists become cases."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.importing import import_files

        reports = import_files(
            workspace_here(console),
            files,
            kind=from_,
            field_map=_mapping(map_),
            dataset=dataset,
            who=who,
            dry_run=dry_run,
        )
        console.json([report.model_dump(mode="json") for report in reports])
        show_reports(console, reports)
        if any(report.problems for report in reports):
            raise typer.Exit(ExitCode.FAILURE)


def show_reports(console: Console, reports: "Sequence[ImportReport]") -> None:
    """Print what became of each file."""
    for report in reports:
        taken = ", ".join(f"{name}={field}" for name, field in report.taken.items())
        console.talk("import.taken", file=report.file, taken=taken)
        console.out("import.done", **report.model_dump())
        if report.redacted:
            kinds = ", ".join(f"{console.say(f'redact.{kind}')} {count}" for kind, count in report.redacted.items())
            console.out("import.redacted", kinds=kinds)
        for reason, count in sorted(report.left_out.items()):
            console.out("import.left_out", count=count, reason=console.say(f"import.reason.{reason}"))
        for row, code, detail in report.problems:
            why = console.say(f"import.problem.{code}", detail=detail)
            console.talk("import.row", file=report.file, row=row, why=why)
    if any(report.waiting for report in reports):
        console.talk("add.why_answer")


def _mapping(text: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if wrong := [name for name, equals, value in pairs if not equals or not value.strip()]:
        raise InputError("assignment", text=wrong[0])
    return {name.strip(): value.strip() for name, _, value in pairs}
