"""How small a change a set can show: two runs over the same cases, at 5 % and with 80 % power.

McNemar's test in the normal form of Miettinen 1968. Of a rate that drops by d, d + 4 % of the cases differ: 2 % turn
good by themselves and as many turn bad. So 5 points need some 280 cases, 10 points some 110, 2 points some 1,200.
What lies within 0 and 1 without being a rate varies less than a rate: for it the figure is on the safe side.
"""

from functools import lru_cache
from math import ceil, inf, sqrt

from builder.score.stats import z_of

ALPHA, POWER = 0.05, 0.8
CHURN = 0.02
"""Share of the cases that turn good by themselves, and as many that turn bad."""


def cases_needed(drop: float, churn: float = CHURN) -> int:
    """Cases that show a drop (0-1).

    Raises:
        ValueError: no drop.
    """
    if not 0 < drop <= 1:
        raise ValueError(f"no drop: {drop}")
    return ceil(_needed(drop, churn))


@lru_cache(maxsize=1 << 14)
def smallest_drop(n: int, churn: float = CHURN) -> float | None:
    """The smallest drop (0-1) that n cases show; none where they show none at all."""
    if n < 1 or _needed(1.0, churn) > n:
        return None
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if _needed(middle, churn) <= n else (middle, high)
    return high


def smallest_shown(error: float) -> float:
    """The smallest difference that shows where the difference has this standard error."""
    return (z_of(1 - ALPHA / 2) + z_of(POWER)) * error


def _needed(drop: float, churn: float) -> float:
    if drop <= 0:
        return inf
    differing = min(1.0, drop + 2 * churn)
    spread = z_of(1 - ALPHA / 2) * sqrt(differing) + z_of(POWER) * sqrt(max(0.0, differing - drop * drop))
    return (spread / drop) ** 2
