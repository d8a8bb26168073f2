"""pypdf: text of every page."""

from collections.abc import Sequence

PACKAGES = ["pypdf==7.1.1"]


def run(paths: Sequence[str]) -> int:
    """Read the files."""
    import pypdf

    pages = 0
    for path in paths:
        for page in pypdf.PdfReader(path).pages:
            page.extract_text()
            pages += 1
    return pages
