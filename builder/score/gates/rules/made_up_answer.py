"""No question that the documents do not answer may be answered."""

from builder.model.case import Status
from builder.model.gate import GateKind
from builder.score.gates.rule import ASIDE, FINE, Ask, Rule, Seen, answered, broken, status_of, unknown
from builder.score.view import View


def _look(view: View, _: Ask) -> Seen:
    if view.case.answerable or Status.ANSWER in view.case.acceptable_status:
        return ASIDE
    if not answered(view):
        return unknown("no_answer")
    if status_of(view) is None:
        return unknown("no_status")
    return broken("made_up") if status_of(view) is Status.ANSWER else FINE


RULES = (Rule(name="made_up_answer", kind=GateKind.HARD, look=_look),)
