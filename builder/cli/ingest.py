"""builder ingest."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Bar, Console, session
from builder.cli.options import DryRun, Json, Lang, Yes
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.app.ingest import IngestReport
    from builder.model.document import Problem

_MOST_ROWS = 20
"""Wrong rows of a file that are printed; all of them with --json."""


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ingest")(ingest)


def ingest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Folders or files; none: all registered folders.")] = None,
    chunks: Annotated[
        list[Path] | None, typer.Option("--chunks", help="A JSONL file of your own system's chunks; ids are kept.")
    ] = None,
    chunk_id_field: Annotated[str | None, typer.Option(help="Field of the chunk's id; dots lead inwards.")] = None,
    chunk_text_field: Annotated[str | None, typer.Option(help="Field of its text.")] = None,
    chunk_document_field: Annotated[str | None, typer.Option(help="Field of its document.")] = None,
    chunk_section_field: Annotated[str | None, typer.Option(help="Field of its heading, or headings.")] = None,
    ocr: Annotated[str | None, typer.Option("--ocr", help="auto, always or never.")] = None,
    ocr_engine: Annotated[str | None, typer.Option("--ocr-engine", help="auto, tesseract or rapidocr.")] = None,
    ocr_lang: Annotated[str | None, typer.Option("--ocr-lang", help="Tesseract's language codes.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Worker processes; else one a core.")] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Read documents into pages and chunks; retire those whose file is gone."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.ingest import chunk_fields, ocr_settings
        from builder.app.ingest import ingest as run
        from builder.app.workspace import find_or_init

        workspace, new = find_or_init(Path.cwd())
        if new:
            console.talk("init.made", where=workspace.root)
        report = run(
            workspace,
            paths or [],
            Bar(console.say),
            chunks=chunks or [],
            fields=chunk_fields(
                workspace,
                id=chunk_id_field,
                text=chunk_text_field,
                document=chunk_document_field,
                section=chunk_section_field,
            ),
            ocr=ocr_settings(workspace, mode=ocr, engine=ocr_engine, languages=ocr_lang),
            workers=workers,
            confirm=lambda removed: yes,
            dry_run=dry_run,
        )
        console.json(report.model_dump(mode="json"))
        _show(console, report, dry_run=dry_run)
        if not dry_run:
            raise typer.Exit(_exit_code(report))


def _show(console: Console, report: "IngestReport", *, dry_run: bool) -> None:
    console.out("ingest.planned" if dry_run else "ingest.done", **report.model_dump())
    if report.metadata_changed:
        console.out("ingest.metadata_planned" if dry_run else "ingest.metadata", **report.model_dump())
    if report.retired and not dry_run:
        console.out("ingest.retired", documents=report.retired, chunks=report.retired_chunks)
    if report.cases_moved or report.cases_disabled:
        console.out("ingest.cases", moved=report.cases_moved, disabled=report.cases_disabled)
    if report.ignored:
        console.talk("ingest.ignored", count=len(report.ignored), first=report.ignored[0])
    for file, fields in report.chunk_fields.items():
        console.talk("ingest.fields", file=file, fields=", ".join(f"{role} = {name}" for role, name in fields.items()))
    _show_rows(console, report)
    for name, problem in report.problems:
        page = console.say("ingest.page", page=problem.page) if problem.page else ""
        console.talk("ingest.problem", name=name, page=page, why=_why(console, problem))
    if report.waiting_pages:
        console.talk("ingest.waiting", pages=report.waiting_pages)
    if report.retire_refused:
        console.talk("ingest.retire_refused", documents=report.retire_refused)


def _show_rows(console: Console, report: "IngestReport") -> None:
    for file, rows in report.wrong_rows.items():
        for row, problem in rows[:_MOST_ROWS]:
            console.talk("ingest.row", file=file, row=row, why=_why(console, problem))
        if len(rows) > _MOST_ROWS:
            console.talk("ingest.rows_more", file=file, count=len(rows) - _MOST_ROWS)
        console.talk("ingest.rows_refused", file=file)


def _why(console: Console, problem: "Problem") -> str:
    why = console.say(f"problem.{problem.code}")
    return f"{why} ({problem.detail})" if problem.detail else why


def _exit_code(report: "IngestReport") -> ExitCode:
    nothing = (report.failed or report.broken) and not report.read
    return ExitCode.INPUT if nothing or report.retire_refused or report.wrong_rows else ExitCode.DONE
