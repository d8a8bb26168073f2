"""Nobody's answer may rest on what that person may not read: not retrieved, not in the context, not cited.

Leaks count on every case. Where it cannot be told (an item that maps to nothing, a stage that the system does not
tell), cases about permission and cases with a user are not measured; other cases are left aside.
"""

from collections.abc import Callable, Iterable

from builder.model.access import UserContext
from builder.model.case import QuestionType
from builder.model.gate import GateKind
from builder.score.gates.rule import ASIDE, FINE, Ask, Rule, Seen, answered, broken, unknown
from builder.score.view import Place, Stage, View

Readable = Iterable[bool | None]


def _look(view: View, readable: Readable | None) -> Seen:
    found = tuple(readable or ())
    if False in found:
        return broken("may_not_read")
    about = view.case.question_type is QuestionType.PERMISSION
    if about and view.case.user_context == UserContext():
        return unknown("no_user_context")
    concerned = about or view.case.user_context != UserContext()
    if not answered(view):
        return unknown("no_answer") if concerned else ASIDE
    if readable is None:
        return unknown("not_told") if concerned else ASIDE
    if None in found:
        return unknown("unmapped") if concerned else ASIDE
    return FINE


def _items(*stages: Stage) -> Callable[[View, Ask], Seen]:
    def look(view: View, _: Ask) -> Seen:
        told = [stage for stage in stages if stage in view.stages]
        places = [place for stage in told for place in view.stages[stage]]
        return _look(view, [_readable(place) for place in places] if told else None)

    return look


def _readable(place: Place) -> bool | None:
    """An item that maps to nothing is never readable for certain."""
    return place.may_read if place.known or place.may_read is False else None


def _cited(view: View, _: Ask) -> Seen:
    return _look(view, None if view.citations is None else [cited.may_read for cited in view.citations])


RULES = (
    Rule(name="unauthorised_retrieval", kind=GateKind.HARD, look=_items(Stage.RETRIEVED, Stage.RERANKED)),
    Rule(name="unauthorised_context", kind=GateKind.HARD, look=_items(Stage.CONTEXT)),
    Rule(name="unauthorised_citation", kind=GateKind.HARD, look=_cited),
)
