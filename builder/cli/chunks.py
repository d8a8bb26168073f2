"""builder chunks: list, show, search."""

from pathlib import Path
from typing import Annotated

import typer

from builder.cli.console import session
from builder.cli.options import Json, Lang


def mount(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look at the passages.")
    group.command("list")(listing)
    group.command("show")(show)
    group.command("search")(search)
    app.add_typer(group, name="chunks")


def listing(
    document: Annotated[str | None, typer.Argument(help="Only this doc_id.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List chunks in reading order."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.chunks import list_chunks
        from builder.settings import find_workspace

        found = list_chunks(find_workspace(Path.cwd()), document)
        console.json([chunk.model_dump(mode="json") for chunk in found])
        rows = [
            (chunk.chunk_id, chunk.kind, _pages(chunk.pages), " / ".join(chunk.section), len(chunk.text))
            for chunk in found
        ]
        console.table(("chunk_id", "kind", "pages", "section", "characters"), rows, right=(4,))


def show(chunk_id: str, as_json: Json = False, lang: Lang = None) -> None:
    """Show one chunk with its text."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.chunks import show_chunk
        from builder.settings import find_workspace

        chunk = show_chunk(find_workspace(Path.cwd()), chunk_id)
        console.json(chunk.model_dump(mode="json"))
        console.text(
            f"{chunk.chunk_id}  {chunk.kind}  {_pages(chunk.pages)}  {' / '.join(chunk.section)}\n\n{chunk.text}"
        )


def search(
    query: str,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 10,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Find chunks by BM25."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.chunks import search_chunks
        from builder.settings import find_workspace

        found = search_chunks(find_workspace(Path.cwd()), query, limit)
        console.json(
            [{"chunk_id": chunk.chunk_id, "score": round(score, 3), "text": chunk.text} for chunk, score in found]
        )
        rows = [(chunk.chunk_id, f"{score:.2f}", " ".join(chunk.text.split())[:80]) for chunk, score in found]
        console.table(("chunk_id", "score", "text"), rows, right=(1,))


def _pages(pages: tuple[int, ...]) -> str:
    return f"{pages[0]}-{pages[-1]}" if len(pages) > 1 else str(pages[0]) if pages else ""
