"""Ratings in words and numbers.

Words and signs mean what they say. Numbers are read file by file: -1, 0 are down and 1 is up, unless the file's
numbers go above 1; then they are stars from 1 to 5, and 1 and 2 (0 and -1 too) are down, 4 and 5 up, 3 neither. Above
5 no scale is known, and no number of the file is read. What is not understood is a problem, never a "down".
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from builder.logs.record import Rating

_DOWN = (
    "down", "thumbsdown", "thumbdown", "👎", "dislike", "disliked", "negative", "neg", "bad", "poor", "false", "no",
    "n", "wrong", "incorrect", "unhelpful", "nothelpful",
    "踩", "点踩", "差评", "差", "不满意", "反对", "没用", "无帮助", "没有帮助", "否", "错误",
)  # fmt: skip
_UP = (
    "up", "thumbsup", "thumbup", "👍", "like", "liked", "positive", "pos", "good", "great", "true", "yes", "y",
    "right", "correct", "helpful",
    "赞", "点赞", "好评", "好", "满意", "赞同", "有用", "有帮助", "是", "正确",
)  # fmt: skip
_NONE = frozenset(("", "none", "null", "nan", "n/a", "na", "neutral", "一般", "无", "未评价", "未投票"))
_INSIDE = ("rating", "score", "value", "label", "thumb")
_STARS = 5


def plain(value: Any) -> str:
    """A rating as one bare word or number; of an object ({"rating": "dislike"}) the value in it."""
    if isinstance(value, Mapping):
        return next((plain(value[name]) for name in _INSIDE if name in value), "")
    return re.sub(r"[\s_\ufe0f-]|[\U0001f3fb-\U0001f3ff]", "", _signed(str(value))).casefold()


def scale(values: Iterable[str]) -> float:
    """The highest number among the ratings of a file, at least 1."""
    return max((number for number in map(_number, values) if number is not None), default=1.0)


def read_rating(value: str, highest: float) -> Rating | None:
    """What a `plain` rating means in a file whose numbers go up to `highest`.

    Raises:
        ValueError: it is not understood.
    """
    number = _number(value)
    if number is not None:
        return _by_number(number, highest)
    if value in _DOWN:
        return "down"
    if value in _UP:
        return "up"
    if value in _NONE:
        return None
    raise ValueError(value)


def _by_number(number: float, highest: float) -> Rating | None:
    if highest > _STARS or number < -1:
        raise ValueError(str(number))
    if highest > 1:
        return "down" if number <= 2 else "up" if number >= 4 else None
    if number in (-1, 0):
        return "down"
    if number == 1:
        return "up"
    raise ValueError(str(number))


def _number(value: str) -> float | None:
    return float(value.replace("minus", "-")) if re.fullmatch(r"(?:minus)?\d{1,9}(?:\.\d{1,9})?", value) else None


def _signed(text: str) -> str:
    """Keep the sign of a number where hyphens are dropped."""
    return re.sub(r"^\s*[-\u2212](?=\d)", "minus", text)
