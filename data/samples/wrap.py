"""Breaks Chinese text into lines: no line starts with a closing mark, and no Latin word or number is cut."""

import re
from collections.abc import Callable, Iterator

CLOSING = "，。；：、！？）》”’%℃"
OPENING = "（《“‘"
TOKEN = re.compile(rf"[{OPENING}]*(?:[!-~]+|\s+|.)[{CLOSING}]*")


def wrap(text: str, measure: Callable[[str], float], first: float, later: float) -> Iterator[str]:
    """Yield lines whose measured width stays within `first` for the first line and `later` for the others."""
    line, width = "", first
    for token in TOKEN.findall(text):
        if line and measure((line + token).rstrip()) > width:
            yield line.rstrip()
            line, width = token.lstrip(), later
        else:
            line += token
    if line:
        yield line.rstrip()
