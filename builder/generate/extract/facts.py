"""Lists of facts: `key: value` lines, at least two below one heading."""

import re
from collections.abc import Iterator

from builder.generate.extract.common import Candidate, amounts, title, topic
from builder.generate.writer import NumberedPassage

_LINE = re.compile(
    r"^[ \t]*(?:[-•*●]\s+)?(?P<key>[^\s：:，。；,;.?？][^：:，。；,;?？\n]{1,40}?)[：:](?!//)"
    r"\s*(?P<value>[^\n：。；;?？]{1,90})$",
    re.MULTILINE,
)
_ASKED = re.compile(r"^(?:问题?|答案?|Q|A|Question|Answer|注|备注|Note|例如|Example)\s*\d*$", re.IGNORECASE)
_POINTS = re.compile(r"如下|以下|下列|the following|as follows", re.IGNORECASE)
_LONGEST_KEY_WORDS = 6


def lines(passage: NumberedPassage) -> Iterator[Candidate]:
    """One candidate a line; none where the passage has no heading to name what the facts are about."""
    found = [match for match in _LINE.finditer(passage.text) if _is_fact(match["key"], match["value"])]
    place = title(passage) or topic(passage)
    if len(found) < 2 or not place:
        return
    for match in found:
        key, value = match["key"].strip(), match["value"].strip()
        question = _chinese(place, key, value) if passage.language == "zh" else f"In “{place}”, what is the “{key}”?"
        yield Candidate(question=question, answer=value, quote=(match.start("key"), match.end("value")), score=75)


def _is_fact(key: str, value: str) -> bool:
    words = len(key.split())
    return (
        words <= _LONGEST_KEY_WORDS
        and not _ASKED.match(key.strip())
        and not _POINTS.search(key)
        and not value.endswith((".", "！"))
    )


def _chinese(place: str, key: str, value: str) -> str:
    found = amounts(value)
    whole = found and found[0].start == 0 and found[-1].end == len(value)
    return f"《{place.strip('《》')}》中，{key}是{'多少' if whole else '什么'}？"
