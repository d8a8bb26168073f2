"""Which hyphens at line ends belong to the text, and which only say that a word was cut.

The document itself knows best: the word is looked for elsewhere in it, with the hyphen and without, and the form that
stands there more often wins. Where neither does, the hyphen is real

- before a digit, behind a part with a digit, and beside a Chinese letter: COVID-19, 3d-model, U-盘;
- behind or before a single letter: n-tridecanal, X-ray (no typesetter cuts a word there);
- before a capital, unless both parts are capitals and one is long: Soekarno-Hatta, TF-IDF, but INFOR-MATION;
- in an address or a name with _: https://example.com/a-b;
- in a word that has a hyphen already, where the part on the other side is a word of the document, and behind two
  hyphens: interpreter-to-trace, state-of-the-art;
- behind non-, self-, quasi-, pseudo- and four letters or more; before -based, -free, -like, …, behind a word;
- between two parts of three letters or more that are words of the document: language-independent;
- in a document where by all this at least four hyphens are real and they are most: it does not cut words.

Else the word was cut. "short- and long-term" keeps hyphen and blank. A hyphen that is kept is a character of the page
and counts as kept; one that is taken out is a mark of the layout, like the line end, and counts nowhere.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from builder.ingest.joining import HANGING
from builder.model.document import Line, Page, Table, TableCell
from builder.text.language import is_cjk

CUT = "\ufffe"
"""Stands in a page that is being read where a word goes on in the next line."""

Kind = Literal["cut", "real", "hanging"]
"""Take the hyphen out; keep it and join; keep it and leave a blank."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CUT_WORD = re.compile(rf"[\w-]*{CUT}[\w-]*")
_BEFORE = re.compile(r"\S*$")
_PARTS_BEFORE = re.compile(r"[\w'’-]*$")
_AFTER = re.compile(r"[\w'’-]*")
_ADDRESS = re.compile(r"://|www\.|[@_\\]|\w\.\w")
_FIRST = frozenset(("non", "self", "quasi", "pseudo"))
_SECOND = frozenset(
    (
        "based",
        "free",
        "like",
        "related",
        "specific",
        "aware",
        "oriented",
        "driven",
        "friendly",
        "style",
        "wide",
        "level",
    )
)
_FEW = 4
_WORD_LENGTH = 3
_SHORT_NAME = 4
_AROUND = 80
_WRITTEN: dict[Kind, str] = {"cut": "", "real": "-", "hanging": "- "}


@dataclass(slots=True)
class Vocabulary:
    """The words of a document."""

    words: Counter[str] = field(default_factory=Counter)
    """Words without hyphen."""
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Neighbours in words with hyphens."""
    cuts: bool = True
    """The document cuts words at line ends."""

    members: set[str] = field(default_factory=set)
    """Parts of words with hyphens."""

    def word(self, part: str) -> bool:
        """True for a word of the document, alone or in one with hyphens."""
        return self.words[part] > 0 or part in self.members


def vocabulary(texts: Iterable[str]) -> Vocabulary:
    """The words of texts, in small letters; words cut by a line end left out."""
    found: Counter[str] = Counter()
    for text in texts:
        whole = _CUT_WORD.sub(" ", text) if CUT in text else text
        found.update(_WORD.findall(whole.casefold().replace("\u2010", "-")))
    known = Vocabulary()
    for word, times in found.items():
        parts = word.split("-")
        if len(parts) == 1:
            known.words[word] += times
        else:
            known.members.update(parts)
        for pair in pairwise(parts):
            known.pairs[pair] += times
    return known


def hyphen_kind(before: str, after: str, known: Vocabulary) -> Kind:
    """What a hyphen between `before` and `after` (the text on either side, as much as there is) is."""
    left, right = _PARTS_BEFORE.search(before), _AFTER.match(after)
    parts = left.group().split("-") if left else [""]
    one, other = parts[-1], (right.group() if right else "")
    if other.casefold() in HANGING and not known.pairs[one.casefold(), other.casefold()]:
        return "hanging"
    beyond = "-" in other
    other = other.split("-")[0]
    if not one.isalpha() or not other or not other[0].isalpha():
        return "real"
    first, second = one.casefold(), other.casefold()
    joined, apart = known.words[first + second], known.pairs[first, second]
    if joined != apart:
        return "cut" if joined > apart else "real"
    compound = len(parts) > 2 or (len(parts) > 1 and known.word(second)) or (beyond and known.word(first))
    real = compound or _looks_real(before, one, other) or _reads_real(first, second, known)
    return "real" if real or not known.cuts else "cut"


def _looks_real(before: str, one: str, other: str) -> bool:
    """Real by its looks: single letters, Chinese, a capital, an address."""
    if min(len(one), len(other)) == 1 or is_cjk(one[-1]) or is_cjk(other[0]):
        return True
    if other[0].isupper():
        return not (one.isupper() and other.isupper()) or max(len(one), len(other)) <= _SHORT_NAME
    address = _BEFORE.search(before)
    return address is not None and _ADDRESS.search(address.group()) is not None


def _reads_real(first: str, second: str, known: Vocabulary) -> bool:
    """Real by the words on either side."""
    if first in _FIRST and len(second) > _WORD_LENGTH:
        return True
    if second in _SECOND:
        return known.word(first)
    return min(len(first), len(second)) >= _WORD_LENGTH and known.words[first] > 0 and known.word(second)


def settle_hyphens(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages of a document with each CUT taken out, or a hyphen in its place."""
    if not any(CUT in page.text for page in pages):
        return tuple(pages)
    known = vocabulary(page.text for page in pages)
    kinds = [hyphen_kind(*sides, known) for page in pages for _, sides in _places(page.text)]
    real = kinds.count("real")
    known.cuts = real < max(_FEW, kinds.count("cut"))
    return tuple(_settled(page, known) if CUT in page.text else page for page in pages)


def _settled(page: Page, known: Vocabulary) -> Page:
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    shift = kept = 0
    for at, sides in _places(page.text):
        written = _WRITTEN[hyphen_kind(*sides, known)]
        kept += written.startswith("-")
        shift += len(written) - 1
        moved.append((at, shift))
        pieces.append(written)
    runs = page.text.split(CUT)
    text = runs[0] + "".join(piece + run for piece, run in zip(pieces, runs[1:], strict=True))
    move = _Move(moved)
    lines = tuple(_line(line, text, move) for line in page.lines)
    tables = tuple(_table(table, move) for table in page.tables)
    return page.replace(text=text, lines=lines, tables=tables, extractable=page.extractable + kept)


def _places(text: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each CUT's place, and the text before and after it."""
    for match in re.finditer(CUT, text):
        at = match.start()
        yield at, (text[max(0, at - _AROUND) : at].replace(CUT, ""), text[at + 1 : at + _AROUND])


class _Move:
    """Where offsets of the text go."""

    def __init__(self, shifts: Sequence[tuple[int, int]]) -> None:
        self._at = [at for at, _ in shifts]
        self._shift = [0, *(shift for _, shift in shifts)]

    def __call__(self, offset: int) -> int:
        return offset + self._shift[bisect_left(self._at, offset)]


def _line(line: Line, text: str, move: _Move) -> Line:
    end = move(line.end)
    return line.replace(start=move(line.start), end=end - text[end - 1].isspace())


def _table(table: Table, move: _Move) -> Table:
    rows = tuple(tuple(TableCell(start=move(cell.start), end=move(cell.end)) for cell in row) for row in table.rows)
    return table.replace(rows=rows)
