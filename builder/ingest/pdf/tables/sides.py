"""The outer sides of tables that are drawn without them."""

from collections.abc import Iterator

from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.bands import bars
from builder.ingest.pdf.tables.rules import Rules

_NEAR = 3.0
_MOST_VERTICAL = 500
_LEAST = 3


def with_sides(rules: Rules) -> Rules:
    """The rules, and such sides: left and right where horizontal rules end, above and below where vertical ones do.

    A table that goes on over a page break has no rule there; many have none at the left and the right.
    """
    if len(rules.vertical) > _MOST_VERTICAL:
        return rules
    ends = tuple(_ends(rules))
    closed = Rules(horizontal=(*rules.horizontal, *ends), vertical=rules.vertical)
    return Rules(horizontal=closed.horizontal, vertical=(*rules.vertical, *_sides(closed)))


def _sides(rules: Rules) -> Iterator[Box]:
    for one in bars(rules, ()):
        within = [v for v in rules.vertical if one.left + _NEAR < v[0] < one.right - _NEAR and v[3] - v[1] > _NEAR]
        at_ends = [v for v in rules.vertical if min(abs(v[0] - one.left), abs(v[0] - one.right)) <= _NEAR]
        met = [y for y in one.levels if any(v[1] - _NEAR <= y <= v[3] + _NEAR for v in within)]
        if len(met) >= _LEAST and not any(v[1] < met[-1] and v[3] > met[0] for v in at_ends):
            yield from ((x, met[0], x, met[-1]) for x in (one.left, one.right))


def _ends(rules: Rules) -> Iterator[Box]:
    """Where three vertical rules begin or end at one height and no horizontal rule is near."""
    long = [v for v in rules.vertical if v[3] - v[1] > 2 * _NEAR]
    for side in (1, 3):
        groups: dict[int, list[Box]] = {}
        for vertical in long:
            groups.setdefault(round(vertical[side] / _NEAR), []).append(vertical)
        for group in groups.values():
            level, left, right = group[0][side], min(v[0] for v in group), max(v[0] for v in group)
            if len({round(v[0] / _NEAR) for v in group}) >= _LEAST and not _crossed(level, left, right, rules):
                top, bottom = min(v[1] for v in group) - _NEAR, max(v[3] for v in group) + _NEAR
                over = [h for h in rules.horizontal if top <= h[1] <= bottom and h[0] <= left and h[2] >= right]
                yield min([left, *(h[0] for h in over)]), level, max([right, *(h[2] for h in over)]), level


def _crossed(level: float, left: float, right: float, rules: Rules) -> bool:
    return any(abs(h[1] - level) <= _NEAR and h[0] < right and h[2] > left for h in rules.horizontal)
