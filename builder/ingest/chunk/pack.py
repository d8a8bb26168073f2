"""Sections -> passages of the wished size. What must stay together is one unit and is never cut."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from builder.ingest.chunk.blocks import FaqBlock, Heading, TableBlock, TextBlock
from builder.ingest.chunk.faq_rows import faq_rows, is_faq
from builder.ingest.chunk.passage import Passage
from builder.ingest.chunk.rows import table_rows
from builder.ingest.chunk.sections import Section
from builder.ingest.chunk.units import Unit, length_of, text_units, unit_parts, whole
from builder.model.chunk import ChunkKind
from builder.model.parts import Glue, Parts
from builder.settings import ChunkSettings

_NEWLINE = Glue(glue="\n")
_SMALL_REST = 4


def pack(section: Section, settings: ChunkSettings) -> Iterator[Passage]:
    """The passages of a section; its headings stand at the head of the first."""
    heads = _heads(section.heads)
    for kind, units in _runs(section, settings.maximum):
        for group in fill(units, settings, sum(len(head.title) for head in section.heads) if heads else 0):
            parts = unit_parts(group)
            yield Passage(parts=(*heads, _NEWLINE, *parts) if heads else parts, section=section.path, kind=kind)
            heads = ()
    if heads:
        yield Passage(parts=heads, section=section.path)


def fill(units: Sequence[Unit], settings: ChunkSettings, taken: int = 0) -> list[list[Unit]]:
    """Group units: a group is closed once it has `target` characters, or where the next would pass `maximum`.

    `taken` characters stand before the first. A small rest goes to the group before it where it fits.
    """
    groups: list[list[Unit]] = []
    length = taken
    for unit in units:
        size = length_of(unit)
        if not groups or length >= settings.target or length + size > settings.maximum:
            overlap = _overlap(groups[-1], settings, size) if groups else []
            length = sum(map(length_of, overlap)) + (0 if groups else taken)
            groups.append(overlap)
        groups[-1].append(unit)
        length += size
    if len(groups) > 1 and not settings.overlap:
        _join_rest(groups, settings)
    return groups


def _join_rest(groups: list[list[Unit]], settings: ChunkSettings) -> None:
    rest, before = (sum(map(length_of, group)) for group in (groups[-1], groups[-2]))
    if rest * _SMALL_REST < settings.target and before + rest <= settings.maximum:
        last = groups.pop()
        groups[-1] += last


def _overlap(before: Sequence[Unit], settings: ChunkSettings, size: int) -> list[Unit]:
    """The last units of the group before, as many as the overlap (and the maximum) lets in; never all of it."""
    room = min(settings.overlap, settings.maximum - size)
    taken: list[Unit] = []
    for unit in reversed(before[1:]):
        room -= length_of(unit)
        if room < 0:
            break
        taken.insert(0, unit)
    return taken


def _heads(headings: Sequence[Heading]) -> Parts:
    return tuple(chain.from_iterable((_NEWLINE, *heading.parts) for heading in headings))[1:]


def _runs(section: Section, maximum: int) -> Iterator[tuple[ChunkKind, list[Unit]]]:
    """What may share a passage: paragraphs in a row; one question with its answer; the rows of one table."""
    for kind, run in groupby(section.body, key=type):
        found = list(run)
        if kind is TextBlock:
            yield (
                ChunkKind.TEXT,
                text_units([(block.parts, block.text) for block in found if isinstance(block, TextBlock)], maximum),
            )
            continue
        for block in found:
            if isinstance(block, FaqBlock):
                yield ChunkKind.FAQ, _faq(block, maximum)
            elif isinstance(block, TableBlock) and is_faq(block.tables[0]):
                yield from ((ChunkKind.FAQ, [whole(parts)]) for parts in faq_rows(block.tables))
            elif isinstance(block, TableBlock):
                yield ChunkKind.TABLE, _table(block)


def _table(block: TableBlock) -> list[Unit]:
    caption = [whole(block.caption.parts)] if block.caption else []
    return [*caption, *map(whole, table_rows(block.tables)), *(whole(note.parts) for note in block.notes)]


def _faq(block: FaqBlock, maximum: int) -> list[Unit]:
    return [whole(block.parts)] if len(block.text) <= maximum else text_units([(block.parts, block.text)], maximum)
