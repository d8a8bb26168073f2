"""How alike two texts are."""

from rapidfuzz import fuzz

from builder.text.fold import folded


def similarity(a: str, b: str) -> int:
    """0-100 by the edits between the folded texts, rounded down: 100 only where they fold alike.

    A text that folds to nothing is like no other: 0. Wording only: one changed number barely lowers it.
    """
    left, right = folded(a), folded(b)
    return int(fuzz.ratio(left, right)) if left and right else 0
