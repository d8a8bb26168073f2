"""What the rules of both languages share."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from builder.generate.writer import NumberedPassage
from builder.text.language import is_cjk
from builder.text.numbers import Quantity, quantities

_NUMERAL = r"[一二三四五六七八九十百\d]"
_MARKER = re.compile(
    rf"^(?:[（(]{_NUMERAL}+[）)]|[-•●▪*]|[一二三四五六七八九十]+、|\d{{1,2}}[.、)）](?!\d)|第{_NUMERAL}+[条章节]\s)\s*"
)
_BREAK = re.compile(r"\s*\n\s*")
_NUMBERING = re.compile(
    rf"^(?:第{_NUMERAL}+[条章节编]|附[表件录]{_NUMERAL}*|[一二三四五六七八九十]+、|\d+(?:\.\d+)*\.?|[（(]{_NUMERAL}+[）)])\s*"
)
_GENERIC = re.compile(
    r"^(?:总则|附则|其他|其它|概述|简介|前言|说明|注意事项|目的|范围|适用范围"
    r"|general|overview|introduction|scope|notes?|miscellaneous|other|principles|general rules)$",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"^关于(.+?)的(?:通知|公告|说明|规定|办法|决定)$")
_BETWEEN = re.compile(r"^\s*(?:至|到|-|–|—|~|～|to|or|and)?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A question/answer pair and where it stands."""

    question: str
    """Stands alone."""
    answer: str
    """Verbatim, but for line breaks."""
    quote: tuple[int, int]
    """Range of the evidence in the passage."""
    score: int
    """The better, the higher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A quantity, or a range of two, as it stands in a sentence."""

    value: Quantity
    """The quantity; the upper one of a range."""
    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last one."""


def tidy(text: str) -> str:
    """The text on one line: line breaks within Chinese go, others become a space."""
    pieces = _BREAK.split(text.strip())
    joined = pieces[0]
    for left, right in pairwise(pieces):
        wide = bool(left and right) and not (left[-1].isascii() and right[0].isascii())
        joined += right if wide else f" {right}"
    return joined


def without_marker(text: str) -> str:
    """The text without the mark of a list item."""
    return _MARKER.sub("", text)


def is_list_item(text: str) -> bool:
    """True where the text begins with the mark of a list item."""
    return bool(_MARKER.match(text.lstrip()))


def topic(passage: NumberedPassage) -> str:
    """The innermost heading that names something, without its number; empty where there is none."""
    for part in reversed(passage.heading.split(" › ")):
        name = _ABOUT.sub(r"\1", _NUMBERING.sub("", part.strip()).strip(" ：:。.")).strip()
        if name and not _GENERIC.match(name) and len(name) <= 60:
            return name
    return ""


def title(passage: NumberedPassage) -> str:
    """The outermost heading: the document's title where it has one."""
    return passage.heading.split(" › ")[0].strip()


def amounts(text: str) -> list[Amount]:
    """Quantities with a unit, ranges joined; an ordinal (第 3 位) is none."""
    found: list[Amount] = []
    for quantity in quantities(text):
        if not quantity.unit or text[: quantity.start].rstrip().endswith("第"):
            continue
        last = found[-1] if found else None
        if last and last.value.unit == quantity.unit and _BETWEEN.match(text[last.end : quantity.start]):
            found[-1] = Amount(value=quantity, start=last.start, end=quantity.end)
        else:
            found.append(Amount(value=quantity, start=quantity.start, end=quantity.end))
    return found


def gives_away(question: str, amount: Amount) -> bool:
    """True where the question names the amount that it asks for."""
    return any(q.value == amount.value.value and q.unit == amount.value.unit for q in quantities(question))


def spans(passage: NumberedPassage) -> list[tuple[int, int]]:
    """The sentences, without a heading that the text repeats on the line before."""
    headings = {"".join(part.split()) for part in passage.heading.split(" › ")}
    found = []
    for start, end in passage.sentences:
        line, newline, _ = passage.text[start:end].partition("\n")
        skip = len(line) + 1 if newline and "".join(line.split()) in headings else 0
        found.append((start + skip, end))
    return found


def with_followers(
    text: str, places: Sequence[tuple[int, int]], index: int, follows: re.Pattern[str]
) -> tuple[int, int]:
    """The range of sentence `index`, and of the next one where that goes on (an exception, a case)."""
    start, end = places[index]
    if index + 1 < len(places):
        low, high = places[index + 1]
        following = text[low:high]
        if follows.search(following) and not is_list_item(following):
            end = high
    return start, end


def related(left: str, right: str) -> bool:
    """True where the two share a pair of Chinese letters, or a longer word."""
    return bool(_pieces(left) & _pieces(right))


def _pieces(text: str) -> set[str]:
    pairs = {a + b for a, b in pairwise(text) if is_cjk(a) and is_cjk(b)}
    return pairs | {word[:5] for word in re.findall(r"[a-z0-9-]{3,}", text.casefold())}


def spread(rows: Sequence[Sequence[Candidate]]) -> Iterator[Candidate]:
    """First of each row, then second of each, and so on."""
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))
