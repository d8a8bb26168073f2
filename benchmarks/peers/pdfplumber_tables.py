"""pdfplumber: text and tables of every page."""

from collections.abc import Sequence

PACKAGES = ["pdfplumber==0.11.10"]


def run(paths: Sequence[str]) -> int:
    """Read the files; each page is closed, or memory grows."""
    import pdfplumber

    pages = 0
    for path in paths:
        with pdfplumber.open(path) as document:
            for page in document.pages:
                page.extract_text()
                page.extract_tables()
                page.close()
                pages += 1
    return pages
