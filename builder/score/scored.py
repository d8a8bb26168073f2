"""How well an answer did, as far as it is known when answers are laid before people."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from builder.model.case import Case, Status
from builder.model.run import RunRecord
from builder.model.verdict import ClaimVerdict, Judgement
from builder.score.claims import judge_claims


class Score(NamedTuple):
    """What is known of one answer."""

    score: int
    """0-100."""
    passed: bool
    """Nothing is known to be wrong with it."""
    critical: bool
    """Something is wrong with it that no other answer makes up for."""


class Scored(Protocol):
    """Scores of a run; none where nothing can be told."""

    def __call__(self, case_id: str, repeat: int) -> Score | None:
        """The score of one answer."""


def scored_by_checks(case_of: Callable[[str], Case], record_of: Callable[[str, int], RunRecord]) -> Scored:
    """Scores that the deterministic checks give."""
    return lambda case_id, repeat: score_by_checks(case_of(case_id), record_of(case_id, repeat))


def score_by_checks(case: Case, record: RunRecord) -> Score | None:
    """The score of an answer by its status and the checks of its claims; none where neither tells anything."""
    if record.error is not None or record.answer is None:
        return Score(0, False, False)
    accepted = case.acceptable_status or ((Status.ANSWER,) if case.answerable else (Status.REFUSE,))
    if record.status is not None and record.status not in accepted:
        return Score(0, False, critical=not case.answerable and record.status is Status.ANSWER)
    if record.status not in (None, Status.ANSWER):
        return Score(100, True, False)
    return _by_claims(case, judge_claims(case, record.answer))


def _by_claims(case: Case, verdicts: tuple[ClaimVerdict, ...]) -> Score | None:
    if all(one.verdict is Judgement.UNDECIDED for one in verdicts):
        return None
    wrong = [one for one in verdicts if one.verdict is Judgement.WRONG]
    whole = sum(claim.weight for claim in case.claims)
    right = sum(
        case.claims[one.index].weight for one in verdicts if not one.must_not and one.verdict is Judgement.RIGHT
    )
    score = 100 * right // whole if whole else 0 if wrong else 100
    return Score(score, not wrong, any(_is_critical(case, one) for one in wrong))


def _is_critical(case: Case, one: ClaimVerdict) -> bool:
    return (case.must_not_claims if one.must_not else case.claims)[one.index].critical
