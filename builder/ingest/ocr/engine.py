"""What an OCR engine is, and which one is taken."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from builder.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the image that was given."""
WEAK = 60
"""Confidence (0-100) under which a word is weak, if the engine says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """One line that was read."""

    text: str
    box: Pixels
    height: float
    """Height of the letters in pixels; a skewed line's box is higher."""
    confidences: tuple[int, ...]
    """0-100, one a word; engines that give one a line repeat it for each word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrPage:
    """What an engine read, in reading order."""

    lines: tuple[OcrLine, ...]
    engine: str = ""
    """What read it: engine, version and languages."""
    weak: int = WEAK
    """Confidence under which a word of this engine is weak."""

    @property
    def confidences(self) -> tuple[int, ...]:
        """Of all words."""
        return tuple(value for line in self.lines for value in line.confidences)

    @property
    def mean(self) -> int:
        """Mean confidence of all words, 0 where there are none."""
        return round(sum(self.confidences) / len(self.confidences)) if self.confidences else 0

    @property
    def low(self) -> int:
        """The 5 % quantile of the confidences of all words, 0 where there are none."""
        ordered = sorted(self.confidences)
        return ordered[(len(ordered) - 1) // 20] if ordered else 0

    @property
    def weak_share(self) -> int:
        """Weak words, per cent."""
        weak = sum(value < self.weak for value in self.confidences)
        return round(100 * weak / len(self.confidences)) if self.confidences else 0


class OcrEngine(Protocol):
    """Reads the image of one page, whichever way round it is."""

    @property
    def name(self) -> str:
        """As in builder.toml."""

    @property
    def version(self) -> str:
        """Of the engine and its models: part of what a reading rests on."""

    def read(self, image: "Image", languages: str) -> OcrPage:
        """The lines of `image`; `languages` are tesseract's codes joined by `+`."""


def whole(box: Pixels) -> tuple[int, int, int, int]:
    """The box in whole pixels, never empty."""
    left, top, right, bottom = box
    return int(left), int(top), max(int(right), int(left) + 1), max(int(bottom), int(top) + 1)


EngineFactory = Callable[[], OcrEngine]
"""Makes an engine in a worker: a function of a module, or a partial of one."""


def choose_engine(name: str, languages: str, timeout: int = 120) -> OcrEngine:
    """Make the engine of that name; see `engine_factory`."""
    return engine_factory(name, languages, timeout)()


def engine_factory(name: str, languages: str, timeout: int = 120) -> EngineFactory:
    """What makes the engine of that name.

    `auto` with both installed chooses for each page: rapidocr for Chinese and mixed ones, tesseract for others; else it
    is the one that is there. `timeout` is in seconds a page.

    Raises:
        InputError: it is not installed, or not for these languages; the line says how it gets there.
    """
    from builder.ingest.ocr import rapid, tesseract
    from builder.ingest.ocr.auto import Auto

    there = available_engines(languages)
    if name == "auto" and len(there) > 1:
        return partial(Auto, timeout)
    if name in ("auto", "rapidocr") and "rapidocr" in there:
        return rapid.Rapid
    if name in ("auto", "tesseract") and "tesseract" in there:
        return partial(tesseract.Tesseract, timeout)
    raise InputError("ocr_missing", engine=name, languages=languages, install=install_line(name, languages))


def available_engines(languages: str) -> tuple[str, ...]:
    """The engines that are installed and can read `languages`."""
    from builder.ingest.ocr import rapid, tesseract

    found = {"rapidocr": rapid.available(), "tesseract": tesseract.available(languages)}
    return tuple(name for name, there in found.items() if there)


def install_line(name: str, languages: str) -> str:
    """The command that installs what is missing."""
    if name != "tesseract":
        return "pip install 'golden-builder[rapidocr]'"
    packages = [f"tesseract-ocr-{code.replace('_', '-')}" for code in languages.split("+")]
    return " ".join(["apt-get install tesseract-ocr", *packages])
