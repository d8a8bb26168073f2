"""Cheap signs that a page may hold a table without a full grid of rules.

They come from the boxes of whole text objects, one call of pdfium a page; the boxes of single characters cost more
than all else that is read of a page.
"""

import re
from collections.abc import Iterable, Sequence

import pypdfium2.raw as raw

from builder.ingest.pdf.characters import Characters
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.bands import Bars

_GAP = 1.0
_SAME_LINE = 0.5
_ALIGNED = 2.0
_LINES = 4
_PARTS = 3
_SAMPLE = 24
_SHORT = 10.0
_BELOW = 70.0
_LONG = 300
_LOW = 1.0
_WORDS = re.compile(r"\S+(?:[^\S\r\n]+\S+)+")
_LEADERS = re.compile(r"[.…·](?:[.…·]{5,}|(?<=[.·]) (?:[.·] ){5})")
_MANY_LEADERS = 10
Level = list[Box]
"""Boxes of one height, left to right."""


def text_levels(objects: Iterable[Box], taken: Sequence[Box]) -> list[Level]:
    """The text objects outside of `taken` by height, those that nearly touch as one."""
    # a space, or that of dot leaders, has no height
    boxes = [box for box in objects if box[3] - box[1] >= _LOW]
    for left, top, right, bottom in taken:
        boxes = [b for b in boxes if not (left <= (b[0] + b[2]) / 2 <= right and top <= (b[1] + b[3]) / 2 <= bottom)]
    boxes.sort(key=lambda box: box[1] + box[3])
    levels: list[Level] = []
    for box in boxes:
        last = levels[-1][0] if levels else None
        if last and box[1] + box[3] - last[1] - last[3] <= _SAME_LINE * (last[3] - last[1] + box[3] - box[1]):
            levels[-1].append(box)
        else:
            levels.append([box])
    return [_parts(level) for level in levels]


def is_contents(characters: Characters) -> bool:
    """A page of contents: many dot leaders."""
    return sum(1 for _ in _LEADERS.finditer(characters.text)) >= _MANY_LEADERS


def may_be_borderless(levels: Sequence[Level]) -> bool:
    """Four lines in a row with three parts or more, of which each shares two edges with the one above.

    Parts as wide as columns of prose do not count.
    """
    run = 0
    above: Level = []
    for level in levels:
        if len(level) < 2:
            above, run = [], 0
        elif len(level) >= _PARTS and _narrow(level):
            run = run + 1 if _aligned(above, level) >= 2 else 1
            above = level
            if run >= _LINES:
                return True
    return False


def may_be_between(bars: Bars, levels: Sequence[Level], characters: Characters) -> bool:
    """Two lines between rules have a wide gap within; where text objects hold whole lines, a sample tells."""
    within = [
        [box for box in level if box[0] >= bars.left - 4 and box[2] <= bars.right + 4]
        for level in levels
        if bars.levels[0] < (level[0][1] + level[0][3]) / 2 < bars.levels[-1]
    ]
    parts = [len(level) for level in within if level]
    if sum(count > 1 for count in parts) >= 2 or len(parts) < 2:
        return len(parts) >= 2
    step = len(parts) // _SAMPLE + 1
    return _gapped(bars.left, bars.right, (bars.levels[0], bars.levels[-1]), characters, step)


def may_be_below(bars: Bars, characters: Characters) -> bool:
    """Two lines shortly below a rule have a wide gap within."""
    return _gapped(bars.left, bars.right, (bars.levels[-1], bars.levels[-1] + _BELOW), characters, 1)


def _parts(level: Level) -> Level:
    found: Level = []
    for box in sorted(level):
        height = box[3] - box[1]
        if found and box[0] - found[-1][2] < _GAP * max(height, found[-1][3] - found[-1][1]):
            last = found[-1]
            found[-1] = (last[0], min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
        else:
            found.append(box)
    return found


def _narrow(level: Level) -> bool:
    """Half of the parts behind the first are short."""
    short = sum(box[2] - box[0] <= _SHORT * (box[3] - box[1]) for box in level[1:])
    return short * 2 >= len(level) - 1


def _aligned(one: Level, other: Level) -> int:
    lefts, rights = [box[0] for box in one], [box[2] for box in one]
    return sum(_near(box[0], lefts) or _near(box[2], rights) for box in other)


def _near(x: float, places: Sequence[float]) -> bool:
    return any(abs(x - place) <= _ALIGNED for place in places)


def _gapped(left: float, right: float, height: tuple[float, float], characters: Characters, step: int) -> bool:
    """Two lines of text in a part of the page have words more than a letter's height apart; each `step`th is looked at.

    Of a line that holds a whole table (pdfium ends none there) that is enough by itself.
    """
    found = 0
    for number, match in enumerate(_WORDS.finditer(characters.text)):
        start, end = match.span()
        first = _box(start, characters) if number % step == 0 else None
        if first and height[0] < first[1] < height[1] and left - 4 <= first[0] <= right:
            found += _wide(start, end, first, characters) * (2 if end - start > _LONG else 1)
        if found >= 2:
            return True
    return False


def _wide(start: int, end: int, first: Box, characters: Characters) -> bool:
    for match in re.finditer(r"\s+", characters.text[start:end]):
        one, other = _box(start + match.start() - 1, characters), _box(start + match.end(), characters)
        if one and other and other[0] - one[2] > _GAP * (first[3] - first[1]) and abs(other[3] - one[3]) < 3:
            return True
    return False


def _box(index: int, characters: Characters) -> Box | None:
    rect = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(characters.handle, index, rect):
        return None
    return characters.frame.shown(rect.left, rect.bottom, rect.right, rect.top)
