"""markitdown: Markdown of the whole file."""

from collections.abc import Sequence
from pathlib import Path

PACKAGES = ["markitdown[pdf]"]


def run(paths: Sequence[str]) -> int:
    """Read the files; pages are counted with pdfminer, which it brings."""
    from markitdown import MarkItDown
    from pdfminer.pdfpage import PDFPage

    converter, pages = MarkItDown(), 0
    for path in paths:
        converter.convert(path)
        with Path(path).open("rb") as stream:
            pages += sum(1 for _ in PDFPage.get_pages(stream))
    return pages
