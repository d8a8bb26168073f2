"""What stands between two pieces of one text that a line end or an OCR engine took apart."""

from builder.text.language import is_cjk

_WIDE_ONLY = frozenset("，。、；：？！（）《》〈〉「」『』【】〔〕～￥％")
_WIDE_SIGNS = _WIDE_ONLY | frozenset("“”‘’…—·")


def join(left: str, right: str) -> str:
    """Nothing between two Chinese characters or signs, or beside a sign that is as wide as a letter; else one blank."""
    if not left or not right:
        return ""
    one, other = left[-1], right[0]
    beside_a_sign = one in _WIDE_ONLY or other in _WIDE_ONLY
    return "" if beside_a_sign or (is_wide(one) and is_wide(other)) else " "


def is_wide(char: str) -> bool:
    """A Chinese, Japanese or Korean letter, or a sign of such a text."""
    return is_cjk(char) or char in _WIDE_SIGNS
