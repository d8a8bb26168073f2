"""Paragraphs -> blocks: headings, text, questions with their answers, tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from builder.ingest.chunk.flow import PageTable
from builder.ingest.chunk.marks import (
    CLAUSE,
    PLAIN_NUMBER,
    head_mark,
    is_answer,
    is_bullet,
    is_caption,
    is_item,
    is_note,
    is_question,
)
from builder.ingest.chunk.paragraphs import Body, Paragraph
from builder.ingest.chunk.tables import goes_on, is_continued, may_stand_between
from builder.ingest.joining import first_wide
from builder.model.parts import Glue, Parts

_LONGEST_WIDE = 40
_LONGEST = 90
_LARGER = 1.12
_SLIGHTLY_LARGER = 1.04
_LARGER_OCR = 1.5
_SENTENCE_ENDS = tuple("。；，、;,.：:！!…")
_NEWLINE = Glue(glue="\n")
_BETWEEN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A line that names what follows. `rank` is that of its number, if it has one; `size` in points."""

    parts: Parts
    title: str
    size: float
    rank: int | None
    alone: bool = True
    """False: the heading's text goes on as body (第X条 with its text on the same line); `parts` are empty then."""

    def above(self, other: "Heading") -> bool:
        """True where `other` is a part of this heading's section."""
        if self.rank is not None and other.rank is not None:
            return self.rank < other.rank
        return self.size > other.size * _SLIGHTLY_LARGER


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A paragraph or list item."""

    parts: Parts
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaqBlock:
    """A question and its answer."""

    parts: Parts
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """One table, on one page or several."""

    tables: tuple[PageTable, ...]
    caption: TextBlock | None = None
    notes: tuple[TextBlock, ...] = ()


Block = Heading | TextBlock | FaqBlock | TableBlock


def blocks(found: tuple[Sequence[Paragraph | PageTable], Body]) -> list[Block]:
    """The blocks of a document in reading order."""
    items, body = found
    result: list[Block] = []
    at = 0
    while at < len(items):
        taken, made = _next(items, at, body)
        for block in made:
            _add(result, block)
        at += taken
    return result


def _add(result: list[Block], block: Block) -> None:
    """Append a block; a caption goes to the table below it, a note to the table above."""
    last = result[-1] if result else None
    if isinstance(block, TableBlock) and isinstance(last, TextBlock) and is_caption(last.text):
        result[-1] = replace(block, caption=last)
    elif isinstance(block, TextBlock) and isinstance(last, TableBlock) and is_note(block.text):
        result[-1] = replace(last, notes=(*last.notes, block))
    else:
        result.append(block)


def _next(items: Sequence[Paragraph | PageTable], at: int, body: Body) -> tuple[int, list[Block]]:
    """The block or blocks that begin at item `at`, and how many items they take."""
    first = items[at]
    if isinstance(first, PageTable):
        run = _table_run(items, at)
        tables = tuple(item for item in run if isinstance(item, PageTable))
        between = [TextBlock(parts=item.parts, text=item.text) for item in run if isinstance(item, Paragraph)]
        return len(run), [TableBlock(tables=tables, notes=tuple(between))]
    if is_question(first.text) and (pair := _faq_run(items, at, body)):
        return len(pair), [_faq(pair)]
    heading = _heading(first, body)
    if heading is None:
        return 1, [TextBlock(parts=first.parts, text=first.text)]
    return 1, [heading] if heading.alone else [heading, TextBlock(parts=first.parts, text=first.text)]


def _table_run(items: Sequence[Paragraph | PageTable], at: int) -> list[Paragraph | PageTable]:
    """A table and what follows of it on the next pages: nothing between, or lines that say that it goes on."""
    run: list[Paragraph | PageTable] = []
    last: PageTable | None = None
    between: list[Paragraph] = []
    for item in items[at:]:
        if isinstance(item, Paragraph):
            if len(between) >= _BETWEEN or not (may_stand_between(item.text) or is_caption(item.text)):
                break
            between.append(item)
        elif last is None or _one_table(last, item, between):
            run += [*between, item]
            last, between = item, []
        else:
            break
    return run


def _one_table(one: PageTable, other: PageTable, between: Sequence[Paragraph]) -> bool:
    told = any(is_continued(paragraph.text) for paragraph in between)
    named_anew = any(is_caption(paragraph.text) for paragraph in between) and not told
    return not named_anew and goes_on(one, other, told)


def _faq_run(items: Sequence[Paragraph | PageTable], at: int, body: Body) -> list[Paragraph]:
    """A question, its answer, and what belongs to it: all up to the next question, else list items only."""
    run: list[Paragraph] = []
    for number in range(at, len(items)):
        item = items[number]
        if isinstance(item, PageTable) or (run and is_question(item.text)) or _heading(item, body):
            break
        run.append(item)
    if len(run) < 2 or not is_answer(run[1].text):
        return []
    after = items[at + len(run)] if at + len(run) < len(items) else None
    if isinstance(after, Paragraph) and is_question(after.text):
        return run
    extra = next((i for i, one in enumerate(run[2:]) if not (is_bullet(one.text) or is_item(one.text))), len(run))
    return run[: 2 + extra]


def _faq(pair: Sequence[Paragraph]) -> FaqBlock:
    parts = tuple(chain.from_iterable((_NEWLINE, *one.parts) for one in pair))[1:]
    return FaqBlock(parts=parts, text="\n".join(one.text for one in pair))


def _heading(paragraph: Paragraph, body: Body) -> Heading | None:
    text, line = paragraph.text, paragraph.first
    if is_question(text) or is_bullet(text):
        return None
    mark = head_mark(text)
    larger = line.size > body.size * (_LARGER_OCR if line.ocr else _LARGER)
    declared = larger and line.box is None  # Markdown says so itself
    likely = larger or (mark is not None and _trusted(mark[0], line.size, body))
    if declared or (likely and _titled(text, mark)):
        return Heading(parts=paragraph.parts, title=_clean(text), size=line.size, rank=mark[0] if mark else None)
    if mark and mark[0] == CLAUSE:
        return Heading(parts=(), title=mark[1], size=line.size, rank=CLAUSE, alone=False)
    return None


def _titled(text: str, mark: tuple[int, str] | None) -> bool:
    """Short, no date and no amount (more letters than digits, or a mark of its own), not closed like a sentence."""
    if len(text) > _LONGEST or text.endswith(_SENTENCE_ENDS):
        return False
    if len(text) > _LONGEST_WIDE and first_wide(text) < len(text):
        return False
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return letters >= max(digits, 1) or (mark is not None and mark[0] <= CLAUSE)


def _trusted(rank: int, size: float, body: Body) -> bool:
    """A number alone makes no heading of a line in the body's size where lists are numbered like this too."""
    return rank != PLAIN_NUMBER or size > body.size * _SLIGHTLY_LARGER


def _clean(text: str) -> str:
    return " ".join(text.split())
