"""No answer may state a critical claim wrongly: another amount, date, condition, or what must not be said.

Undecided critical claims leave the hard rule unmeasured; the manual rule names them, so that a person decides: claim by
claim, or by calling the whole answer right.
"""

from collections.abc import Iterator

from builder.model.case import Status
from builder.model.gate import GateKind
from builder.model.verdict import ClaimVerdict, Judgement, Verdict
from builder.score.gates.rule import ASIDE, FINE, Ask, Rule, Seen, answered, broken, status_of, unknown, verdict_of
from builder.score.view import View

_SILENT = "no_answer"
"""Said nothing at all: a miss, which other figures count, and no wrong statement."""


def _critical(view: View) -> Iterator[ClaimVerdict]:
    for verdict in view.claims:
        claims = view.case.must_not_claims if verdict.must_not else view.case.claims
        if verdict.index < len(claims) and claims[verdict.index].critical:
            yield verdict


def _look(view: View, ask: Ask) -> Seen:
    if not any(claim.critical for claim in (*view.case.claims, *view.case.must_not_claims)):
        return ASIDE
    if not answered(view):
        return unknown("no_answer")
    verdicts = tuple(_critical(view))
    if any(one.verdict is Judgement.WRONG and one.why != _SILENT for one in verdicts):
        return broken("wrong_claim")
    settled = verdict_of(view, ask) in (Verdict.CORRECT, Verdict.REFUSED_RIGHTLY)
    return unknown("undecided") if _open(view, verdicts) and not settled else FINE


def _open(view: View, verdicts: tuple[ClaimVerdict, ...]) -> bool:
    """True where a critical claim is undecided, or was never looked at. A refusal states nothing."""
    if status_of(view) not in (None, Status.ANSWER):
        return any(one.must_not and one.verdict is Judgement.UNDECIDED for one in verdicts)
    wanted = sum(claim.critical for claim in (*view.case.claims, *view.case.must_not_claims))
    return len(verdicts) < wanted or any(one.verdict is Judgement.UNDECIDED for one in verdicts)


def _undecided(view: View, ask: Ask) -> Seen:
    """The same question to a person: wrong claims are the hard rule's matter."""
    seen = _look(view, ask)
    return FINE if seen == broken("wrong_claim") else seen


RULES = (
    Rule(name="wrong_critical_claim", kind=GateKind.HARD, look=_look),
    Rule(name="undecided_critical_claim", kind=GateKind.MANUAL, look=_undecided),
)
