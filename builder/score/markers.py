"""Marks in an answer that name its sources: [1], 【1†source】, （来源：…）, footnotes and what other systems write.

Used only where a system does not tell its citations. Numbers count from 1, in forms that are known to count from 0
from there ([ID:0] and ##0$$ of RAGFlow, <co: 0> of Cohere, the second number of 【4:0†…】). What a number counts cannot
be seen from it: the passages in the prompt are taken, or what was retrieved where these are not told.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Marker(NamedTuple):
    """One mark."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""
    text: str
    """As it stands there."""
    places: tuple[int, ...] = ()
    """The passages that it names, from 0."""
    names: tuple[str, ...] = ()
    """The ids or titles that it names."""


_LIST = r"[0-9０-９]{1,3}(?:\s*[,;，、；]\s*[0-9０-９]{1,3}|\s*[-–]\s*[0-9０-９]{1,3})*"
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_FORMS = (
    (re.compile(r"【(?:\d+:(?P<zero>\d+)|(?P<one>\d+))†(?P<name>[^】]*)】"), ""),
    (re.compile(r"[\[【(]\s*ID\s*[: ]\s*(?P<zero>\d+)\s*[\]】)]"), ""),
    (re.compile(r"##(?P<zero>\d+)\$\$"), ""),
    (re.compile(r"\[\[?citation:\s*(?P<one>\d+)\]\]?", re.IGNORECASE), ""),
    (re.compile(r"\[(?P<id>[0-9a-f]{24})\]\((?:CITE|QUOTE|SIGN)\)"), ""),
    (re.compile(r"\[(?:S|C|Source|Doc|Document|Ref|来源|资料|文档)[ :：_#-]?(?P<one>\d{1,3})\]", re.IGNORECASE), ""),
    (re.compile(r"\[\^(?:(?P<one>\d{1,3})|(?P<id>[\w-]+))\](?!:)"), ""),
    (re.compile(r"<co:\s*(?P<zeros>[\d,\s]+)>.*?</co(?::[\d,\s]*)?>", re.DOTALL), ""),
    (
        re.compile(
            r"<(?:cite|citation|source|ref)\b[^>]*?(?:id|index|src|doc|ref|source)s?\s*=\s*[\"']?(?P<id>[^\"'\s>/]+)"
            r"[^>]*?(?:/>|>.*?</(?:cite|citation|source|ref)>)",
            re.IGNORECASE | re.DOTALL,
        ),
        "",
    ),
    (re.compile(rf"<(?:cite|citation|source|ref)>\s*(?P<list>{_LIST})\s*</\w+>", re.IGNORECASE), ""),
    (re.compile(r"(?<!!)\[\[?(?P<one>\d{1,3})\]?\]\([^)\s]+\)"), ""),
    (
        re.compile(
            r"[（(\[【]\s*(?:信息|资料|内容)?(?:来源|出处|参考|引自|见|Sources?|Ref(?:erence)?s?)\s*[:：]\s*"
            r"(?P<name>[^（）()\[\]【】\n]{1,120})[）)\]】]",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(rf"(?<!!)[\[［](?P<list>{_LIST})[\]］](?!\s*[=(:]|\.\w)"), "list"),
)
_NARROW = str.maketrans("０１２３４５６７８９", "0123456789")
_MOST = 20
"""Passages that one range may name; [1-100] is no citation."""


def markers(answer: str) -> tuple[Marker, ...]:
    """The marks of an answer in their order; those in code are none."""
    if not any(sign in answer for sign in "[［【（(<#"):
        return ()
    rest = _CODE.sub(lambda match: " " * len(match.group()), answer)
    found: list[Marker] = []
    for form, kind in _FORMS:
        new = [marker for match in form.finditer(rest) if (marker := _marker(match, kind))]
        for marker in new:
            rest = rest[: marker.start] + " " * (marker.end - marker.start) + rest[marker.end :]
        found += new
    return tuple(sorted(found))


def without_markers(answer: str) -> str:
    """An answer without its marks: [24] is no amount."""
    kept, at = [], 0
    for marker in markers(answer):
        kept.append(answer[at : marker.start])
        at = max(at, marker.end)
    return "".join((*kept, answer[at:]))


def _marker(match: re.Match[str], kind: str) -> Marker | None:
    if kind == "list" and _is_index(match):
        return None
    values = {name: value for name, value in match.groupdict().items() if value}
    places = (
        *_numbers(values.get("one"), 1),
        *_numbers(values.get("zero"), 0),
        *_numbers(values.get("list"), 1),
        *_numbers(values.get("zeros"), 0),
    )
    name = values.get("id") or values.get("name", "").strip()
    if not name and not places:
        return None
    return Marker(match.start(), match.end(), match.group(), places, (name,) if name else ())


def _is_index(match: re.Match[str]) -> bool:
    """True for rows[0] in plain text; a Chinese or English word and [1] is a citation unless it counts from 0."""
    return "0" in re.split(r"\D+", match["list"].translate(_NARROW)) and bool(
        re.search(r"[A-Za-z_)\]]$", match.string[: match.start()])
    )


def _numbers(text: str | None, base: int) -> Iterator[int]:
    """Places from 0 that a list such as 1, 3-5 names; one before the first is -1 and names nothing."""
    for part in re.split(r"\s*[,;，、；]\s*", (text or "").translate(_NARROW)):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _MOST:
            yield from range(ends[0] - base, ends[1] - base + 1)
        else:
            yield from (number - base for number in ends)
