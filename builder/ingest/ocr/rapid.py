"""RapidOCR: the only importer of rapidocr. Its models lie in its wheel, nothing is fetched.

It reads a line whichever way up it stands, but then gives the lines in no order; so the page is set upright first.
"""

from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.ingest.ocr.engine import OcrLine, OcrPage, whole
from builder.ingest.ocr.order import reading_order
from builder.ingest.ocr.turning import turned, turned_back
from builder.ingest.ocr.words import joined

if TYPE_CHECKING:
    from PIL.Image import Image

_SETTINGS = {
    "Global.log_level": "error",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_SAMPLE = 8
_SURE = 0.9
_WEAK = 80
"""It gives more than 95 for nearly every line, and for what it misreads still more than 60."""
_UPRIGHT = 85


def available() -> bool:
    """It is installed with a runtime, and its models are beside it (it would fetch them otherwise)."""
    found = find_spec("rapidocr")
    if found is None or found.origin is None or find_spec("onnxruntime") is None:
        return False
    kinds = ("*_det_*.onnx", "*_rec_*.onnx", "*_cls_*.onnx")
    return all(any((Path(found.origin).parent / "models").glob(kind)) for kind in kinds)


def package_version() -> str:
    """That of the package, and with it of its models."""
    return version("rapidocr")


class Rapid:
    """The engine `rapidocr`. One thread: there is a worker a core."""

    name = "rapidocr"

    def __init__(self) -> None:
        from rapidocr import RapidOCR

        self._engine: Any = RapidOCR(params=_SETTINGS)

    @property
    def version(self) -> str:
        """See `package_version`."""
        return package_version()

    def read(self, image: "Image", languages: str) -> OcrPage:
        """Read the image, upright. The models know Chinese and English; `languages` changes nothing."""
        image = image.convert("RGB")
        degrees = 0
        lines = self._lines(image)
        if not _plausible(lines):
            degrees = self._degrees(image)
            lines = self._lines(turned(image, degrees)) if degrees else lines
        ordered = [lines[index] for index in reading_order([line.box for line in lines])]
        read = OcrPage(lines=tuple(ordered), engine=f"{self.name} {self.version}", weak=_WEAK)
        return turned_back(read, degrees, image.size)

    def _degrees(self, image: "Image") -> int:
        """How to turn the image clockwise so that it stands upright."""
        lines = self._lines(image, either_way=True)
        degrees = 90 if _sideways(lines) else 0
        if degrees:
            lines = self._lines(turned(image, degrees), either_way=True)
        return degrees + 180 if self._upside_down(turned(image, degrees), lines) else degrees

    def _lines(self, image: "Image", *, either_way: bool = False) -> list[OcrLine]:
        """The lines of an upright image; or, `either_way`, each turned first as its classifier says.

        It says so of single upright lines too, and then nothing of them is left ("3 -s gt").
        """
        import numpy

        pixels = numpy.asarray(image)[:, :, ::-1]
        found = self._engine(pixels, use_det=True, use_rec=True, use_cls=either_way)
        if found.boxes is None or found.txts is None:
            return []
        return [
            _line(quad, text, score)
            for quad, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if text.strip()
        ]

    def _upside_down(self, image: "Image", lines: Sequence[OcrLine]) -> bool:
        """Most of the longest lines stand on their heads, says its classifier."""
        import numpy

        longest = sorted(lines, key=lambda line: line.box[0] - line.box[2])[:_SAMPLE]
        crops = [numpy.asarray(image.crop(whole(line.box)))[:, :, ::-1] for line in longest]
        if not crops:
            return False
        labels = self._engine.text_cls(crops).cls_res
        turned_lines: int = sum("180" in label and score > _SURE for label, score in labels)
        return turned_lines * 2 > len(labels)


def _line(quad: Sequence[Sequence[float]], text: str, score: float) -> OcrLine:
    xs, ys = [float(x) for x, _ in quad], [float(y) for _, y in quad]
    height = min(_distance(quad[0], quad[3]), _distance(quad[0], quad[1]))
    words = text.split()
    return OcrLine(
        text=joined(words),
        box=(min(xs), min(ys), max(xs), max(ys)),
        height=height,
        confidences=(round(float(score) * 100),) * len(words),
    )


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _plausible(lines: Sequence[OcrLine]) -> bool:
    """An upright page gives lines, and nearly all are sure."""
    mean = sum(line.confidences[0] for line in lines) / len(lines) if lines else 0
    return mean >= _UPRIGHT and not _sideways(lines)


def _sideways(lines: Sequence[OcrLine]) -> bool:
    """Most lines of some length stand upright as columns do."""
    long = [line for line in lines if len(line.text) >= 4]
    return sum(line.box[3] - line.box[1] > line.box[2] - line.box[0] for line in long) * 2 > len(long)
