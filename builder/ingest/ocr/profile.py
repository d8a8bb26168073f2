"""What the ink of a page tells before anything is read: where lines are, and whether they stand in columns."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

SAMPLE = 6
"""Lines of a page that a first look takes."""
_FEW = 3
_REDUCE = 8
_INK = 0.2
_TALLEST, _LOWEST = 15, 200
_PAD = 6
_DIP = 0.75
_SHORT = 0.25


def sample_lines(image: "Image") -> "Image":
    """A few lines, spread over the page, one below the other; of a page without clear lines a few bands."""
    grey = image.convert("L")
    lines = _lines(grey)
    if len(lines) < _FEW:
        lines = _bands(grey.height)
    wanted = min(SAMPLE, len(lines))
    chosen = [lines[round(number * (len(lines) - 1) / max(1, wanted - 1))] for number in range(wanted)]
    crops = [grey.crop((0, max(0, top - _PAD), grey.width, min(grey.height, bottom + _PAD))) for top, bottom in chosen]
    return stacked(crops, image)


def stacked(crops: "Sequence[Image]", source: "Image") -> "Image":
    """Pieces of `source` one below the other, at its resolution."""
    from PIL import Image

    size = max(crop.width for crop in crops), sum(crop.height for crop in crops) + _PAD * (len(crops) + 1)
    sheet = Image.new("L", size, 255)
    top = _PAD
    for crop in crops:
        sheet.paste(crop, (0, top))
        top += crop.height + _PAD
    if "dpi" in source.info:
        sheet.info["dpi"] = source.info["dpi"]
    return sheet


def one_column(image: "Image") -> bool:
    """True only where no strip of the page's middle is emptier than what stands left and right of it.

    Lines of one column end early or late, so its ink only fades to the right; between columns, and between the cells
    of a table, it comes back.
    """
    counts = _ink_by_column(image)
    most = max(counts, default=0)
    inked = [x for x, count in enumerate(counts) if count >= most * _SHORT]
    if not most or len(inked) < 3:
        return True
    counts = counts[inked[0] : inked[-1] + 1]
    lefts = list(accumulate(counts, max))
    rights = list(accumulate(reversed(counts), max))[::-1]
    return all(count >= _DIP * min(left, right) for count, left, right in zip(counts, lefts, rights, strict=True))


def _lines(grey: "Image") -> list[tuple[int, int]]:
    """Top and bottom of runs of rows with ink that are as high as a line can be."""
    rows = _means(grey, (1, grey.height))
    paper, ink = _paper_and_ink(rows)
    limit = paper - max(2.0, (paper - ink) * _INK)
    runs: list[tuple[int, int]] = []
    start = None
    for place, row in enumerate([*rows, 255]):
        if row < limit and start is None:
            start = place
        elif row >= limit and start is not None:
            runs.append((start, place))
            start = None
    return [(a, b) for a, b in runs if grey.height / _LOWEST <= b - a <= grey.height / _TALLEST]


def _bands(height: int) -> list[tuple[int, int]]:
    size = max(1, height // (2 * _TALLEST))
    return [(top, min(height, top + size)) for top in range(height // 10, height - size + 1, max(1, height // 8))]


def _paper_and_ink(values: list[int]) -> tuple[int, int]:
    """The lightest and the darkest tenth: a border or a black bar says little of the paper."""
    ordered = sorted(values)
    return ordered[len(ordered) * 9 // 10], ordered[len(ordered) // 10]


def _means(grey: "Image", size: tuple[int, int]) -> list[int]:
    from PIL.Image import Resampling

    return list(grey.resize(size, Resampling.BOX).tobytes())


def _ink_by_column(image: "Image") -> list[int]:
    """For each strip as wide as a letter: how many rows have ink there."""
    grey = image.convert("L")
    width, height = max(1, grey.width // (4 * _REDUCE)), max(1, grey.height // _REDUCE)
    cells = _means(grey, (width, height))
    paper, _ = _paper_and_ink(cells)
    inked = [cell < paper - 255 * _INK / 4 for cell in cells]
    return [sum(inked[x::width]) for x in range(width)]
