"""The characters of a page, at pdfium's own indexes, and what counts as one.

White space counts never (all that pdfium generates is white space). U+FFFE, by which pdfium marks a hyphen that it took
out at a line end to join the word, counts where the hyphen is found to be real and put back (ingest.hyphens), not where
it only marked the line end.
"""

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from math import sqrt
from typing import TYPE_CHECKING

import pypdfium2.raw as raw

from builder.ingest.counting import count
from builder.ingest.pdf.frame import Box, Frame

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

HYPHEN = "\ufffe"
"""Stands where a word was cut by a line end."""
_HYPHEN_CODE = 2
_FIRST_LOOK = 100
_NO_CHARACTER = re.compile(HYPHEN)
_ALEF_LAM = re.compile("[\u0622\u0623\u0625\u0627]\u0644")
GARBAGE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ue000-\uf8ff\ufffd\uffff\U000f0000-\U0010ffff]"
)
"""Control characters, halves of pairs, private use, unmapped: no text whatever the font showed."""


def _four_numbers() -> tuple[ctypes.c_double, ...]:
    return ctypes.c_double(), ctypes.c_double(), ctypes.c_double(), ctypes.c_double()


@dataclass(frozen=True, slots=True, kw_only=True)
class Characters:
    """The characters of a page."""

    text: str
    """One character an index of pdfium, line ends and HYPHEN among them."""
    handle: object
    """pdfium's text page."""
    frame: Frame
    """The page."""
    _sides: tuple[ctypes.c_double, ...] = field(default_factory=_four_numbers, init=False, repr=False, compare=False)
    _matrix: raw.FS_MATRIX = field(default_factory=raw.FS_MATRIX, init=False, repr=False, compare=False)
    # pdfium writes what it is asked for into these: made once a page, because making them costs more than asking.

    @property
    def extractable(self) -> int:
        """How many count, hyphens at line ends left out."""
        return count(self.text) - self.text.count(HYPHEN)

    def line_box(self, start: int, end: int) -> Box:
        """The box around characters `start:end`."""
        return around(self.rects(start, end))

    def rects(self, start: int, end: int) -> list[Box]:
        """The boxes of the runs of one font in `start:end`."""
        handle, shown = self.handle, self.frame.shown
        left, top, right, bottom = self._sides
        return [
            shown(left.value, bottom.value, right.value, top.value)
            for index in range(raw.FPDFText_CountRects(handle, start, end - start))
            if raw.FPDFText_GetRect(handle, index, left, top, right, bottom)
        ]

    def box(self, index: int) -> Box | None:
        """The box of one character."""
        left, top, right, bottom = self._sides
        if not raw.FPDFText_GetCharBox(self.handle, index, left, right, bottom, top):
            return None
        return self.frame.shown(left.value, bottom.value, right.value, top.value)

    def boxes(self) -> list[Box | None]:
        """The box of each character; none for what does not count."""
        box = self.box
        return [None if char.isspace() or char == HYPHEN else box(index) for index, char in enumerate(self.text)]

    def size(self, start: int, end: int) -> float:
        """Height of the letters in `start:end`, points: the larger of the first and the middle one's font size."""
        return max(self._font_size(start), self._font_size((start + end) // 2))

    def map_errors(self, most: int = 500) -> float:
        """Share of characters that the font cannot map to text, over a sample; 0 where a part of it has none."""
        sample = range(0, len(self.text), max(1, len(self.text) // most))
        if not any(map(self._is_unmapped, sample[:: max(1, len(sample) // _FIRST_LOOK)])):
            return 0.0
        return sum(map(self._is_unmapped, sample)) / len(sample)

    def _is_unmapped(self, index: int) -> bool:
        return bool(raw.FPDFText_HasUnicodeMapError(self.handle, index) == 1)

    def _font_size(self, index: int) -> float:
        matrix = self._matrix
        size = float(raw.FPDFText_GetFontSize(self.handle, index))
        if not raw.FPDFText_GetMatrix(self.handle, index, matrix):
            return size
        return round(size * sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c)), 2)


def characters_of(page: "PdfTextPage", frame: Frame) -> Characters:
    """The characters of a text page.

    pdfium's one call for the whole text leaves some control characters out; then they are asked for one by one. Latin
    ligatures come as their letters. So does the Arabic one of lam and alef, but turned round: it is turned back.
    """
    total = page.count_chars()
    buffer = (ctypes.c_ushort * (total + 1))()
    got = raw.FPDFText_GetText(page.raw, 0, total, buffer) if total else 1
    text = bytes(buffer)[: 2 * max(got - 1, 0)].decode("utf-16-le", "surrogatepass")
    if len(text) != total:
        text = "".join(_one_by_one(page.raw, total))
    text = _NO_CHARACTER.sub(lambda match: _hyphen_or_none(page.raw, match.start()), text)
    found = Characters(text=text, handle=page.raw, frame=frame)
    return replace(found, text=_ALEF_LAM.sub(partial(_lam_alef, found), text)) if _ALEF_LAM.search(text) else found


def around(boxes: Sequence[Box]) -> Box:
    """The box around `boxes`; an empty one at the corner where there is none."""
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = boxes[0]
    if len(boxes) > 1:
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
    return round(left, 2), round(top, 2), round(right, 2), round(bottom, 2)


def _lam_alef(characters: Characters, match: re.Match[str]) -> str:
    """The two letters of one glyph (one box for both) in the order of writing; other pairs as they are."""
    pair, start = match.group(), match.start()
    return pair[::-1] if characters.box(start) == characters.box(start + 1) else pair


def _one_by_one(handle: object, total: int) -> list[str]:
    codes = map(raw.FPDFText_GetUnicode, repeat(handle), range(total))
    return [HYPHEN if code == _HYPHEN_CODE else chr(code) for code in codes]


def _hyphen_or_none(handle: object, index: int) -> str:
    """What pdfium gives as U+FFFE: a hyphen, or a letter that the font does not map, which is garbage."""
    return HYPHEN if raw.FPDFText_IsHyphen(handle, index) == 1 else "\x00"
