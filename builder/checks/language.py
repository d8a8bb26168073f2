"""Check `language`: question and answer are in the language of the source."""

import re

from builder.checks.context import CheckContext
from builder.checks.reading.compare import codes
from builder.checks.reading.source import chunks_of, quoted
from builder.checks.verdict import failed, passed
from builder.model.case import Case, CheckResult
from builder.text.language import CJK_CLASS, language_of

NAME = "language"
_CHINESE = re.compile(CJK_CLASS)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SOME = 8
"""A text of which every eighth letter is Chinese is Chinese too."""
_FEW = 3
"""So few English words may be names and units."""


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Fail: question or answer is in another language than chunk and quote. Codes, names and numbers do not count."""
    chunks = chunks_of(case, context) or context.sent
    if not chunks:
        return None
    known = {chunk.language for chunk in chunks} | ({language_of(quoted(case))} if case.evidence else set())
    source = "\n".join(chunk.text for chunk in chunks)
    if len(_CHINESE.findall(source)) * _SOME >= sum(map(str.isalpha, source)):
        known.add("zh")  # a table in two languages
    for part, text in (("question", case.question), ("answer", case.ground_truth)):
        found = spoken(text, source)
        if found and found not in known:
            return failed(NAME, f"other_language_{part}", found=found, wanted=", ".join(sorted(known)))
    return passed(NAME)


def spoken(text: str, source: str = "") -> str:
    """The language, zh or en; empty where there is too little to tell. A capitalised word of the source is a name."""
    plain = text
    for code in codes(text):
        plain = plain.replace(code, " ")
    chinese = len(_CHINESE.findall(plain))
    words = [word for word in _WORD.findall(plain) if len(word) > 1 and not (word[0].isupper() and word in source)]
    if chinese and chinese * 2 >= len(words):
        return "zh"
    return "en" if len(words) >= _FEW else ""
