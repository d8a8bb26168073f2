"""The reading order of boxes: columns from left to right, within them lines from top to bottom."""

from collections.abc import Sequence

from builder.ingest.ocr.engine import Pixels

_COLUMN_LINES = 4
_COLUMN_GAP = 1.0


def reading_order(boxes: Sequence[Pixels]) -> list[int]:
    """Indexes of `boxes` as a person would read them.

    A page is cut where an empty strip, as wide as a letter is high, runs down between at least four lines on either
    side; each side is then read in turn. Lines across both (a title) part what stands above from what stands below.
    """
    return _order(boxes, list(range(len(boxes))))


def _order(boxes: Sequence[Pixels], members: list[int]) -> list[int]:
    if len(members) < 2 * _COLUMN_LINES:
        return _rows(boxes, members)
    for cut in _strips(boxes, members):
        left = [i for i in members if boxes[i][2] <= cut]
        right = [i for i in members if boxes[i][0] >= cut]
        across = sorted((i for i in members if boxes[i][0] < cut < boxes[i][2]), key=lambda i: boxes[i][1])
        if min(len(left), len(right)) < _COLUMN_LINES or len(across) * 3 > len(members):
            continue
        return _between(boxes, left + right, across, cut)
    return _rows(boxes, members)


def _between(boxes: Sequence[Pixels], sides: list[int], across: list[int], cut: float) -> list[int]:
    """Columns above, between and below the lines that go across."""
    found: list[int] = []
    rest = sides
    for line in [*across, None]:
        limit = _middle(boxes[line]) if line is not None else float("inf")
        band = [i for i in rest if _middle(boxes[i]) < limit]
        rest = [i for i in rest if _middle(boxes[i]) >= limit]
        for side in ([i for i in band if boxes[i][2] <= cut], [i for i in band if boxes[i][0] >= cut]):
            found += _order(boxes, side)
        found += [line] if line is not None else []
    return found


def _strips(boxes: Sequence[Pixels], members: list[int]) -> list[float]:
    """Places to cut: middles of gaps between left and right edges that few lines go across, fewest first."""
    heights = sorted(boxes[i][3] - boxes[i][1] for i in members)
    gap = heights[len(heights) // 2] * _COLUMN_GAP
    cuts: list[tuple[int, float]] = []
    for edge in sorted({boxes[i][0] for i in members})[1:]:
        before = [boxes[i][2] for i in members if boxes[i][2] <= edge]
        if before and edge - max(before) >= gap / 2:
            cut = (edge + max(before)) / 2
            cuts.append((sum(boxes[i][0] < cut < boxes[i][2] for i in members), cut))
    return [cut for _, cut in sorted(cuts)]


def _rows(boxes: Sequence[Pixels], members: list[int]) -> list[int]:
    """Top to bottom; boxes whose middles are on one height, left to right."""
    rows: list[list[int]] = []
    for index in sorted(members, key=lambda i: _middle(boxes[i])):
        if rows and _same_row(boxes[rows[-1][0]], boxes[index]):
            rows[-1].append(index)
        else:
            rows.append([index])
    return [index for row in rows for index in sorted(row, key=lambda i: boxes[i][0])]


def _same_row(one: Pixels, other: Pixels) -> bool:
    return abs(_middle(one) - _middle(other)) < min(one[3] - one[1], other[3] - other[1]) / 2


def _middle(box: Pixels) -> float:
    return (box[1] + box[3]) / 2
