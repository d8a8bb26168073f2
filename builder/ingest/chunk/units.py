"""Units: what is never cut. A sentence, with the exceptions and conditions that follow it; or a whole table row."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from builder.model.parts import Glue, Parts, Span
from builder.text.passages import slice_parts
from builder.text.sentences import sentences

_EXCEPTION = re.compile(
    r"除外|例外|不适用|不在此限|除非|不包括|不受.{0,8}限制|另有(?:规定|约定)"
    r"|^(?:但|不过|然而|否则|上述|前款|前述)|[，；。]但"
    r"|\b(?:except|exceptions?|unless|however|provided(?: that)?|excluding|otherwise|notwithstanding"
    r"|(?:do|does|did|shall|will) not (?:apply|cover|include))\b",
    re.IGNORECASE,
)
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

    A sentence that holds an exception or condition stays with what stands before it, and the first one after an
    introduction ("…：") with that, while both fit into `maximum`.
    """
    units: list[Unit] = []
    before = ""
    for piece, text in _sentences(texts):
        bound = before.endswith(_INTRODUCES) or _EXCEPTION.search(text)
        if units and bound and length_of(units[-1]) + 1 + len(text) <= maximum:
            units[-1] = (*units[-1], piece)
        else:
            units.append((piece,))
        before = text
    return units


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
