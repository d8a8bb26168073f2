"""Whether an answer says the opposite of its evidence.

Two statements contradict each other where they speak of the same thing with other signs, and what is denied in one
stands in the other. Equal meaning in other words (不得 and 不能, not covered and excluded) has equal signs. Where the
evidence has a statement that fits as well and agrees, there is no contradiction.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from builder.checks.reading.compare import facts, measures, same
from builder.checks.reading.signs import (
    ASKS_NOT,
    ASKS_WHAT,
    ASKS_WHETHER,
    EXCEPTION,
    NO,
    NO_OTHER,
    OPPOSITES,
    SIGNS,
    UNTOUCHED,
)
from builder.checks.reading.statements import Statement, is_bare, statements
from builder.checks.reading.wording import Terms, coverage, shared, terms

_MOST_SAID, _MOST_HELD, _MOST_FACTS = 30, 100, 12
"""Clauses, and facts of a clause, that are compared: a reply may repeat itself without end."""
_HALF = 0.5
"""Statements whose fit is at least this share of the best one's may be meant."""


def contradicted(question: str, answer: str, evidence: str, paired: str = "") -> tuple[str, str] | None:
    """A clause of the answer and the clause of the evidence that says the opposite; none where there is none.

    `paired`: the question that the evidence answers, where it is a question/answer pair.
    """
    asked = terms(question)
    held = (tuple(_said(paired, evidence)) if paired else statements(evidence))[:_MOST_HELD]
    closed = NO_OTHER.search(evidence) is not None or any(row.only for row in held)
    for said in islice(_said(question, answer), _MOST_SAID):
        row = _opposing(said, asked, held)
        if row and not (closed and said.sign < 0 and not row.only):
            return said.text, row.text
    return None


def asks_whether(question: str) -> bool:
    """True for a question that yes or no answers."""
    return ASKS_WHETHER.search(question) is not None and not ASKS_WHAT.search(question)


def _opposing(said: Statement, asked: Terms, held: Sequence[Statement]) -> Statement | None:
    """The statement of the evidence that says the opposite of `said`, where none that fits as well agrees with it."""
    scores = [_score(said, asked, row) for row in held]
    best = max(scores, default=0.0)
    rows = sorted(zip(scores, held, strict=True), key=lambda row: -row[0])
    against = [(score, row) for score, row in rows if score >= max(1.0, _HALF * best) and _opposed(said, row)]
    if not against:
        return None
    score, row = against[0]
    return None if any(_agrees(said, other, row) for mark, other in rows if mark >= score) else row


def _score(said: Statement, asked: Terms, row: Statement) -> float:
    same = 1.0 if said.charge and row.charge else 0.0
    before = 0.5 * sum(weight for term, weight in said.terms.items() if term in row.before and term not in row.terms)
    return shared(said.terms, row.terms) + before + 0.4 * shared(asked, row.terms) + same


def _agrees(said: Statement, row: Statement, against: Statement) -> bool:
    """True where a statement bears `said` out: it speaks of what is denied, with the same sign."""
    if said.sign > 0 and UNTOUCHED.search(row.text) and not UNTOUCHED.search(said.text):
        return shared(said.terms, row.terms) >= 1.0
    if _opposed(said, row) or row.sign != said.sign * _turns(said, row):
        return False
    if against.excepts:
        return shared(said.terms, row.terms) >= max(1.0, shared(said.terms, against.terms))
    head = said.denied or against.denied
    return not head or _speaks_of(row.terms, head)


def _said(question: str, answer: str) -> Iterator[Statement]:
    """What the answer says; a bare yes or no says of the question's words what it is asked."""
    whether = asks_whether(question)
    for place, statement in enumerate(statements(answer)):
        if place == 0 and is_bare(statement.text):
            if whether and _asks_plainly(question):
                yield _echo(question, -1 if NO.match(statement.text) else 1)
            continue
        yield statement


def _asks_plainly(question: str) -> bool:
    """True where yes to the question affirms it: it denies and excepts nothing itself."""
    if ASKS_NOT.search(question):
        return False
    return all(one.sign >= 0 for one in statements(SIGNS.sub(" ", question)))


def _echo(question: str, sign: int) -> Statement:
    """What a bare yes or no says: the question's words, affirmed or denied."""
    plain = SIGNS.sub(" ", question)
    charge = next((one.charge for one in reversed(statements(plain)) if one.charge), 0) * sign
    words = terms(question)
    return Statement(
        text=question,
        terms=words,
        sign=sign,
        denied=words if sign < 0 else {},
        charge=charge,
        only={},
        grants=True,
        echoes=True,
    )


def _opposed(said: Statement, row: Statement) -> bool:
    if said.charge and row.charge and (said.echoes or said.charge != row.charge):
        return said.charge != row.charge
    if not row.sign or not said.sign or _other_values(said, row) or said.sign == row.sign * _turns(said, row):
        return False
    if row.otherwise and not said.otherwise and not _speaks_of(said.terms, row.denied):
        return False
    if said.sign < 0 and row.only:
        return coverage(row.only, said.terms) > 0.7
    if said.sign > 0 and said.only:
        return False
    if said.sign < 0 and row.sign > 0:
        return _speaks_of(row.terms, said.denied) and _covers(said, row)
    if said.sign > 0 and row.sign < 0:
        granted = said.grants and row.withholds and shared(said.terms, row.terms) >= 1.0
        return granted or _speaks_of(said.terms, row.denied)
    return coverage(said.terms, row.terms) >= 0.5


def _other_values(said: Statement, row: Statement) -> bool:
    """True where both state numbers of one kind and none is the same: they speak of different cases."""
    ours, theirs = (
        [fact for fact in facts(f"{one.given} {one.text}") if fact.kind != "place"][:_MOST_FACTS] for one in (said, row)
    )
    pairs = [
        (measures(one), same(one, other) or same(other, one))
        for one in ours
        for other in theirs
        if measures(one) == measures(other)
    ]
    return any(not any(agree for kind, agree in pairs if kind == wanted) for wanted, _ in pairs)


def _covers(said: Statement, row: Statement) -> bool:
    around = row.terms if EXCEPTION.search(row.text) else {*row.terms, *row.before}
    return coverage(said.terms, around) >= 0.5 and shared(said.terms, row.terms) >= 1.0


def _speaks_of(words: Terms, denied: Terms) -> bool:
    """True where what is denied stands in `words`: a pair of letters or a word of it, all of it where it is less."""
    return shared(denied, words) >= min(1.0, 0.99 * sum(denied.values())) > 0


def _turns(said: Statement, row: Statement) -> int:
    """-1 where one says with a word of the opposite sense what the other says with a negation."""
    sign = 1
    for one, other in _opposites():
        ours = (bool(one.search(said.text)), bool(other.search(said.text)))
        theirs = (bool(one.search(row.text)), bool(other.search(row.text)))
        if ours != theirs and ours == theirs[::-1] and ours[0] != ours[1]:
            sign = -sign
    return sign


@cache
def _opposites() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE)) for one, other in OPPOSITES)
