"""Which of our two languages a text is written in."""

import re
from typing import Literal

CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u312f\u3130-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd"
)
"""Ranges of Chinese, Japanese and Korean letters for a regex class; no punctuation. (`\\w` would match English too.)"""
CJK_CLASS = f"[{CJK}]"
"""The class of these alone."""

_CJK_LETTER = re.compile(CJK_CLASS)
_FIRST_CJK = CJK[0]


def is_cjk(ch: str) -> bool:
    """True for one Chinese, Japanese or Korean letter, 〇 and 々 included; false for punctuation such as 。."""
    return ch >= _FIRST_CJK and _CJK_LETTER.match(ch) is not None


def language_of(text: str) -> Literal["zh", "en"]:
    """`zh` where at least 30 % of the letters are CJK, else `en`; digits and signs do not count."""
    chinese = len(_CJK_LETTER.findall(text))
    return "zh" if chinese and chinese * 10 >= sum(map(str.isalpha, text)) * 3 else "en"
