"""Check `self_answered`: the question does not give its answer away."""

from builder.checks.context import CheckContext
from builder.checks.reading.compare import facts, stands
from builder.checks.reading.polarity import asks_whether
from builder.checks.reading.statements import statements
from builder.checks.reading.wording import Terms, coverage, terms
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult

NAME = "self_answered"
_MOST = 0.85
"""Share of the answer's words that stand in the question, where its facts stand there too."""
_NEARLY_ALL = 0.9
"""The same where the answer has no facts."""


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: all facts of the answer stand in the question, and little else is said."""
    if not case.answerable or not case.ground_truth.strip():
        return None
    return warned(NAME, "given_away") if given_away(case.question, case.ground_truth) else passed(NAME)


def given_away(question: str, answer: str) -> bool:
    """True where somebody who reads the question alone could give the answer."""
    stated = facts(answer)
    if any(not stands(fact, (question,)) for fact in stated):
        return False
    if asks_whether(question):
        return False
    said = _words(answer)
    if not said and not stated:
        return False
    return coverage(said, terms(question)) >= (_MOST if stated else _NEARLY_ALL) and not _denies(question, answer)


def _words(answer: str) -> Terms:
    return {term: weight for term, weight in terms(answer).items() if term[0] not in "=#"}


def _denies(question: str, answer: str) -> bool:
    """True where the answer denies what the question does not: a no is news."""
    return any(one.sign < 0 for one in statements(answer)) and all(one.sign > 0 for one in statements(question))
