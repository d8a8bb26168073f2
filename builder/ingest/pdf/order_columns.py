"""Columns of prose: where a page is cut, and what is read after what.

A page is cut at a strip that runs down between lines of text on both sides. Only prose is cut: lines at least some ten
letters long, most of them as wide as their column. The cells of a table without rules are not, so its rows stay whole.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from builder.ingest.pdf.order_groups import Group, same_row
from builder.ingest.pdf.order_settle import settled

_FEWEST = 4
_GUTTER = 0.5
_LONG = 4.0
_TRIED = 6
_FULL = 0.6
_FULL_SHARE = 0.6
_VERY_FULL = 0.8
_VERY_FULL_SHARE = 0.5
_LETTERS = 9.5
_SPANNING = 0.25
_CENTRED = 0.2
_SMALL = 0.88
_MUCH = 0.2

Band = tuple[list[Group], list[Group], list[Group]]
"""What stands left and right of a cut, and the line across it that ends the band (none for the last)."""


def columns(groups: Sequence[Group]) -> list[list[Group]]:
    """The columns in the order of reading, each in order; what runs across is a column of its own."""
    cut = _gutter(groups)
    if cut is None:
        return [settled(groups)]
    found: list[list[Group]] = []
    for left, right, across in _bands(groups, cut):
        found += _notes_last(_band(left, right)) if left and right else columns([*left, *right])
        found += [across] if across else []
    return found


def _band(left: list[Group], right: list[Group]) -> list[list[Group]]:
    """Two columns or more that begin and end together."""
    if not (_columnar(left, _FULL) and _columnar(right, _FULL)):
        return [settled([*left, *right])]
    return [column for side in (left, right) for column in _side(side)]


def _side(groups: list[Group]) -> list[list[Group]]:
    cut = _gutter(groups)
    if cut is None:
        return [settled(groups)]
    bands = _bands(groups, cut)
    return [column for left, right, across in bands for column in (*_halves(left, right), across) if column]


def _halves(left: list[Group], right: list[Group]) -> list[list[Group]]:
    if left and right:
        return _band(left, right)
    return _side([*left, *right]) if left or right else []


def _notes_last(found: list[list[Group]]) -> list[list[Group]]:
    """Small print at the foot of columns goes behind the last one: sentences run on from column to column.

    Not where the next column begins small as well: then the text itself is small from there on.
    """
    small = _body_size([group for column in found for group in column]) * _SMALL
    bodies: list[list[Group]] = []
    notes: list[Group] = []
    for column, after in zip(found, [*found[1:], []], strict=True):
        end = len(column)
        while end and 0 < column[end - 1].size <= small:
            end -= 1
        end = end if end and (not after or not 0 < after[0].size <= small) else len(column)
        bodies.append(column[:end])
        notes += column[end:]
    return [*bodies, notes] if notes else bodies


def _body_size(groups: Sequence[Group]) -> float:
    """The largest size of letters that a good part of the text has: notes may be longer than the text."""
    weights: Counter[float] = Counter()
    for group in groups:
        weights[round(group.size * 2) / 2] += group.weight if group.size else 0
    return max((size for size, weight in weights.items() if weight >= _MUCH * weights.total()), default=0.0)


def _gutter(groups: Sequence[Group]) -> float | None:
    """Where to cut, if anywhere: of the empty strips with prose on both sides that with the fewest lines across."""
    if len(groups) < 2 * _FEWEST:
        return None
    height = median(group.height for group in groups)
    strips = sorted(_strips([group for group in groups if group.box[2] - group.box[0] >= _LONG * height], height))
    return next((cut for _, _, cut in strips[:_TRIED] if _accepted(groups, cut, height)), None)


def _strips(groups: Sequence[Group], height: float) -> Iterator[tuple[int, float, float]]:
    """Empty strips between lines: how many lines run across, width (negative), middle."""
    rights = sorted(group.box[2] for group in groups)
    seen: set[int] = set()
    for edge in sorted({group.box[0] for group in groups}):
        before = bisect_right(rights, edge)
        if before < _FEWEST or before in seen:
            continue
        seen.add(before)
        cut = (edge + rights[before - 1]) / 2
        if edge - rights[before - 1] >= max(height * _GUTTER, 1.0):
            yield sum(group.box[0] < cut < group.box[2] for group in groups), rights[before - 1] - edge, cut


def _accepted(groups: Sequence[Group], cut: float, height: float) -> bool:
    both = [(left, right) for left, right, _ in _bands(groups, cut) if left and right]
    left = [group for one, _ in both for group in one]
    right = [group for _, other in both for group in other]
    if min(len(left), len(right)) < _FEWEST:
        return False
    runs = _runs(left, right)
    if _row_by_row(runs, height):
        return False
    strict = len(runs) * 2 > len(left) + len(right)
    share = _VERY_FULL if strict else _FULL
    return _columnar(left, share) and _columnar(right, share)


def _columnar(groups: Sequence[Group], full: float) -> bool:
    return _is_prose(groups, full) or _gutter(groups) is not None


def _is_prose(groups: Sequence[Group], full: float) -> bool:
    """Most characters stand in lines about as wide as the widest, and these are some ten letters wide or more."""
    lines = [group for group in groups if not group.is_table]
    if not lines:
        return False
    widths = sorted(group.box[2] - group.box[0] for group in lines)
    usual = widths[len(widths) * 9 // 10]
    within = sum(group.weight for group in lines if group.box[2] - group.box[0] >= usual * full)
    share = _VERY_FULL_SHARE if full == _VERY_FULL else _FULL_SHARE
    letters = usual / max(median(group.size for group in lines), 1.0)
    return letters >= _LETTERS and within >= share * sum(group.weight for group in lines)


def _bands(groups: Sequence[Group], cut: float) -> Iterator[Band]:
    """The page between the lines that run across the cut."""
    left = [group for group in groups if group.box[2] <= cut]
    right = [group for group in groups if group.box[0] >= cut]
    sides, across = [*left, *right], list[Group]()
    outer = min((group.box[0] for group in left), default=cut), max((group.box[2] for group in right), default=cut)
    for group in groups:
        if group.box[0] < cut < group.box[2]:
            spans = _spans(group, cut, outer) and not any(same_row(group.box, side.box) for side in sides)
            (across if spans else sides).append(group)
    rest = sides
    for line in sorted(across, key=lambda group: group.middle):
        band = [group for group in rest if group.middle < line.middle]
        rest = [group for group in rest if group.middle >= line.middle]
        yield *_parted(band, cut), [line]
    yield *_parted(rest, cut), []


def _parted(groups: Sequence[Group], cut: float) -> tuple[list[Group], list[Group]]:
    left = [group for group in groups if group.box[0] + group.box[2] <= 2 * cut]
    return left, [group for group in groups if group.box[0] + group.box[2] > 2 * cut]


def _spans(group: Group, cut: float, outer: tuple[float, float]) -> bool:
    """It reaches well into both sides or is centred; else it is a line of one side that is a little too long."""
    left, _, right, _ = group.box
    if abs((left + right) / 2 - cut) <= _CENTRED * (right - left):
        return True
    return cut - left >= _SPANNING * (cut - outer[0]) and right - cut >= _SPANNING * (outer[1] - cut)


def _runs(left: Sequence[Group], right: Sequence[Group]) -> list[tuple[bool, list[Group]]]:
    """The order of pdfium as runs on one side: (is it the right one, its groups)."""
    sided = sorted([(g.first, False, g) for g in left] + [(g.first, True, g) for g in right], key=lambda item: item[0])
    return [(side, [item[2] for item in run]) for side, run in groupby(sided, key=lambda item: item[1])]


def _row_by_row(runs: Sequence[tuple[bool, list[Group]]], height: float) -> bool:
    """A table: left, right, left, right as pdfium goes, each time a row further down, and rows have several lines."""
    spans = [(min(group.box[1] for group in run), max(group.box[3] for group in run)) for _, run in runs]
    rows = [
        spans[index]
        for index in range(len(runs) - 1)
        if not runs[index][0] and abs(spans[index][0] - spans[index + 1][0]) < height
    ]
    down = all(upper[1] <= lower[0] + height / 2 for upper, lower in pairwise(rows))
    tall = sum(bottom - top > 1.5 * height for top, bottom in spans)
    return len(rows) >= 3 and len(rows) * 2 >= len(runs) * 0.8 and down and tall * 5 > len(runs)
