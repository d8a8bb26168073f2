"""Running headers, footers and page numbers: lines that come back at the edge of pages.

They stay in the page text and are left out of chunks. So does a hyphen that cuts a word at the end of a page, or of a
line that OCR read: it is of the layout as well.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from builder.ingest.hyphens import hyphen_kind, vocabulary
from builder.model.document import Line, Page, PageOrigin, Table

_PAGES = 3
_EDGE_LINES = 2
_WIDE_EDGE_SHARE = 0.2
_EDGE_SHARE = 0.15
_VERY_EDGE_SHARE = 0.08
_MARGIN = 0.06
_APART = 1.2
_OTHER_SIZE = 1.15
_NUMBERED = re.compile(r"(?:第?#页(?:[共/]?(?:共?#页)?)?|page#(?:(?:of|/)#)?|[-—–]+#[-—–]+|#/#)")
_ROMAN = re.compile(r"[ivx]+")
_CUT = re.compile(r"[^\W\d_]-$")
_LAST, _FIRST = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """One of the outermost lines of a page."""

    page: int
    """Index of the page."""
    line: Line
    text: str
    """Without white space, width and case folded."""
    share: float
    """How far into the page it reaches, of the page's height."""
    apart: bool
    """More than a line's height away from what stands further in."""

    @property
    def very(self) -> bool:
        """At the very edge."""
        return self.share <= _VERY_EDGE_SHARE

    @property
    def key(self) -> str:
        """The text with numbers folded."""
        return "#" if _ROMAN.fullmatch(self.text) else re.sub(r"\d+", "#", self.text)


