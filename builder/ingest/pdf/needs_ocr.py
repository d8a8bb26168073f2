"""When a page needs OCR: a rule measured over about 600 pages of text, scans and broken text layers.

No signal is enough alone: pages of contents are full of dots, a good hidden layer has unmapped characters, a scan may
be stored in strips, and a stamped header makes a scan look like text.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from builder.ingest.counting import count
from builder.ingest.pdf.characters import GARBAGE, HYPHEN, Characters
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.objects import PageObjects

_LEADERS = re.compile(r"([.…·_\-=*])(?:\1{3,}|(?<=\.) (?:\. ){2,})")
_LETTER = re.compile(r"[^\W\d_]")
_FEW_CHARACTERS = 50
_IMAGE_SHARE = 0.5
_BAD_SHARE = 0.10
_UNMAPPED_SHARE = 0.5
_SOME_UNMAPPED_SHARE = 0.10
_GOOD_SHARE = 0.5
_MANY_PATHS = 200
_DIFFERENT_SIGNS = 3
_MARGIN = 0.125


class Verdict(StrEnum):
    """What a page is."""

    TEXT = "text"
    BLANK = "blank"
    HIDDEN = "hidden"
    """A hidden text layer over an image."""
    SCAN = "scan"
    GARBLED = "garbled"
    """The text layer is no text."""
    OUTLINED = "outlined"
    """Letters drawn as paths."""

    @property
    def needs_ocr(self) -> bool:
        """Only an image of the page can be read."""
        return self in (Verdict.SCAN, Verdict.GARBLED, Verdict.OUTLINED)


def judge(characters: Characters, objects: PageObjects, lines: Iterable[Box]) -> Verdict:
    """Say what a page is; `lines` are the boxes of its text lines on the page as shown."""
    text = _LEADERS.sub("", characters.text.replace(HYPHEN, ""))
    total = count(text)
    if total and garbled(text, total, characters.map_errors()):
        return Verdict.GARBLED
    size = characters.frame.size
    imaged = _image_share(objects.images, size) >= _IMAGE_SHARE
    if imaged and total and objects.mostly_invisible():
        return Verdict.HIDDEN
    if imaged and (total < _FEW_CHARACTERS or _only_in_margins(lines, size)):
        return Verdict.SCAN
    if not total:
        return Verdict.OUTLINED if len(objects.paths) > _MANY_PATHS else Verdict.BLANK
    return Verdict.TEXT


def garbled(text: str, total: int, unmapped: float) -> bool:
    """True where `text` of `total` counted characters, with a share of `unmapped` ones, is no text."""
    if len(GARBAGE.findall(text)) / total >= _BAD_SHARE or unmapped >= _UNMAPPED_SHARE or _only_signs(text, total):
        return True
    return unmapped >= _SOME_UNMAPPED_SHARE and len(_LETTER.findall(text)) / total < _GOOD_SHARE


def _only_signs(text: str, total: int) -> bool:
    """A few different signs without a letter: codes of a font without a map. A page number between dashes is none."""
    if total >= _FEW_CHARACTERS or _LETTER.search(text):
        return False
    return len({char for char in text if not char.isalnum() and not char.isspace()}) >= _DIFFERENT_SIGNS


def _image_share(images: Sequence[Box], size: tuple[float, float]) -> float:
    """Sum of the images' areas over the page's: a scan stored in strips has no large one."""
    width, height = size
    area = sum(
        max(0.0, min(right, width) - max(left, 0.0)) * max(0.0, min(bottom, height) - max(top, 0.0))
        for left, top, right, bottom in images
    )
    return area / (width * height) if width * height else 0.0


def _only_in_margins(lines: Iterable[Box], size: tuple[float, float]) -> bool:
    """All text stands in the outer eighth: a digital header or stamp over a scanned body."""
    width, height = size
    return not any(
        _MARGIN * width < (left + right) / 2 < (1 - _MARGIN) * width
        and _MARGIN * height < (top + bottom) / 2 < (1 - _MARGIN) * height
        for left, top, right, bottom in lines
    )
