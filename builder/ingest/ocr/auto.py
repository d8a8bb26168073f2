"""The better engine for each page: rapidocr for Chinese and mixed ones, tesseract for the others.

rapidocr misreads a tenth as many Chinese characters and takes three times as long; on English pages it now and then
fuses two lines, where tesseract makes next to no mistake.
"""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from builder.ingest.ocr.engine import OcrPage
from builder.ingest.ocr.rapid import Rapid, package_version
from builder.ingest.ocr.script import Script, wide_codes
from builder.ingest.ocr.tesseract import Look, Tesseract
from builder.ingest.ocr.turning import turned, turned_back

if TYPE_CHECKING:
    from PIL.Image import Image

_RAPID = "chi_"


class Auto:
    """The engine `auto` where both are installed. The models of rapidocr are loaded at the first page for them."""

    name = "auto"

    def __init__(self, timeout: int = 120) -> None:
        self._tesseract = Tesseract(timeout)

    @property
    def version(self) -> str:
        """Of both."""
        return f"tesseract {self._tesseract.version}, rapidocr {package_version()}"

    @cached_property
    def _rapid(self) -> Rapid:
        return Rapid()

    def read(self, image: "Image", languages: str) -> OcrPage:
        """Read the image with the engine that suits its script.

        Raises:
            RuntimeError: tesseract failed or took too long.
            TimeoutError: no time is left for another try.
        """
        look = self._tesseract.look(image, languages)
        if look.script is Script.WIDE:
            return self._wide(image, languages, look)
        page = self._tesseract.read_as(image, languages, look)
        if self._tesseract.overlooked(image, languages, look, page):
            return self._wide(image, languages, replace(look, script=Script.WIDE))
        return page

    def _wide(self, image: "Image", languages: str, look: Look) -> OcrPage:
        if not all(code.startswith(_RAPID) for code in wide_codes(languages).split("+")):
            return self._tesseract.read_as(image, languages, look)
        page = self._rapid.read(turned(image, look.degrees), languages)
        return turned_back(page, look.degrees, image.size)
