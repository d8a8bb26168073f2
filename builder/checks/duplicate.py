"""Check `duplicate`: no other case of the dataset asks the same. Run over whole datasets, and told of both sides."""

from builder.checks.context import CheckContext
from builder.checks.reading.compare import Fact, facts, measures, same, stands
from builder.checks.reading.polarity import contradicted
from builder.checks.verdict import failed, passed, warned
from builder.model.case import Case, CheckResult, ReviewState
from builder.text.fold import folded
from builder.text.simplified import simplified

NAME = "duplicate"


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: another case asks the same. Fail: and answers otherwise. None without the other cases, or when rejected."""
    if context.others is None or case.review_state is ReviewState.REJECTED:
        return None
    near = context.others.like(case)
    if near is None:
        return passed(NAME)
    other = context.others.cases[near.case_id]
    values = {"case": other.case_id, "question": other.question[:120]}
    if contradict(case, other):
        return failed(NAME, "contradicts", **values, answer=other.ground_truth[:120])
    return warned(NAME, "duplicate" if near.exact else "near_duplicate", **values)


def contradict(one: Case, other: Case) -> bool:
    """True where two answers to one question cannot both be right: other values of one measure, yes and no, or none.

    A case that waits for its answer contradicts nothing.
    """
    if not (one.complete and other.complete):
        return False
    if one.answerable != other.answerable:
        return True
    left, right = simplified(one.ground_truth), simplified(other.ground_truth)
    if folded(left) == folded(right):
        return False
    question = simplified(one.question)
    if _apart(_own(left, question), _own(right, question)):
        return True
    return any(contradicted(question, answer, text) for answer, text in ((left, right), (right, left)))


def _own(answer: str, question: str) -> list[Fact]:
    """What the answer says exactly and the question does not."""
    return [fact for fact in facts(answer) if not stands(fact, (question,))]


def _apart(left: list[Fact], right: list[Fact]) -> bool:
    """True where both state values of one measure, and have none of them in common."""
    shared = {measures(fact) for fact in left} & {measures(fact) for fact in right}
    rows = [fact for fact in left if measures(fact) in shared]
    others = [fact for fact in right if measures(fact) in shared]
    return bool(rows) and not any(same(one, other) or same(other, one) for one in rows for other in others)
