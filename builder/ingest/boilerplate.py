"""Running headers, footers and page numbers: lines that come back at the edge of most pages.

They stay in the page text and are left out of chunks.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from builder.model.document import Line, Page, Table

_PAGES = 3
_EDGE_LINES = 2
_EDGE_SHARE = 0.15
_VERY_EDGE_SHARE = 0.08
_NUMBERED = re.compile(r"(?:第?#页(?:[共/]?(?:共?#页)?)?|page#(?:(?:of|/)#)?|[-—–]+#[-—–]+|#/#)")


def mark_boilerplate(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with their running lines marked.

    A line is one where, digits aside, it stands among the outermost lines of at least 3 pages and at least half of
    them; a page number that says so ("第 3 页", "Page 3 of 9") already where two pages have one. Of a document of
    two pages only what stands on both at the very edge.
    """
    share = _EDGE_SHARE if len(pages) >= _PAGES else _VERY_EDGE_SHARE
    edges = [_edge_lines(page, share) for page in pages]
    filled = sum(bool(lines) for lines in edges)
    seen = Counter(
        chain.from_iterable({_key(page, line) for line in lines} for page, lines in zip(pages, edges, strict=True))
    )
    running = {key for key, times in seen.items() if _runs(key, times, filled)}
    return tuple(
        page.replace(boilerplate=tuple((line.start, line.end) for line in lines if _key(page, line) in running))
        for page, lines in zip(pages, edges, strict=True)
    )


def _runs(key: str, times: int, filled: int) -> bool:
    if _NUMBERED.fullmatch(key):
        return times >= 2
    return times >= min(_PAGES, max(filled, 2)) and times * 2 >= filled


def _key(page: Page, line: Line) -> str:
    """The line without white space, digits folded."""
    text = unicodedata.normalize("NFKC", page.text[line.start : line.end]).casefold()
    return re.sub(r"\d+", "#", "".join(text.split()))


def _edge_lines(page: Page, share: float) -> list[Line]:
    """The outermost lines above and below, tables left out; by place on the page where boxes are known."""
    lines = [line for line in page.lines if not any(_inside(line, table) for table in page.tables)]
    if not page.height:
        return []
    lines.sort(key=lambda line: line.box[1])
    above = [line for line in lines if line.box[3] <= page.height * share]
    below = [line for line in lines if line.box[1] >= page.height * (1 - share)]
    edge = [*_levels(above), *reversed(_levels(below[::-1]))]
    return sorted(edge, key=lambda line: line.start)


def _levels(lines: Sequence[Line]) -> list[Line]:
    """The lines on the first few heights: a header may be cut into pieces beside each other."""
    found: list[Line] = []
    heights: list[float] = []
    for line in lines:
        middle = (line.box[1] + line.box[3]) / 2
        if not any(abs(middle - height) < (line.box[3] - line.box[1]) / 2 for height in heights):
            heights.append(middle)
        if len(heights) > _EDGE_LINES:
            break
        found.append(line)
    return found


def _inside(line: Line, table: Table) -> bool:
    return any(cell.start <= line.start and line.end <= cell.end for row in table.rows for cell in row)
