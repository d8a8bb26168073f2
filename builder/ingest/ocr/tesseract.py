"""Tesseract through its command: the only importer of pytesseract.

One thread a process: with its default tesseract burns four times the CPU and is slower on a busy machine. Images go to
it uncompressed and grey: packing a page as PNG costs a fourth of what reading it does.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Any

from builder.ingest.ocr.engine import WEAK, OcrLine, OcrPage, whole
from builder.ingest.ocr.profile import SAMPLE, one_column, sample_lines, stacked
from builder.ingest.ocr.script import Script, languages_for, narrow_codes, script_of, sure_texts, wide_codes
from builder.ingest.ocr.turning import turned, turned_back
from builder.ingest.ocr.words import joined

if TYPE_CHECKING:
    from PIL.Image import Image

_COLUMNS, _COLUMN, _BLOCK = 3, 4, 6
"""Page segmentation: finds columns (and loses a lone 问 at the start of a line), one column, one block."""
_WIDE_SCRIPTS = frozenset(("Han", "Hangul", "Japanese", "Hiragana", "Katakana", "Korean"))
_QUARTERS = (90, 180, 270)
_MARGIN = 0.5
_SURE = 75
_LONG = 4


def available(languages: str) -> bool:
    """The command is there, and all of `languages`."""
    if shutil.which("tesseract") is None:
        return False
    import pytesseract

    return set(languages.split("+")) <= set(pytesseract.get_languages())


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a first look at a page says."""

    script: Script
    """Its script."""
    degrees: int = 0
    """How to turn it clockwise so that it stands upright."""
    deadline: float
    """When the time for this page is over, by the monotonic clock."""


class Tesseract:
    """The engine `tesseract`."""

    name = "tesseract"

    def __init__(self, timeout: int = 120) -> None:
        self._timeout = timeout
        os.environ["OMP_THREAD_LIMIT"] = "1"

    @cached_property
    def version(self) -> str:
        """Tesseract's own."""
        import pytesseract

        return str(pytesseract.get_tesseract_version())

    def read(self, image: "Image", languages: str) -> OcrPage:
        """Read the image, upright, with those of `languages` that fit its script.

        Raises:
            RuntimeError: tesseract failed or took too long.
            TimeoutError: no time is left for another try.
        """
        look = self.look(image, languages)
        page = self.read_as(image, languages, look)
        if self.overlooked(image, languages, look, page):
            return self.read_as(image, languages, replace(look, script=Script.WIDE))
        return page

    def look(self, image: "Image", languages: str) -> Look:
        """Read a few lines to learn the script; where they are weak, ask which way up the page stands.

        Costs about 0.3 CPU seconds, a third of reading a page; nothing where `languages` leave no choice.
        """
        deadline = monotonic() + self._timeout - _MARGIN
        if not (wide_codes(languages) and narrow_codes(languages)):
            return Look(script=Script.WIDE if wide_codes(languages) else Script.NARROW, deadline=deadline)
        found = self._glance(sample_lines(image), languages, deadline)
        if found is not Script.UNKNOWN:
            return Look(script=found, deadline=deadline)
        script, turns = self._detect(image, deadline)
        if len(turns) != 1:
            return Look(script=script, deadline=deadline)
        again = self._glance(sample_lines(turned(image, turns[0])), languages, deadline)
        return Look(script=script if again is Script.UNKNOWN else again, degrees=turns[0], deadline=deadline)

    def read_as(self, image: "Image", languages: str, look: Look) -> OcrPage:
        """Read the image as `look` says; where the words are weak, turn it every way that is left."""
        codes = languages_for(look.script, languages)
        page = self._page(image, codes, look.degrees, look.deadline)
        if look.degrees or not page.confidences or page.mean >= WEAK:
            return page
        _, turns = self._detect(image, look.deadline)
        tries = [self._page(image, codes, degrees, look.deadline) for degrees in turns]
        return max([page, *tries], key=lambda found: found.mean)

    def overlooked(self, image: "Image", languages: str, look: Look, page: OcrPage) -> bool:
        """A page read as Latin has weak lines, and they are Chinese."""
        weak = [line for line in page.lines if _weak(line)]
        if look.script is not Script.NARROW or not wide_codes(languages) or not weak:
            return False
        crops = [turned(image.crop(whole(line.box)), look.degrees) for line in weak[:SAMPLE]]
        return self._glance(stacked(crops, image), languages, look.deadline) is Script.WIDE

    def _glance(self, lines: "Image", languages: str, deadline: float) -> Script:
        found = self._read(lines, wide_codes(languages), _BLOCK, deadline)
        return script_of(sure_texts(found, _SURE)) if found.mean >= WEAK else Script.UNKNOWN

    def _detect(self, image: "Image", deadline: float) -> tuple[Script, tuple[int, ...]]:
        """The script, and how to turn the image so that it stands upright: one answer, none, or all to be tried."""
        import pytesseract

        try:
            found: dict[str, Any] = pytesseract.image_to_osd(
                _plain(image), output_type=pytesseract.Output.DICT, timeout=_left(deadline)
            )
        except pytesseract.TesseractError:  # "Too few characters" on a sparse page, or no `osd` data
            return Script.UNKNOWN, _QUARTERS
        degrees = int(found["rotate"])
        return Script.WIDE if found["script"] in _WIDE_SCRIPTS else Script.NARROW, (degrees,) if degrees else ()

    def _page(self, image: "Image", codes: str, degrees: int, deadline: float) -> OcrPage:
        upright = turned(image, degrees)
        page = self._read(upright, codes, _COLUMN if one_column(upright) else _COLUMNS, deadline)
        return turned_back(page, degrees, image.size)

    def _read(self, image: "Image", codes: str, layout: int, deadline: float) -> OcrPage:
        import pytesseract

        dpi = image.info.get("dpi")
        table: dict[str, list[Any]] = pytesseract.image_to_data(
            _plain(image),
            lang=codes,
            config=f"--psm {layout}" + (f" --dpi {round(dpi[0])}" if dpi else ""),
            output_type=pytesseract.Output.DICT,
            timeout=_left(deadline),
        )
        return OcrPage(lines=tuple(_lines(table)), engine=f"{self.name} {self.version} {codes}")


def _weak(line: OcrLine) -> bool:
    """Weak on the whole, and long enough to be a line of text."""
    left, top, right, bottom = line.box
    long = max(right - left, bottom - top) > _LONG * line.height
    return long and sum(line.confidences) < WEAK * len(line.confidences)


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _plain(image: "Image") -> "Image":
    """Grey, and to be handed over without packing it."""
    grey = image.convert("L")
    grey.format = "PPM"
    return grey


def _lines(table: dict[str, list[Any]]) -> Iterator[OcrLine]:
    """Words -> lines, in tesseract's reading order."""
    rows = [index for index, text in enumerate(table["text"]) if text.strip() and float(table["conf"][index]) >= 0]
    for _, run in groupby(rows, key=lambda i: (table["block_num"][i], table["par_num"][i], table["line_num"][i])):
        words = list(run)
        yield OcrLine(
            text=joined([table["text"][i].strip() for i in words]),
            box=(
                min(table["left"][i] for i in words),
                min(table["top"][i] for i in words),
                max(table["left"][i] + table["width"][i] for i in words),
                max(table["top"][i] + table["height"][i] for i in words),
            ),
            height=sorted(table["height"][i] for i in words)[len(words) // 2],
            confidences=tuple(round(float(table["conf"][i])) for i in words),
        )
