"""Which characters of a page a chunk holds, as one byte a character: fast to ask for ranges."""

from collections.abc import Iterable

from builder.model.chunk import Chunk
from builder.model.document import Page
from builder.model.parts import spans


class PageMasks:
    """The chunks that touch one page, each with the characters that it holds there."""

    def __init__(self, page: Page, chunks: Iterable[Chunk]) -> None:
        self.page = page
        blank = bytes(char.isspace() for char in page.text)
        self._masks = [(chunk, _mask(chunk, page.number, blank)) for chunk in chunks]

    def holders(self, ranges: Iterable[tuple[int, int]]) -> list[Chunk]:
        """The chunks that hold all characters of all ranges; white space is held by all."""
        wanted = list(ranges)
        return [chunk for chunk, mask in self._masks if all(_full(mask, start, end) for start, end in wanted)]


def _mask(chunk: Chunk, number: int, blank: bytes) -> bytearray:
    mask = bytearray(blank)
    for span in spans(chunk.parts):
        if span.page == number:
            end = min(span.end, len(mask))
            mask[span.start : end] = b"\x01" * max(0, end - span.start)
    return mask


def _full(mask: bytearray, start: int, end: int) -> bool:
    return mask.find(0, start, end) < 0
