"""Lines -> paragraphs: which line ends belong to the layout and which to the text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from builder.ingest.chunk.flow import Item, PageTable, TextLine
from builder.ingest.chunk.marks import closes, head_mark, is_answer, is_bullet, is_item, is_pair, is_question
from builder.ingest.joining import first_wide, is_dashed, join
from builder.model.parts import Glue, Part, Parts, Span

_SIZE_STEP = 1.08
_LATIN_WIDTH = 0.5
_WIDE_GAP = 1.6
_FULL = 0.7
_CENTRED = 3.5
_ROOM = 2.2
_OCR_ROOM = 4.0
_GLUE = {glue: Glue(glue=glue) for glue in ("", " ")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that are one text."""

    first: TextLine
    """The line that it begins with."""
    text: str
    """The text, layout line ends removed."""
    parts: Parts
    """The spans and glue of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What is usual in a document."""

    size: float
    """Height of most letters, points."""
    gap: float
    """Distance between most lines, points."""


def body_of(items: Sequence[Item]) -> Body:
    """Measure the usual size (that of most characters; without layout the smallest) and line distance."""
    lines = [item for item in items if isinstance(item, TextLine)]
    if all(line.box is None for line in lines):
        return Body(size=min((item.size for item in items if item.size), default=0.0), gap=0.0)
    sizes: Counter[float] = Counter()
    for item in items:
        sizes[round(item.size * 2) / 2] += item.end - item.start if isinstance(item, TextLine) else _length(item)
    gaps = [gap for left, right in pairwise(lines) if (gap := _gap(left, right)) > 0]
    return Body(size=sizes.most_common(1)[0][0] if sizes else 0.0, gap=median(gaps) if gaps else 0.0)


def paragraphs(items: Sequence[Item]) -> tuple[list[Paragraph | PageTable], Body]:
    """Group lines to paragraphs; tables stand as they are."""
    body = body_of(items)
    return list(_grouped(items, body)), body


def _grouped(items: Sequence[Item], body: Body) -> Iterator[Paragraph | PageTable]:
    lines: list[TextLine] = []
    for item in items:
        if lines and (isinstance(item, PageTable) or _begins(item, lines, body)):
            yield _paragraph(lines)
            lines = []
        if isinstance(item, PageTable):
            yield item
        else:
            lines.append(item)
    if lines:
        yield _paragraph(lines)


def _paragraph(lines: Sequence[TextLine]) -> Paragraph:
    pieces = [lines[0].text]
    parts: list[Part] = [_span(lines[0])]
    for left, right in pairwise(lines):
        glue = "" if right.tight else join(left.text, right.text)
        pieces += (glue, right.text)
        parts += (_GLUE[glue], _span(right))
    return Paragraph(first=lines[0], text="".join(pieces), parts=tuple(parts))


def _begins(line: TextLine, before: Sequence[TextLine], body: Body) -> bool:
    """True where `line` begins a paragraph and does not go on with the lines before."""
    last = before[-1]
    if line.tight:
        return False
    if line.box is None and body.size and not (line.size and last.size):
        return True  # code: each line end was meant
    if line.gap or is_bullet(line.text) or is_question(line.text):
        return True
    if is_answer(line.text) and is_question(before[0].text):
        return True
    if _other_size(line, last):
        return True
    marked = head_mark(line.text) is not None or is_item(line.text)
    if line.box is None or last.box is None:
        return _begins_plain(line, last, marked)
    return _begins_laid_out(line, before, body, marked)


def _begins_plain(line: TextLine, last: TextLine, marked: bool) -> bool:
    """Without layout: a short line, or one that closes a sentence, ends its paragraph; so does a `key: value` line."""
    if marked or closes(last.text) or (is_pair(line.text) and is_pair(last.text)):
        return True
    return len(last.text) < last.edge * _FULL


def _begins_laid_out(line: TextLine, before: Sequence[TextLine], body: Body, marked: bool) -> bool:
    last = before[-1]
    ended = _room_left(line, last)
    if marked and (ended or closes(last.text)):
        return True
    if line.page != last.page or _moved_up(line, last):
        return closes(last.text) and (ended or _indented(line, before))
    if _gap(last, line) > max(body.gap * _WIDE_GAP, 1.0) or _moved_out(line, before):
        return True
    return (ended and not _goes_on(line, last)) or _indented(line, before)


def _room_left(line: TextLine, last: TextLine) -> bool:
    """The beginning of `line` would have fitted behind `last`: the line end was meant."""
    if last.box is None:
        return False
    size = max(last.size, line.size, 1.0)
    word = line.text.split(maxsplit=1)[0]
    latin = first_wide(word)
    if latin == 0:
        needed = (_OCR_ROOM if line.ocr else _ROOM) * size
    else:
        needed = (latin + 1) * _LATIN_WIDTH * size + (size if latin < len(word) else 0)
    return last.box[2] + needed < last.edge


def _indented(line: TextLine, before: Sequence[TextLine]) -> bool:
    """The first line of a paragraph is moved in; the second line of a list item may be as well."""
    last = before[-1]
    if line.box is None or last.box is None or _moved_up(line, last):
        return line.box is not None and line.box[0] > _left(before) + 0.8 * line.size and len(before) > 1
    hanging = len(before) == 1 and (is_item(last.text) or is_bullet(last.text))
    return not hanging and line.box[0] > last.box[0] + 0.8 * max(line.size, 1.0)


def _goes_on(line: TextLine, last: TextLine) -> bool:
    """A line that begins small behind one that closes nothing, or goes on behind a dash: a ragged margin, no end."""
    return (line.text[0].islower() and not closes(last.text)) or is_dashed(last.text, line.text)


def _moved_out(line: TextLine, before: Sequence[TextLine]) -> bool:
    """Much further left than the single line before, by more than an indent: that was a centred title or caption."""
    if line.box is None or len(before) != 1:
        return False
    return line.box[0] < _left(before) - _CENTRED * max(line.size, 1.0)


def _left(before: Sequence[TextLine]) -> float:
    return min(line.box[0] for line in before if line.box is not None)


def _moved_up(line: TextLine, last: TextLine) -> bool:
    return line.box is not None and last.box is not None and line.box[3] < last.box[1]


def _other_size(line: TextLine, last: TextLine) -> bool:
    if not line.size or not last.size or line.ocr or last.ocr:  # OCR measures a line of two letters badly
        return False
    return max(line.size, last.size) > min(line.size, last.size) * _SIZE_STEP


def _gap(upper: TextLine, lower: TextLine) -> float:
    if upper.page != lower.page or upper.box is None or lower.box is None:
        return 0.0
    return lower.box[1] - upper.box[3]


def _length(item: PageTable) -> int:
    return sum(cell.end - cell.start for row in item.table.rows for cell in row)


def _span(line: TextLine) -> Span:
    return Span(page=line.page, start=line.start, end=line.end)
