"""builder coverage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import session
from builder.cli.options import Json, Lang

if TYPE_CHECKING:
    from builder.app.coverage import Counts

_FIGURES = ("extractable", "kept", "boilerplate", "replaced_by_ocr", "discarded", "lost", "ocr_kept", "ocr_lost")


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("coverage")(coverage)


def coverage(
    document: Annotated[str | None, typer.Argument(help="A doc_id: shows its pages.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Account for every character: kept, boilerplate, replaced by OCR, discarded, lost."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.coverage import coverage as measure
        from builder.settings import find_workspace

        rows = measure(find_workspace(Path.cwd()), document)
        console.json([row.model_dump(mode="json") for row in rows])
        if document is None:
            table = [(row.doc_id, len(row.pages), *_figures(row), row.chunks) for row in rows]
            console.table(("doc_id", "pages", *_FIGURES, "chunks"), table, right=range(1, 11))
            return
        pages = [page for row in rows for page in row.pages]
        table = [(page.number, console.say(f"origin.{page.origin}"), *_figures(page)) for page in pages]
        console.table(("page", "origin", *_FIGURES), table, right=(0, *range(2, 10)))


def _figures(counts: "Counts") -> tuple[int, ...]:
    return tuple(getattr(counts, name) for name in _FIGURES)
