"""CSV files: lists of questions and answers, or tables with their header."""

import csv
import re
from collections.abc import Sequence
from io import StringIO

from builder.ingest.page_writer import Cell, PageWriter, names_columns
from builder.ingest.plain import decode
from builder.model.document import Page, Problem

_DELIMITERS = (",", "\t", ";", "|")
_LOOKED_AT = 50
_LARGEST_FIELD = 10_000_000
_SIGNS = re.compile(r"[\s_\-.:：（）()【】\[\]*]+")
_QUESTIONS = (
    "question questions q query userquestion faqquestion standardquestion"
    " 问题 问 提问 标准问 标准问题 用户问题 问句 常见问题 题目 问题描述 问题内容 title"
)
"""Names of columns of questions, folded."""
_ANSWERS = (
    "answer answers a reply response faqanswer standardanswer groundtruth"
    " 答案 答 回答 标准答案 回复 答复 解答 参考答案 答案内容 回答内容 标准回答"
)
"""Names of columns of answers, folded."""


def read_csv(data: bytes) -> tuple[Page, ...] | Problem:
    """A CSV file as one page that is a table, or why it is none."""
    if not data:
        return Problem(code="zero_bytes")
    text = decode(data)
    if text is None:
        return Problem(code="decode")
    try:
        rows = _rows(text)
    except csv.Error as error:
        return Problem(code="damaged", detail=str(error))
    if not rows:
        return Problem(code="no_text")
    writer = PageWriter()
    write_rows(writer, [[Cell(value) for value in row] for row in rows])
    return (writer.page(),)


def write_rows(writer: PageWriter, grid: Sequence[Sequence[Cell]]) -> None:
    """Write rows as a list of questions and answers where their names say so, else as a table."""
    faq = faq_columns([cell.text for cell in grid[0]])
    if faq and len(grid) > 1:
        writer.table(grid, 1, faq)
    else:
        writer.table(grid, int(names_columns(grid)))


def faq_columns(names: Sequence[str]) -> tuple[int, int] | None:
    """The columns of questions and of answers, by their names in Chinese or English."""
    folded = [_SIGNS.sub("", name).casefold() for name in names]
    question, answer = (_first(folded, known.split()) for known in (_QUESTIONS, _ANSWERS))
    return None if question is None or answer is None else (question, answer)


def _first(names: Sequence[str], known: Sequence[str]) -> int | None:
    """The first column with a known name; `title` is a question only where nothing else is."""
    return min(
        (n for n, name in enumerate(names) if name in known), key=lambda n: (names[n] == "title", n), default=None
    )


def _rows(text: str) -> list[list[str]]:
    """The records, all as wide as the widest; empty ones left out."""
    csv.field_size_limit(_LARGEST_FIELD)
    found = [row for row in csv.reader(StringIO(text), delimiter=_delimiter(text)) if any(map(str.strip, row))]
    width = max(map(len, found), default=0)
    return [row + [""] * (width - len(row)) for row in found]


def _delimiter(text: str) -> str:
    """The sign that cuts most records alike, into more than one field."""

    def worth(sign: str) -> tuple[int, int]:
        widths = []
        for row in csv.reader(StringIO(text), delimiter=sign):
            if row:
                widths.append(len(row))
            if len(widths) == _LOOKED_AT:
                break
        first = widths[0] if widths else 1
        return (widths.count(first) if first > 1 else 0, first)

    return max(_DELIMITERS, key=worth)
