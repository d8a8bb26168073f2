"""RapidOCR: the only importer of rapidocr. Its models lie in its wheel, nothing is fetched.

It reads a line whichever way up it stands, but then gives the lines in no order; so the page is set upright first.
"""

from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.ingest.ocr.engine import OcrLine, OcrPage, Pixels
from builder.ingest.ocr.order import reading_order
from builder.ingest.ocr.turning import turned, turned_back

if TYPE_CHECKING:
    from PIL.Image import Image

_SETTINGS = {
    "Global.log_level": "error",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_SAMPLE = 8
_SURE = 0.9


def available() -> bool:
    """It is installed with a runtime, and its models are beside it (it would fetch them otherwise)."""
    found = find_spec("rapidocr")
    if found is None or found.origin is None or find_spec("onnxruntime") is None:
        return False
    kinds = ("*_det_*.onnx", "*_rec_*.onnx", "*_cls_*.onnx")
    return all(any((Path(found.origin).parent / "models").glob(kind)) for kind in kinds)


class Rapid:
    """The engine `rapidocr`. One thread: there is a worker a core."""

    name = "rapidocr"

    def __init__(self) -> None:
        from rapidocr import RapidOCR

        self._engine: Any = RapidOCR(params=_SETTINGS)

    @property
    def version(self) -> str:
        """That of the package, and with it of its models."""
        return version("rapidocr")

    def read(self, image: "Image", languages: str) -> OcrPage:
        """Read the image, upright. The models know Chinese and English; `languages` changes nothing."""
        image = image.convert("RGB")
        degrees = 0
        lines = self._lines(image)
        if _sideways(lines):
            degrees = 90
            lines = self._lines(turned(image, degrees))
        if self._upside_down(turned(image, degrees), lines):
            degrees += 180
            lines = self._lines(turned(image, degrees))
        ordered = [lines[index] for index in reading_order([line.box for line in lines])]
        return turned_back(OcrPage(lines=tuple(ordered)), degrees, image.size)

    def _lines(self, image: "Image") -> list[OcrLine]:
        import numpy

        found = self._engine(numpy.asarray(image)[:, :, ::-1])
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
        crops = [numpy.asarray(image.crop(_whole(line.box)))[:, :, ::-1] for line in longest]
        if not crops:
            return False
        labels = self._engine.text_cls(crops).cls_res
        turned_lines: int = sum("180" in label and score > _SURE for label, score in labels)
        return turned_lines * 2 > len(labels)


def _line(quad: Sequence[Sequence[float]], text: str, score: float) -> OcrLine:
    xs, ys = [float(x) for x, _ in quad], [float(y) for _, y in quad]
    height = min(_distance(quad[0], quad[3]), _distance(quad[0], quad[1]))
    words = max(1, len(text.split()))
    return OcrLine(
        text=text.strip(),
        box=(min(xs), min(ys), max(xs), max(ys)),
        height=height,
        confidences=(round(float(score) * 100),) * words,
    )


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _sideways(lines: Sequence[OcrLine]) -> bool:
    """Most lines of some length stand upright as columns do."""
    long = [line for line in lines if len(line.text) >= 4]
    return sum(line.box[3] - line.box[1] > line.box[2] - line.box[0] for line in long) * 2 > len(long)


def _whole(box: Pixels) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    return int(left), int(top), max(int(right), int(left) + 1), max(int(bottom), int(top) + 1)
