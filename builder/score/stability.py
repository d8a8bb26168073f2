"""Whether the answers of one system to one question differ more than in wording."""

from collections.abc import Sequence
from itertools import combinations

from builder.model.run import RunRecord
from builder.text.numbers import quantities
from builder.text.similarity import similarity

ALIKE = 60
"""Least likeness (0-100) of two answers that only word the same thing differently."""


def unstable(records: Sequence[RunRecord]) -> bool:
    """True where repeats differ in status, in failing at all, in their numbers, or strongly in their words."""
    if len(records) < 2:
        return False
    if len({(record.status, record.error is None, record.answer is None) for record in records}) > 1:
        return True
    answers = list(dict.fromkeys(record.answer for record in records if record.answer is not None))
    if len({frozenset((one.value, one.unit) for one in quantities(answer)) for answer in answers}) > 1:
        return True
    return any(similarity(one, other) < ALIKE for one, other in combinations(answers, 2))
