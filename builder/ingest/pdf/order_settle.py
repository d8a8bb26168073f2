"""Order within a column: pdfium's, unless it puts something before what stands above it."""

import heapq
from collections.abc import Sequence

from builder.ingest.pdf.order_groups import Group, same_row

_MOST = 500
_SHARED_WIDTH = 2.0


def settled(groups: Sequence[Group]) -> list[Group]:
    """The groups in pdfium's order, changed as little as it takes that no group stands before one above it.

    "Above" is only said of groups that share some width: cells, margin notes and parts of a drawing beside each other
    stay as they came. Over 500 groups (a drawing) stay as they are.
    """
    found = sorted(groups, key=lambda group: group.first)
    if len(found) > _MOST or _is_settled(found):
        return found
    followers: list[list[int]] = [[] for _ in found]
    waits_for = [0] * len(found)
    for early, one in enumerate(found):
        for late in range(early + 1, len(found)):
            upper, lower = (late, early) if found[late].middle < one.middle else (early, late)
            if _above(found[upper], found[lower]):
                followers[upper].append(lower)
                waits_for[lower] += 1
    free = [index for index, count in enumerate(waits_for) if not count]
    result: list[Group] = []
    while free:
        index = heapq.heappop(free)
        result.append(found[index])
        for follower in followers[index]:
            waits_for[follower] -= 1
            if not waits_for[follower]:
                heapq.heappush(free, follower)
    return result


def _is_settled(groups: Sequence[Group]) -> bool:
    lowest = float("-inf")
    for index, group in enumerate(groups):
        middle = group.middle
        if middle < lowest and any(_above(group, before) for before in groups[:index]):
            return False
        lowest = max(lowest, middle)
    return True


def _above(upper: Group, lower: Group) -> bool:
    if upper.middle >= lower.middle:
        return False
    width = min(upper.box[2], lower.box[2]) - max(upper.box[0], lower.box[0])
    return width > _SHARED_WIDTH and not same_row(upper.box, lower.box)
