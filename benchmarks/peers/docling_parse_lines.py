"""docling-parse: text lines of every page."""

from collections.abc import Sequence

PACKAGES = ["docling-parse"]


def run(paths: Sequence[str]) -> int:
    """Read the files."""
    from docling_parse.pdf_parser import DoclingPdfParser

    pages = 0
    for path in paths:
        document = DoclingPdfParser().load(path_or_stream=path)
        for _ in document.iterate_pages():
            pages += 1
    return pages
