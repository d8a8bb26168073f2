"""Clauses as statements, each with a sign: whether it affirms or denies.

The sign is the parity of what denies in a clause (text.negation, and words such as excluded, void, refused). An
exception has the sign opposite to the rule that it follows; a condition has none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from builder.checks.reading.signs import (
    BOUND,
    CHARGED,
    CLAUSE,
    CONDITION,
    DENYING,
    EXCEPTION,
    FREE,
    GRANTS,
    LEADING,
    LIGHT,
    LISTED,
    NO,
    ONLY,
    OTHERWISE,
    VERB,
    WITHHOLDS,
    YES,
)
from builder.checks.reading.wording import Terms, terms
from builder.text.negation import negation_spans

_GOES_ON = re.compile(r"[，,；;:：]|\s*$")
_HEAD_ZH, _HEAD_EN = 3, 2
"""Letters, and words, of the verb that is denied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One clause."""

    text: str
    """As it stands."""
    terms: Terms
    """What it speaks of."""
    sign: int
    """1 affirms, -1 denies; 0: a condition, which does neither."""
    denied: Terms
    """What the negations stand before; empty where nothing is denied."""
    charge: int
    """1: costs something, -1: is free, 0: speaks of no charge."""
    only: Terms
    """What it is said of alone; empty where `only` stands not in it."""
    grants: bool = False
    """It says that something may be, must be or is included."""
    before: Terms = field(default_factory=dict)
    """What the clauses before it in its sentence speak of: it goes on about that."""
    given: str = ""
    """The condition that it stands under in its sentence."""
    excepts: bool = False
    """It is an exception from the rule before it."""
    echoes: bool = False
    """It is the question, affirmed or denied by a bare yes or no."""
    withholds: bool = False
    """It says that something may not be, need not be or is excluded."""
    otherwise: bool = False
    """It is about the case in which the rule before it is not kept."""


@lru_cache(maxsize=1 << 12)
def statements(text: str) -> tuple[Statement, ...]:
    """The clauses of `text` that say something, in order."""
    found: list[Statement] = []
    main, before, given = 1, Counter[str](), ""
    for clause, ends in _clauses(text):
        exception = EXCEPTION.search(clause) is not None
        condition = CONDITION.search(clause) is not None
        sign = -main if exception else 0 if condition else None
        statement = _statement(clause, sign, MappingProxyType(dict(before)), given)
        if not exception and not condition and not is_bare(clause):
            main = 0 if LISTED.match(clause) else statement.sign
        found.append(statement)
        before = Counter() if ends else before | Counter(statement.terms)
        given = "" if ends else clause if condition else given
    return tuple(found)


def exceptions(text: str) -> tuple[tuple[str, str], ...]:
    """Rules of `text` and the exceptions that follow them, as clauses."""
    found: list[tuple[str, str]] = []
    rule = ""
    for clause, _ in _clauses(text):
        if EXCEPTION.search(clause):
            found += [(rule, clause)] if rule else []
        elif not CONDITION.search(clause):
            rule = clause
    return tuple(found)


def is_bare(clause: str) -> bool:
    """True where a clause is yes or no and nothing else."""
    found = NO.match(clause) or YES.match(clause)
    return found is not None and found.end() >= len(clause.rstrip())


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """The clauses, and whether a sentence ends with each."""
    start, pending = 0, ""
    for match in CLAUSE.finditer(text):
        pending += text[start : match.start()]
        start = match.end()
        if match.group().startswith(",") and not _parts(pending, text[start : start + 60]):
            pending += ", "
            continue
        if pending.strip():
            yield pending.strip(), not _GOES_ON.match(match.group())
        pending = ""
    if (pending + text[start:]).strip():
        yield (pending + text[start:]).strip(), True


def _parts(before: str, after: str) -> bool:
    """True where a comma divides two clauses and not two words of a list."""
    return bool(LEADING.fullmatch(before.strip()) or (VERB.search(after.split(",")[0]) and VERB.search(before)))


def _statement(clause: str, sign: int | None, before: Terms, given: str) -> Statement:
    plain = BOUND.sub(lambda match: "·" * len(match.group()), clause)
    charge = -1 if FREE.search(plain) else 1 if CHARGED.search(plain) else 0
    plain = FREE.sub(lambda match: "·" * len(match.group()), plain)
    spans = _apart([*negation_spans(plain), *(match.span() for match in DENYING.finditer(plain))])
    own = sign if sign is not None else -1 if len(spans) % 2 else 1
    words = terms(clause)
    denied: Terms = {}
    if own < 0 or (not own and len(spans) % 2):
        denied = words if sign == -1 or not spans else _heads(plain, spans, words)
    return Statement(
        text=clause,
        terms=words,
        sign=own,
        denied=denied,
        charge=charge,
        only=_only(clause),
        before=before,
        given=given,
        excepts=sign is not None and EXCEPTION.search(clause) is not None,
        grants=GRANTS.search(clause) is not None,
        otherwise=OTHERWISE.match(clause) is not None,
        withholds=own < 0 and (sign is not None or WITHHOLDS.search(plain) is not None),
    )


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans without those that lie within others."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _heads(clause: str, spans: Sequence[tuple[int, int]], words: Terms) -> Terms:
    """The terms of the verbs that are denied, right behind each negation; all of the clause where there are none."""
    found: dict[str, float] = {}
    for start, end in spans:
        light = LIGHT.match(clause, end)
        at = light.end() if light else end
        ascii_ = clause[at : at + 1].isascii()
        head = " ".join(clause[at:].split()[:_HEAD_EN]) if ascii_ else clause[at : at + _HEAD_ZH]
        if DENYING.fullmatch(clause[start:end]):
            head += " " + clause[:start]
        found |= terms(head)
    return found or words


def _only(clause: str) -> Terms:
    match = ONLY.search(clause)
    if match is None:
        return {}
    behind = terms(clause[match.end() :][:24])
    return behind or terms(clause[: match.start()][-24:])
