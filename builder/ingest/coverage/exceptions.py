"""Exceptions that were cut from their rule: the chunk says "except …", and what is excepted from stands in another."""

import re
from collections.abc import Sequence

from builder.model.chunk import Chunk, ChunkKind
from builder.model.parts import spans
from builder.text.sentences import sentences

_ENDS = "。！？!?.…；;：:"
_HINT = re.compile(
    r"但|不过|然而|否则|除外|例外|不在此限|不适用|不受"
    r"|\b(?:except|however|otherwise|notwithstanding|provided|unless|exclu|exempt|not (?:apply|cover|include))",
    re.IGNORECASE,
)
"""Cheap: a text without any of these holds no exception."""
_BACK = re.compile(
    r"^(?:但(?!凡)|不过|然而|否则|除外|例外)"
    r"|^(?:上述|前述|前款|前条|以上|本条|本款|该条|此条).*(?:除外|例外|不在此限|不适用|不受)"
    r"|^[^可应须必]{1,80}(?:除外|例外|不在此限|不适用(?:上述|前款|前述|本条|本款|以上|该|此)[^，；。]{0,30})[。．.!！）)]*$"
    r"|^(?:However|Otherwise|Notwithstanding|Excepted|Exceptions?|Provided(?: that)?)\b"
    r"|^Except\b[^,]*$"
    r"|^(?:This|That|It|They|These|The (?:above|foregoing|preceding)\b[\w ]*|The same)\b[^,;]{0,40}"
    r"\b(?:does|do|shall|will) not (?:apply|cover|include)\b"
    r"|^[^,;]{1,100}\b(?:is|are) (?:excluded|excepted|exempt(?:ed)?)\b[^,;]{0,30}\.?$",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence that excepts from a rule that stands before it; one that brings its own rule does not count."""
_WITHIN = re.compile(r"除外|例外|不在此限|[，；]但|\b(?:except|unless|excluding|provided that)\b", re.IGNORECASE)
"""In the rest of a sentence: it excepts from what its beginning says."""


def cut_exceptions(chunks: Sequence[Chunk]) -> tuple[int, tuple[str, ...]]:
    """How many sentences except from what stands before them, and the chunks that begin with one.

    `chunks` are those of one document in order. At the head of a section nothing stands before; tables have no
    sentences.
    """
    count = 0
    cut: list[str] = []
    for before, chunk in zip((None, *chunks), chunks, strict=False):
        if chunk.kind is ChunkKind.TABLE or not _HINT.search(chunk.text):
            continue
        texts = [chunk.text[start:end] for start, end in sentences(chunk.text)]
        count += sum(map(refers_back, texts[1:]))
        if texts and before and _goes_on(before, chunk) and _excepts(before, chunk, texts[0]):
            count += 1
            cut.append(chunk.chunk_id)
    return count, tuple(cut)


def refers_back(sentence: str) -> bool:
    """True where a sentence excepts from a rule that stands before it."""
    return _BACK.search(sentence.strip()) is not None


def _goes_on(before: Chunk, chunk: Chunk) -> bool:
    return before.section == chunk.section and before.kind is not ChunkKind.TABLE and bool(before.text.strip())


def _excepts(before: Chunk, chunk: Chunk, first: str) -> bool:
    """The chunk begins with an exception, or in the middle of a sentence that holds one."""
    return refers_back(first) or (_within_a_line(before, chunk) and _WITHIN.search(first) is not None)


def _within_a_line(before: Chunk, chunk: Chunk) -> bool:
    """The text was cut where the page goes on."""
    last, first = spans(before.parts)[-1:], spans(chunk.parts)[:1]
    return any(
        one.page == other.page and 0 <= other.start - one.end <= 1 and before.text[-1:] not in _ENDS
        for one, other in zip(last, first, strict=False)
    )
