"""pymupdf4llm: Markdown of every page."""

from collections.abc import Sequence

PACKAGES = ["pymupdf4llm"]


def run(paths: Sequence[str]) -> int:
    """Read the files."""
    import pymupdf
    import pymupdf4llm

    pages = 0
    for path in paths:
        pymupdf4llm.to_markdown(path, show_progress=False)
        with pymupdf.open(path) as document:
            pages += len(document)
    return pages
