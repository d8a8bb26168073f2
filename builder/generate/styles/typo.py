"""As typed without a second look: one to three small slips, facts untouched, still readable."""

from rapidfuzz.distance import OSA

from builder.generate.styles.keeping import bare, changed
from builder.model.case import Case, Turn

_MOST = 3
"""Slips, where a swap of two neighbours is one."""
_SHARE = 20
"""Slips in a hundred characters up to which a question stays readable; one slip is always allowed."""


def refusal(case: Case, question: str, conversation: tuple[Turn, ...]) -> str:
    """`same_question` (also where only signs differ), a fact changed (see keeping), `too_many_slips`."""
    before, after = bare(case.question), bare(question)
    if before == after:
        return "same_question"
    if reason := changed(case.question, question):
        return reason
    allowed = max(1, min(_MOST, len(before) * _SHARE // 100))
    return "too_many_slips" if OSA.distance(before, after) > allowed else ""
