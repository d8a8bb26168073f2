"""Which line breaks end a paragraph, and which the layout put into the middle of a sentence."""

import re
from collections.abc import Iterator, Sequence

from builder.text.units import is_measure, unit_at

_LINE = re.compile(r"[^\n\r\f\v\u2028\u2029]+")
_NUMERAL = "0-9零〇一二两三四五六七八九十百"
_BULLET = r"[•●○■□▪◆◇►➢※]|[-*+–—·]\s+|#{1,6}\s|\||>\s|[①-⑳㈠-㈩⑴-⑽]"
_NUMBERED = (
    r"[(（][0-9一二三四五六七八九十]{1,3}[)）]|[(（][A-Za-z][)）]|[0-9]{1,3}[.、)）](?![0-9])|[一二三四五六七八九十]{1,3}、|"
    r"[A-Za-z][.)]\s|[问答][:：]|[QA][:：.]\s?\S"
)
# 第十二条 begins a clause; 第十二条的规定 only names it.
_NAMED = (
    rf"第[{_NUMERAL}.]{{1,6}}[章节编篇部条款](?!的|之|所|中|第|规定|[、，,。.；;）)》”和或与及至到])|"
    r"(?:Article|Section|Clause|Chapter|Part|Appendix)\s+[0-9IVX]+(?:\.[0-9]+)*[.:\s]"
)
_MARK = re.compile(rf"\s*(?:(?P<sure>{_BULLET})|{_NUMBERED}|{_NAMED})")
_DOTTED = re.compile(
    r"\s*(?P<no>[0-9]{1,2}(?:\.[0-9]{1,3}){1,4})(?:[.、]|(?=\s*[A-Z\u4e00-\u9fff]))(?!\s*[百千万亿多余])"
)
_HEADING = re.compile(r"\s*(?P<no>[0-9]{1,2})\s+(?=[A-Z\u4e00-\u9fff])(?=[^，。；：、,.;:0-9]{2,30}$)")
_TITLE = re.compile(rf"\s*(?:#{{1,6}}\s|\||第[{_NUMERAL}]{{1,6}}[章编篇])")
_KEYED = re.compile(r"\s*[^\s，。；、,;:：()（）0-9][^，。；、,;:：\n]{0,14}[:：]\s?\S")
_UNFINISHED = re.compile(
    r"(?:[,，、（(“‘「『【《–—/&+-]|[的和与及或在为对由将应按于从向至且但并据照第见本等]|"
    r"(?<![A-Za-z])(?i:of|the|an?|and|or|to|in|for|with|by|on|at|from|is|are|be|not|than|as|within|until|after|before|"
    r"that|see|under|item))\s*$"
)
_CARRIES_ON = re.compile(r"\s*(?:[a-z0-9]|[，。、；：？！）］｝】》〉」』”’…,.;:?!)\]}%])")
_ENOUGH = 24
"""Cells of a line that says how wide the column is."""


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Spans between line breaks that end a sentence: blank lines, form feeds, before marks, after short lines."""
    spans = [match.span() for match in _LINE.finditer(text) if not match.group().isspace()]
    start = 0
    for at, (_, end) in enumerate(spans):
        if at + 1 == len(spans) or _ends(text, spans, at):
            yield spans[start][0], end
            start = at + 1


def _ends(text: str, spans: Sequence[tuple[int, int]], at: int) -> bool:
    """True where the break behind line `at` ends a paragraph."""
    gap = text[spans[at][1] : spans[at + 1][0]]
    if gap not in ("\n", "\r\n"):
        # More than one break, or one that is no plain line break: a blank line, a form feed.
        return True
    line, following = text[slice(*spans[at])], text[slice(*spans[at + 1])]
    if _begins_with_mark(line, following) or _TITLE.match(line):
        return True
    if _CARRIES_ON.match(following) or _UNFINISHED.search(line):
        return False
    return _short(text, spans, at) or bool(_KEYED.match(following) and _KEYED.match(line))


def _begins_with_mark(line: str, following: str) -> bool:
    """True where `following` begins with the mark of an item, clause or heading and `line` does not reach into it."""
    mark = _MARK.match(following)
    if mark:
        return bool(mark["sure"]) or not _names_next(line)
    numbered = _DOTTED.match(following) or _HEADING.match(following)
    return numbered is not None and not _counts(following, numbered.end("no")) and not _names_next(line)


def _counts(line: str, at: int) -> bool:
    """True where the number that ends at `at` counts something: 3.5 英寸, not 1.1 本政策."""
    unit = unit_at(line, at)
    return unit is not None and (is_measure(unit[0]) or unit[0] == "个" or not line[at].isspace())


def _names_next(line: str) -> bool:
    match = _UNFINISHED.search(line)
    return match is not None and match.group().strip() not in (",", "，", "、", "等")


def _short(text: str, spans: Sequence[tuple[int, int]], at: int) -> bool:
    """True where the next word would have fitted on line `at`, by far: the column is at least twice as wide."""
    widths = [_wide(text[start:end]) for start, end in spans[max(0, at - 1) : at + 3]]
    own = 1 if at else 0
    needed = (widths[own] + _wide(_first_word(text[slice(*spans[at + 1])]))) * 2
    before = widths[0] if at else 0
    return needed <= widths[own + 1] >= _ENOUGH or needed <= min(before, widths[-1]) >= _ENOUGH


def _first_word(line: str) -> str:
    word = line.split(None, 1)[0]
    return word if word.isascii() else word[0]


def _wide(line: str) -> int:
    """Cells, roughly and fast: Chinese letters are three bytes and two cells."""
    return (len(line) + len(line.encode("utf-8", "replace"))) // 2
