"""Words of a line put together: engines part Chinese characters as if they were words, now and then or always."""

from collections.abc import Sequence

from builder.ingest.joining import join
from builder.text.language import is_cjk

_SIGNS = frozenset(",.:;!?()[]'\"")


def joined(words: Sequence[str]) -> str:
    """The words with blanks where a reader would see them."""
    text = ""
    for word in words:
        text += ("" if text and _beside(text[-1], word[0]) else join(text, word)) + word
    return text


def _beside(left: str, right: str) -> bool:
    """A Chinese letter and a sign that was read as a narrow one: no blank belongs there."""
    return (is_cjk(left) and right in _SIGNS) or (left in _SIGNS and is_cjk(right))
