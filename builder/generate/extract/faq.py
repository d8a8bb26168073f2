"""Pairs that a document asks and answers itself."""

import re
from collections.abc import Iterator

from builder.generate.extract.common import Candidate, tidy
from builder.generate.writer import NumberedPassage

_PAIR = re.compile(
    r"^[ \t]*(?:\*\*)?(?:问题?|Q(?:uestion)?)\s*\d*\s*[：:.．、](?:\*\*)?\s*(?P<question>[^\n]{2,200})\n"
    r"[ \t]*(?:\*\*)?(?:答案?|A(?:nswer)?)\s*\d*\s*[：:.．、](?:\*\*)?\s*(?P<answer>.+?)\s*"
    r"(?=\n[ \t]*(?:\*\*)?(?:问题?|Q(?:uestion)?)\s*\d*\s*[：:.．、]|\Z)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_DANGLING = re.compile(r"^(?:那|那么|然后|这|它|and |then |what about )", re.IGNORECASE)
_LONGEST = 600


def pairs(passage: NumberedPassage) -> Iterator[Candidate]:
    """问/答 and Q/A pairs of a passage."""
    for match in _PAIR.finditer(passage.text):
        question, answer = tidy(match["question"]).strip("*# "), tidy(match["answer"]).strip("* ")
        if question[-1:] in "？?" and not _DANGLING.match(question) and len(answer) <= _LONGEST:
            quote = (match.start("question"), match.end("answer"))
            yield Candidate(question=question, answer=answer, quote=quote, score=100)
