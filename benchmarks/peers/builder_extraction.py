"""builder's own extraction step: pages with text, boxes, tables, origin; in this process, without OCR and chunks."""

from collections.abc import Sequence
from pathlib import Path

PACKAGES: list[str] = []


def run(paths: Sequence[str]) -> int:
    """Read the files."""
    from builder.ingest.read import read_file

    return sum(len(read_file(Path(path), "application/pdf", "never").pages) for path in paths)
