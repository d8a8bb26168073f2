"""Units: what is never cut. A sentence, with the exceptions and conditions that follow it; or a whole table row."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from builder.ingest.chunk.marks import is_bullet, is_item
from builder.model.parts import Glue, Parts, Span
from builder.text.passages import slice_parts
from builder.text.sentences import sentences

_EXCEPTION_ZH = re.compile(
    r"除外|例外|不适用|不在此[限列]|除非|不包括|不享受|不予|不受.{0,8}限制|另有(?:规定|约定)"
    r"|仅(?:适用|限)|前提(?:是|条件|下)|为前提|条件是"
    r"|^(?:但|不过|然而|否则|上述|前款|前述)|[，；。]但"
)
_EXCEPTION_EN = re.compile(
    r"\b(?:except|exceptions?|unless|however|provided(?: that)?|excluding|otherwise|notwithstanding"
    r"|only (?:if|when|where)|on condition that|subject to|as long as|save (?:for|where|that)"
    r"|(?:is|are) (?:excluded|exempt|not (?:covered|included|eligible))"
    r"|(?:do|does|did|shall|will) not (?:apply|cover|include))\b"
)
"""Sought in small letters: four times as fast as a pattern that ignores case."""
_CONDITIONS = re.compile(
    r"条件|情形|情况|(?:如果|如有|凡)|\b(?:if|when|where|conditions?|cases?|circumstances)\b", re.IGNORECASE
)
"""In an introduction: its list says when the rule holds, so the whole list belongs to it."""
_INTRODUCES = ("：", ":")
_NEWLINE = Glue(glue="\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Characters `start:end` of the text of one block (or table row)."""

    block: int
    """Tells blocks apart; pieces of one block in a row are cut out as one."""
    parts: Parts
    """Parts of the whole block."""
    start: int
    end: int


Unit = tuple[Piece, ...]


def whole(parts: Parts) -> Unit:
    """A unit of all of `parts`."""
    length = sum(part.end - part.start if isinstance(part, Span) else len(part.glue) for part in parts)
    return (Piece(block=id(parts), parts=parts, start=0, end=length),)


def length_of(unit: Unit) -> int:
    """Characters of a unit, its pieces joined."""
    return sum(piece.end - piece.start + 1 for piece in unit) - 1


def text_units(texts: Sequence[tuple[Parts, str]], maximum: int) -> list[Unit]:
    """The sentences of paragraphs as units.

    A sentence that holds an exception or condition stays with what stands before it, the first one after an
    introduction ("…：") with that, and where the introduction speaks of conditions or exceptions all items of its list;
    all this while it fits into `maximum`.
    """
    units: list[Unit] = []
    before, listing = "", False
    for piece, text in _sentences(texts):
        listing = _is_listed(piece, text, before, listing)
        bound = listing or before.endswith(_INTRODUCES) or _excepts(text)
        if units and bound and length_of(units[-1]) + 1 + len(text) <= maximum:
            units[-1] = (*units[-1], piece)
        else:
            units.append((piece,))
        before = text
    return units


def _excepts(text: str) -> bool:
    """True where the text holds an exception or condition."""
    chinese = not text.isascii() and _EXCEPTION_ZH.search(text) is not None
    return chinese or _EXCEPTION_EN.search(text.casefold()) is not None


def _is_listed(piece: Piece, text: str, before: str, listing: bool) -> bool:
    """True where the sentence belongs to the list of an introduction that speaks of conditions or exceptions."""
    if before.endswith(_INTRODUCES) and (_CONDITIONS.search(before) or _excepts(before)):
        return True
    return listing and (piece.start > 0 or is_item(text) or is_bullet(text))


def unit_parts(units: Sequence[Unit]) -> Parts:
    """The parts of units in a row: blocks apart by a line break, white space within a block as it stands there."""
    cut: list[Parts] = []
    for _, run in groupby(chain.from_iterable(units), key=lambda piece: piece.block):
        pieces = list(run)
        cut.append(slice_parts(pieces[0].parts, pieces[0].start, pieces[-1].end))
    return tuple(chain.from_iterable((_NEWLINE, *parts) for parts in cut))[1:]


def _sentences(texts: Sequence[tuple[Parts, str]]) -> Iterator[tuple[Piece, str]]:
    for number, (parts, text) in enumerate(texts):
        for start, end in sentences(text):
            yield Piece(block=number, parts=parts, start=start, end=end), text[start:end]
