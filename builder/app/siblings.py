"""Passages that hold the answer of a case as well as its evidence does, as the reviewer shows them."""

from dataclasses import replace

from builder.app.searching import Passages
from builder.model.case import Case
from builder.review.desk import Passage

_CHECK = "siblings"
"""Name of the check that looks for them, in its registry."""
_MOST = 9
"""One a digit."""
_NONE = ("", "sibling_version")
"""What the check says of a case whose evidence has none that agrees."""


def siblings_of(case: Case, passages: Passages) -> tuple[Passage, ...]:
    """At most nine passages that agree with the evidence of a case, each with the group that it would join.

    They are looked for anew, for documents change; not where the check has just said that there are none.
    """
    if not case.evidence_groups or _known_to_have_none(case):
        return ()
    from builder.checks import CheckContext  # when they are used: the reviewer starts without the checks
    from builder.checks import siblings as check

    context = CheckContext(chunks=passages.index, corpus=passages.corpus)
    found = (one for one in check.siblings(case, context) if one.proposed)
    shown = (replace(passages.of_evidence(one.evidence), group=one.group) for one in found)
    return tuple(shown)[:_MOST]


def _known_to_have_none(case: Case) -> bool:
    verdict = next((one for one in case.checks if one.name == _CHECK), None)
    return verdict is not None and verdict.detail in _NONE
