"""pymupdf4llm: Markdown of every page."""

from collections.abc import Sequence

PACKAGES = ["pymupdf4llm", "pypdfium2"]


def run(paths: Sequence[str]) -> int:
    """Read the files; pdfium counts the pages."""
    import pymupdf4llm
    import pypdfium2

    pages = 0
    for path in paths:
        pymupdf4llm.to_markdown(path, show_progress=False)
        pages += len(pypdfium2.PdfDocument(path))
    return pages