def mark_boilerplate(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with their running lines marked.

    A line is one where it stands among the outermost lines of at least 3 pages and of at least half of them, of the
    odd or even ones, or of those from its first to its last (a chapter's; then only apart from the body). Numbers may
    change: a bare one where it counts with the pages, one beside words only at the very edge (else "Step 1", "Step 2"
    at the head of pages would be taken), one that says so ("第 3 页", "Page 3 of 9") already on two pages. Of a
    document of two pages only what stands on both at the very edge, word for word but for the number of the page.
    """
    edges = [list(_edges(number, page)) for number, page in enumerate(pages)]
    by_key: dict[str, list[_Edge]] = defaultdict(list)
    for edge in (edge for found in edges for edge in found):
        by_key[edge.key].append(edge)
    filled = [number for number, found in enumerate(edges) if found]
    running = {key for key, found in by_key.items() if _runs(key, found, filled)}
    marked = [
        page.replace(boilerplate=tuple((edge.line.start, edge.line.end) for edge in found if edge.key in running))
        for page, found in zip(pages, edges, strict=True)
    ]
    return _without_cuts(marked)


def _runs(key: str, edges: Sequence[_Edge], filled: Sequence[int]) -> bool:
    pages = sorted({edge.page for edge in edges})
    if _NUMBERED.fullmatch(key):
        return len(pages) >= 2
    varies = len({edge.text for edge in edges}) > 1
    if varies and key != "#" and not (any(map(str.isalpha, key)) and all(edge.very for edge in edges)):
        return False
    if key == "#" and not _counts(edges):
        return False
    if len(filled) < _PAGES:
        numbered = key == "#" or _NUMBERED.search(key) is not None
        return len(pages) == 2 and all(edge.very for edge in edges) and (numbered or not varies)
    return len(pages) >= _PAGES and _often(pages, filled, all(edge.apart for edge in edges))


def _often(pages: Sequence[int], filled: Sequence[int], apart: bool) -> bool:
    """On half of the pages, of the odd or even ones, or of those between the first and the last that has it."""
    between = [number for number in filled if pages[0] <= number <= pages[-1]]
    for among in (filled, between) if apart else (filled,):
        for side in (among, among[0::2], among[1::2]):
            if side and set(pages) <= set(side) and len(pages) * 2 >= len(side):
                return True
    return False


def _counts(edges: Sequence[_Edge]) -> bool:
    """Most numbers go up with the pages."""
    steps = [
        (other.page - one.page, int(other.text) - int(one.text))
        for one, other in pairwise(edges)
        if one.text.isdecimal() and other.text.isdecimal()
    ]
    return sum(pages == numbers for pages, numbers in steps) * 2 > len(steps)


def _edges(number: int, page: Page) -> Iterator[_Edge]:
    """The outermost lines above and below, tables left out; none where boxes are not known."""
    if not page.height:
        return
    lines = [line for line in page.lines if not any(_inside(line, table) for table in page.tables)]
    lines.sort(key=lambda line: line.box[1])
    above = [line for line in lines if line.box[3] <= page.height * _WIDE_EDGE_SHARE]
    below = [line for line in lines if line.box[1] >= page.height * (1 - _WIDE_EDGE_SHARE)]
    stamps = [line for line in lines if _is_stamp(line, page.width)]
    found = {line.start: line for line in (*_levels(above), *_levels(below[::-1]), *stamps)}
    for _, line in sorted(found.items()):
        edge = _edge(number, page, line, lines)
        if edge.share <= _EDGE_SHARE or (edge.apart and edge.key == "#"):
            yield edge


def _edge(number: int, page: Page, line: Line, lines: Sequence[Line]) -> _Edge:
    stamp = _is_stamp(line, page.width)
    return _Edge(
        page=number,
        line=line,
        text="".join(unicodedata.normalize("NFKC", page.text[line.start : line.end]).casefold().split()),
        share=0.0 if stamp else min(line.box[3], page.height - line.box[1]) / page.height,
        apart=stamp or _is_apart(line, lines, page.height),
    )


def _is_stamp(line: Line, width: float) -> bool:
    """A line that stands sideways in the margin."""
    left, top, right, bottom = line.box
    return bottom - top > 2 * (right - left) and (right <= width * _MARGIN or left >= width * (1 - _MARGIN))


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


def _is_apart(line: Line, lines: Sequence[Line], height: float) -> bool:
    if line.box[1] < height / 2:
        gaps = [other.box[1] - line.box[3] for other in lines if other.box[1] > line.box[3]]
    else:
        gaps = [line.box[1] - other.box[3] for other in lines if other.box[3] < line.box[1]]
    return min(gaps, default=height) >= _APART * max(line.size, 1.0)


def _inside(line: Line, table: Table) -> bool:
    return any(cell.start <= line.start and line.end <= cell.end for row in table.rows for cell in row)


def _without_cuts(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with the hyphens marked that cut a word where pdfium could not know: see ingest.hyphens."""
    cuts = list(_cuts(pages))
    if not cuts:
        return tuple(pages)
    known = vocabulary(page.text for page in pages)
    for _, _, before, after in cuts:  # the halves of a cut word are no words
        known.words.subtract(part.group().casefold() for part in (_LAST.search(before), _FIRST.match(after)) if part)
    marks: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, end, before, after in cuts:
        if hyphen_kind(before, after, known) == "cut":
            marks[number].append((end - 1, end))
    return tuple(
        page.replace(boilerplate=tuple(sorted((*page.boilerplate, *marks[number])))) if marks[number] else page
        for number, page in enumerate(pages)
    )


def _cuts(pages: Sequence[Page]) -> Iterator[tuple[int, int, str, str]]:
    """Hyphens at the end of pages, and of lines that OCR read: page, offset behind it, text before, line after."""
    body = [(number, line) for number, page in enumerate(pages) for line in _body(page)]
    for (number, line), (after, next_line) in pairwise(body):
        page = pages[number]
        before = page.text[line.start : line.end]
        read = page.origin in (PageOrigin.OCR, PageOrigin.HIDDEN)
        if not _CUT.search(before) or not (after == number + 1 or (after == number and read)):
            continue
        alike = max(line.size, next_line.size) <= _OTHER_SIZE * min(line.size, next_line.size)
        going_on = pages[after].text[next_line.start : next_line.end]
        if (read or alike) and going_on[:1].isalnum():
            yield number, line.end, before[:-1], going_on


def _body(page: Page) -> Iterator[Line]:
    """The first and the last line of the body; of a page that OCR read, all."""
    running = {start for start, _ in page.boilerplate}
    lines = [line for line in page.lines if line.start not in running] if page.height else []
    return iter(lines if page.origin is not PageOrigin.TEXT or len(lines) < 2 else (lines[0], lines[-1]))
