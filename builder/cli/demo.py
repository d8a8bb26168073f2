"""builder demo."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.cases import show_view
from builder.cli.console import Bar, Console, session
from builder.cli.options import Lang

if TYPE_CHECKING:
    from builder.app.coverage import DocumentCoverage
    from builder.app.demo import Step


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    folder: Annotated[Path | None, typer.Argument(help="Where; else a new folder among the temporary files.")] = None,
    lang: Lang = None,
) -> None:
    """Run the main job on the sample documents: read, generate, import, freeze."""
    with session(lang=lang) as console:
        from builder.app.demo import demo as run

        where = ""
        for step in run(Bar(console.say), folder):
            where = _show(console, step) or where
        console.out("demo.next")
        console.text(where)


def _show(console: Console, step: "Step") -> str:
    """Print a step; the path of the workspace where it tells it."""
    from builder.app import demo as steps
    from builder.app.generate import GenerationReport
    from builder.cli.generate_lines import show_report
    from builder.cli.importing import show_reports
    from builder.cli.run import show_run

    match step:
        case steps.Begun(workspace=workspace):
            console.out("demo.begun")
            return str(workspace.root)
        case steps.Read(documents=documents):
            console.out("demo.read", documents=len(documents))
            _documents(console, documents)
        case GenerationReport():
            console.out("demo.generated", items=step.plan.items, chunks=step.plan.chunks)
            show_report(console, step)
        case steps.Approved(approved=approved, left=left):
            console.out("demo.approved", approved=approved, left=left)
        case steps.Frozen(manifest=manifest, examples=examples):
            cases = sum(manifest.included.values())
            console.out("demo.frozen", name=manifest.name, cases=cases, hash=manifest.content_hash[:12])
            for number, example in enumerate(examples, 1):
                console.text("")
                console.out("demo.example", number=number)
                show_view(console, example)
        case steps.Floored(run=report):
            console.out("demo.floor", snapshot=steps.SNAPSHOT)
            show_run(console, report)
        case tuple():
            console.out("demo.imported")
            show_reports(console, step)
    return ""


def _documents(console: Console, documents: "tuple[DocumentCoverage, ...]") -> None:
    rows = [
        (
            document.doc_id,
            len(document.pages),
            ", ".join(f"{console.say(f'origin.{origin}')} {count}" for origin, count in document.origins.items()),
            document.extractable + document.ocr_extracted,
            document.kept + document.ocr_kept,
            document.chunks,
            console.say(f"problem.{document.problem.code}") if document.problem else "",
        )
        for document in documents
    ]
    console.table(("doc_id", "pages", "origin", "extracted", "kept", "chunks", "problem"), rows, right=(1, 3, 4, 5))
