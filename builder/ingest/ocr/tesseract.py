"""Tesseract through its command: the only importer of pytesseract.

One thread a process: with its default tesseract burns four times the CPU and is slower on a busy machine.
"""

import os
import shutil
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Any

from builder.ingest.joining import join
from builder.ingest.ocr.engine import WEAK, OcrLine, OcrPage
from builder.ingest.ocr.turning import turned, turned_back

if TYPE_CHECKING:
    from PIL.Image import Image

_PSM = "--psm 3"
_QUARTERS = (90, 180, 270)
_MARGIN = 0.5


def available(languages: str) -> bool:
    """The command is there, and all of `languages`."""
    if shutil.which("tesseract") is None:
        return False
    import pytesseract

    return set(languages.split("+")) <= set(pytesseract.get_languages())


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
        """Read the image; where the words are weak, turn it as tesseract's own detection says, else every way.

        Raises:
            RuntimeError: tesseract failed or took too long.
            TimeoutError: no time is left for another try.
        """
        deadline = monotonic() + self._timeout - _MARGIN
        page = self._read(image, languages, 0, deadline)
        if not page.confidences or page.mean >= WEAK:
            return page
        return max(
            [page, *(self._read(image, languages, degrees, deadline) for degrees in self._turns(image, deadline))],
            key=lambda found: found.mean,
        )

    def _turns(self, image: "Image", deadline: float) -> tuple[int, ...]:
        """How to turn the image so that it stands upright: one answer, or all to be tried."""
        import pytesseract

        try:
            found: dict[str, Any] = pytesseract.image_to_osd(
                image, output_type=pytesseract.Output.DICT, timeout=_left(deadline)
            )
        except pytesseract.TesseractError:  # "Too few characters" on a sparse page, or no `osd` data
            return _QUARTERS
        degrees = int(found["rotate"])
        return (degrees,) if degrees else ()

    def _read(self, image: "Image", languages: str, degrees: int, deadline: float) -> OcrPage:
        import pytesseract

        table: dict[str, list[Any]] = pytesseract.image_to_data(
            turned(image, degrees),
            lang=languages,
            config=_PSM,
            output_type=pytesseract.Output.DICT,
            timeout=_left(deadline),
        )
        return turned_back(OcrPage(lines=tuple(_lines(table))), degrees, image.size)


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _lines(table: dict[str, list[Any]]) -> Iterator[OcrLine]:
    """Words -> lines, in tesseract's reading order."""
    rows = [index for index, text in enumerate(table["text"]) if text.strip() and float(table["conf"][index]) >= 0]
    for _, run in groupby(rows, key=lambda i: (table["block_num"][i], table["par_num"][i], table["line_num"][i])):
        words = list(run)
        yield OcrLine(
            text=_joined([table["text"][i].strip() for i in words]),
            box=(
                min(table["left"][i] for i in words),
                min(table["top"][i] for i in words),
                max(table["left"][i] + table["width"][i] for i in words),
                max(table["top"][i] + table["height"][i] for i in words),
            ),
            height=sorted(table["height"][i] for i in words)[len(words) // 2],
            confidences=tuple(round(float(table["conf"][i])) for i in words),
        )


def _joined(words: list[str]) -> str:
    """Tesseract takes Chinese characters apart as if they were words."""
    text = words[0]
    for word in words[1:]:
        text += join(text, word) + word
    return text
