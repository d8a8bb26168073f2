"""Where evidence may begin and end: the sentences of a chunk and the rows of its tables, with what they are about."""

import re
from dataclasses import dataclass
from functools import lru_cache

from builder.model.case import Evidence
from builder.model.chunk import Chunk
from builder.model.parts import spans
from builder.text.passages import slice_parts
from builder.text.sentences import sentences

_ROW = re.compile(r"\s*[^；;:：\n]{1,40}[：:][^；;\n]*(?:[；;]\s*[^；;:：\n]{1,40}[：:][^；;\n]*)+")
"""A row of a table as chunks write it: label：cell；label：cell."""
_ASKED = re.compile(r"\s*(?:问|Q|Question)\s?[:：]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sentence or row."""

    text: str
    """As it stands."""
    start: int
    """Offset in the text of the chunk."""
    end: int
    """Offset behind it."""
    asked: str = ""
    """The question that it answers, where the chunk holds question/answer pairs."""


def lines(chunk: Chunk) -> tuple[Line, ...]:
    """The lines of a chunk, in order; questions of question/answer pairs are left out."""
    return _lines(chunk.text)


@lru_cache(maxsize=1 << 9)
def _lines(whole: str) -> tuple[Line, ...]:
    found: list[Line] = []
    asked = ""
    for start, end in spans_of(whole):
        text = whole[start:end]
        if _ASKED.match(text):
            asked = text
        else:
            found.append(Line(text=text, start=start, end=end, asked=asked))
    return tuple(found)


def spans_of(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of a text stand; a row of a table stands for itself."""
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        at = begin = start
        for line in text[start:end].split("\n"):
            behind = at + len(line)
            if _ROW.fullmatch(line):
                found += [(begin, at)] if text[begin:at].strip() else []
                found.append((at, behind))
                begin = behind + 1
            at = behind + 1
        found += [(begin, end)] if text[begin:end].strip() else []
    return tuple(found)


def about(chunk: Chunk, line: Line) -> str:
    """What says what a line is about: title, headings, the question that it answers."""
    return "\n".join((chunk.metadata.title or "", *chunk.section, line.asked))


def evidence_of(chunk: Chunk, start: int, end: int) -> Evidence | None:
    """Characters `start:end` of a chunk as evidence; none where none of them comes from a page."""
    while start < end and chunk.text[start].isspace():
        start += 1
    while end > start and chunk.text[end - 1].isspace():
        end -= 1
    parts = slice_parts(chunk.parts, start, end) if start < end else ()
    if not spans(parts):
        return None
    return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text[start:end], parts=parts)
