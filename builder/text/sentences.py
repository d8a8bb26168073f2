"""Sentences of Chinese and English text as spans.

A sentence ends at 。！？…… or . ! ? with the closing quotes, brackets and citation marks behind it, at a paragraph's
end, and where a list item, clause or heading begins. A line that the layout broke in the middle goes on.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from builder.text.language import is_cjk
from builder.text.lines import paragraphs

_CLOSING = "”’」』）)】]》〉〕\"'"
_GOES_ON = "，、；：。！？,;:.!?%·/@_=&~-)]）】》」』”’"
_OPENING = "“‘「『（【《〈〔"
# A run of one kind of sign; one class stands first, because a search jumps to the characters of a class.
_END = re.compile(
    r"[。！？｡!?….](?:(?<=\.)\.*|(?<=…)…*|(?<=[。！？｡!?])[。！？｡!?]*)"
    rf"(?:\[[0-9]{{1,3}}(?:[,–-]\s?[0-9]{{1,3}}){{0,3}}\]|[{re.escape(_CLOSING)}])*"
)
# Words whose full stop ends no sentence, and those whose full stop ends none before a number.
_NEVER = re.compile(
    r"e\.g|i\.e|approx|mr|mrs|ms|dr|prof|st|vs|cf|dept|incl|excl|al|ca|tel|ext|resp|u\.s|u\.k|ph\.d", re.IGNORECASE
)
_BEFORE_NUMBER = re.compile(
    r"nos?|figs?|sec|arts?|paras?|pp?|vol|ch|eq|ver|rev|app|ref|tab|cl|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"max|min",
    re.IGNORECASE,
)
_BREAK = re.compile("\n")
_CELL = r"[^；;:：\n]{1,40}[:：][^；;\n]+"
_ROW = re.compile(rf"{_CELL}(?:[；;]\s?{_CELL})+")
_WORD = re.compile(r"[A-Za-z](?:\.?[A-Za-z]){0,11}$")
_MARK = re.compile(
    r"[(（\[#*>\s-]*(?:[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Za-z]|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3}|"
    r"(?i:article|section|clause|chapter|step)\s+[0-9]{1,3}(?:\.[0-9]{1,3})*)"
)


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences in order, without surrounding white space; only white space lies between them."""
    parts = (part for start, end in paragraphs(text) for part in _rows(text, start, end))
    return tuple(span for start, end in parts for span in _split(text, start, end))


def _rows(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph, parted where a row of a table follows another: Grade: G1; Notice: 30 days."""
    breaks = [found.start() for found in _BREAK.finditer(text, start, end)]
    borders = [start - 1, *breaks, end]
    rows = [_ROW.fullmatch(text, low + 1, high) is not None for low, high in pairwise(borders)]
    for at, parts in zip(breaks, pairwise(rows), strict=True):
        if all(parts):
            yield start, at
            start = at + 1
    yield start, end


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start, end = _trim(text, start, end)
    counted, quoted = start, False
    for match in _END.finditer(text, start, end):
        if match.start() < start:
            continue
        quoted ^= text.count('"', counted, match.start()) % 2 == 1
        counted = match.start()
        stop = _stop(match, quoted)
        if stop < end and _ends(text, start, match, stop):
            yield start, stop
            start = _trim(text, stop, end)[0]
    if start < end:
        yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _stop(match: re.Match[str], quoted: bool) -> int:
    """Where the sentence would end: a straight quote belongs to it only if one is open."""
    straight = match.group().find('"')
    return match.end() if straight < 0 or quoted else match.start() + straight


def _ends(text: str, start: int, match: re.Match[str], stop: int) -> bool:
    """True where the sentence that begins at `start` ends with `match`; text follows at `stop`."""
    sign, after = match.group()[0], text[stop]
    if sign in "。！？｡":
        return after not in _GOES_ON
    if sign == "…":
        return after not in _GOES_ON and after not in "的地得等和与及之" and not _next(text, stop).islower()
    if not (after.isspace() or is_cjk(after) or after in _OPENING):
        return False
    if sign in "!?":
        return not (match.group()[-1] in _CLOSING and _next(text, stop).islower())
    return _full_stop(text, start, match, stop)


def _full_stop(text: str, start: int, match: re.Match[str], stop: int) -> bool:
    """True where the dots of `match` end a sentence."""
    at, dots = match.start(), len(match.group()) - len(match.group().lstrip("."))
    following = _next(text, stop)
    if following.islower() or (dots > 3 and not is_cjk(following)):
        # Dots in a row before a page number lead the eye, they end nothing.
        return False
    if at - start < 40 and _MARK.fullmatch(text, start, at):
        return False
    if at and text[at - 1].isdigit() and not text[stop].isspace():
        return not _item_number(text, start, at)
    return not _abbreviated(text, start, at, following)


def _item_number(text: str, start: int, at: int) -> bool:
    """True for the 2 of "；2.配件"."""
    begin = at
    while begin > start and text[begin - 1].isdigit():
        begin -= 1
    return at - begin <= 3 and (text[begin - 1].isspace() or text[begin - 1] in "，；：。.,;:（(")


def _abbreviated(text: str, start: int, at: int, following: str) -> bool:
    blank = text.rfind(" ", start, at)
    match = _WORD.search(text, max(start, at - 24, blank + 1), at)
    if match is None:
        return False
    word = match.group()
    if _BEFORE_NUMBER.fullmatch(word):
        return following.isdigit()
    return _NEVER.fullmatch(word) is not None or (len(word) == 1 and word.isupper())


def _next(text: str, at: int) -> str:
    """The next character that is no white space; empty at the end."""
    while at < len(text) and text[at].isspace():
        at += 1
    return text[at : at + 1]
