"""Claims proposed for an answer: one for each fact in it that a program can tell, or that a negation can turn round."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from builder.model.claim import Check, Claim, LiteralCheck, NumberCheck
from builder.text.numbers import Quantity, has_negation, quantities
from builder.text.sentences import sentences

_CLAUSE = re.compile(r"[^，,；;]+(?:,(?=\d{3})[^，,；;]+)*")
_TO = re.compile(r"\s*(?:至|到|[-–—~～]|to)\s*")
_JOINTS = ("至", "到", "-", "–", "~", " to ")
_REFERENCES = frozenset({"article", "chapter", "section", "paragraph", "item"})
"""Numbers that name a place in a text: no fact of an answer."""


def propose(answer: str, given: Sequence[str] = ()) -> tuple[Claim, ...]:
    """The claims of an answer: those that the model gave as text, then one for each number, date, amount or negation.

    A number is compared by value and unit; a range by its forms; a negation has no check of its own.
    """
    claims = {text: Claim(text=text) for text in given}
    for start, end in sentences(answer):
        for claim in _of_sentence(answer[start:end]):
            claims.setdefault(f"{claim.text}\0{claim.check}" if claim.text in claims else claim.text, claim)
    return tuple(claims.values())


def _of_sentence(sentence: str) -> Iterator[Claim]:
    for clause in (match.group().strip() for match in _CLAUSE.finditer(sentence)):
        checks = list(_checks(clause))
        for check in checks:
            yield Claim(text=clause, critical=True, check=check)
        if not checks and has_negation(clause):
            yield Claim(text=clause, critical=True)


def _checks(clause: str) -> Iterator[Check]:
    found = [
        q for q in quantities(clause) if q.unit not in _REFERENCES and not clause[: q.start].rstrip().endswith("第")
    ]
    skip = False
    for quantity, following in zip_longest(found, found[1:]):
        if skip:
            skip = False
        elif following is not None and _is_range(clause, quantity, following):
            yield _range_check(clause, quantity, following)
            skip = True
        else:
            yield NumberCheck(value=format(quantity.value, "f"), unit=quantity.unit)


def _is_range(clause: str, low: Quantity, high: Quantity) -> bool:
    return low.unit == high.unit and _TO.fullmatch(clause[low.end : high.start]) is not None


def _range_check(clause: str, low: Quantity, high: Quantity) -> LiteralCheck:
    left, right = clause[low.start : low.end].strip(), clause[high.start : high.end].strip()
    return LiteralCheck(any_of=tuple(f"{left}{joint}{right}" for joint in _JOINTS))
