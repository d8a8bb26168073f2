"""Map files: which passages of the snapshot's documents a system's own ids stand for. JSON lines {id, doc_id, span}."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from builder.model.run import ItemSpan, OpenRecord
from builder.score.json_lines import numbered, parsed


class MapEntry(OpenRecord):
    """One line: a passage of the system, or a piece of one; several lines for one id add up."""

    id: str
    """The system's own id."""
    doc_id: str
    """The document, by the snapshot's id or by its path."""
    doc_version: str | None = None
    """Which version of it."""
    span: ItemSpan | None = None
    """Where in the document it stands."""
    text: str | None = None
    """Its text: finds evidence where the span is not known."""


Map = Mapping[str, tuple[MapEntry, ...]]
"""Entries by the system's id."""


def read_map(path: Path) -> Map:
    """The entries of a map file, by id.

    Raises:
        InputError: it cannot be read, or a line is no entry; the line is named.
    """
    return by_id(parsed(MapEntry, line, path, number) for number, line in numbered(path))


def by_id(entries: Iterable[MapEntry]) -> Map:
    """Entries by id, in their order."""
    found: dict[str, list[MapEntry]] = {}
    for entry in entries:
        found.setdefault(entry.id, []).append(entry)
    return {name: tuple(some) for name, some in found.items()}
