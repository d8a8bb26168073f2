"""How many tokens a text has: near enough to pace calls, to hold back money, and to see that a server cut a prompt."""

import re
from collections.abc import Iterable

from builder.text.language import CJK_CLASS

_CJK_LETTER = re.compile(CJK_CLASS)
_MESSAGE = 4
"""Tokens that a server puts around each message."""


def estimate_tokens(text: str) -> int:
    """Tokens of `text`: three quarters of one a Chinese character, a quarter any other. Right to about a third."""
    chinese = len(_CJK_LETTER.findall(text))
    return (3 * chinese + (len(text) - chinese) + 3) // 4


def estimate_prompt(contents: Iterable[str]) -> int:
    """Tokens of a prompt, given the texts of its messages."""
    return sum(_MESSAGE + estimate_tokens(content) for content in contents)
