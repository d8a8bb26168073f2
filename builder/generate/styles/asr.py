"""As speech recognition writes: no punctuation, words of like sound, numbers as they are spoken.

Without a list of sounds a program cannot hear; so the number of slips is bounded, and their place: in Chinese single
characters for single characters, in English words for words, never in a number, a code or a negation.
"""

import re

from rapidfuzz.distance import Levenshtein

from builder.generate.styles.keeping import bare, changed
from builder.model.case import Case, Turn
from builder.text.fold import folded
from builder.text.language import language_of
from builder.text.numbers import quantities

_MOST = 4
"""Slips in one question."""
_SHARE_ZH, _SHARE_EN = 25, 35
"""Slips in a hundred characters (Chinese) or words (English); one is always allowed."""
_PUNCTUATION = re.compile(r"[，。！？；：、,!?;…“”\"()（）]|[.:](?![0-9])")
_NUMBER = "#"


def refusal(case: Case, question: str, conversation: tuple[Turn, ...]) -> str:
    """`punctuated`, `same_question` (only signs are gone), a fact changed (see keeping), `too_many_slips`."""
    if _PUNCTUATION.search(question):
        return "punctuated"
    if bare(question) == bare(case.question):
        return "same_question"
    if reason := changed(case.question, question):
        return reason
    chinese = language_of(case.question) == "zh"
    before, after = _units(case.question, chinese), _units(question, chinese)
    share = _SHARE_ZH if chinese else _SHARE_EN
    allowed = max(1, min(_MOST, len(before) * share // 100))
    if chinese and len(before) != len(after):
        return "too_many_slips"
    return "too_many_slips" if Levenshtein.distance(before, after) > allowed else ""


def _units(text: str, chinese: bool) -> list[str]:
    """The characters of Chinese, the words of English; each number is one mark, however it is spelled."""
    parts, at = [], 0
    for one in quantities(text):
        parts += [text[at : one.start], f" {_NUMBER} "]
        at = max(at, one.end)
    marked = "".join((*parts, text[at:]))
    if chinese:
        return [ch for ch in folded(marked) if ch == _NUMBER or ch.isalnum()]
    return [word if word == _NUMBER else bare(word) for word in marked.split() if word == _NUMBER or bare(word)]
