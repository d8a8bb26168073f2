"""No answer may cite a passage that there is not.

An id that maps to nothing and stands in no stage of the trace is made up. One that the system retrieved does exist
there; then the map is at fault, and nobody can tell.
"""

from builder.model.gate import GateKind
from builder.score.gates.rule import ASIDE, FINE, Ask, Rule, Seen, broken, unknown
from builder.score.view import View


def _look(view: View, _: Ask) -> Seen:
    if view.citations is None:
        return ASIDE
    strange = [cited for cited in view.citations if not cited.known]
    if any(not cited.places for cited in strange):
        return broken("no_such_passage") if view.stages else unknown("not_told")
    return unknown("unmapped") if strange else FINE


RULES = (Rule(name="non_existing_citation", kind=GateKind.HARD, look=_look),)
