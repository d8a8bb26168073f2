"""What stands between two pieces of one text that a line end or an OCR engine took apart."""

import re

from builder.text.language import CJK

HANGING = frozenset(("and", "or", "to", "und", "oder", "bis", "et", "ou"))
"""Before these words a hyphen stands for a part left out: short- and long-term."""

_WIDE_ONLY = frozenset("，。、；：？！（）《》〈〉「」『』【】〔〕～￥％")
_WIDE = re.compile(f"[{CJK}{''.join(sorted(_WIDE_ONLY))}“”‘’…—·]")
_DASHES = tuple("-\u2010\u2011\u2012\u2013\u2014")


def join(left: str, right: str) -> str:
    """What belongs between two pieces: nothing, or one blank.

    Nothing between two Chinese characters or signs, beside a sign that is as wide as a letter, and behind a dash that
    has no blank before it either: "2018–" and "23", but not "short-" and "and long-term".
    """
    if not left or not right:
        return ""
    one, other = left[-1], right[0]
    if is_dashed(left, right):
        return " " if right.split(maxsplit=1)[0].casefold() in HANGING else ""
    beside_a_sign = one in _WIDE_ONLY or other in _WIDE_ONLY
    return "" if beside_a_sign or (is_wide(one) and is_wide(other)) else " "


def is_dashed(left: str, right: str) -> bool:
    """True where `left` ends with a dash without blank before it, and `right` goes on with a letter or digit."""
    if not left.endswith(_DASHES):
        return False
    before = left[-2:-1]
    return (before.isalnum() or before == "_") and right[:1].isalnum()


def is_wide(char: str) -> bool:
    """A Chinese, Japanese or Korean letter, or a sign of such a text."""
    return _WIDE.match(char) is not None


def first_wide(text: str) -> int:
    """Where the first wide character stands; the length of the text where there is none."""
    match = _WIDE.search(text)
    return match.start() if match else len(text)
