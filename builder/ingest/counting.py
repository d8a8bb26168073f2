"""How characters are counted: white space never."""


def count(text: str) -> int:
    """Characters of `text`, white space not counted."""
    return sum(map(len, text.split()))
