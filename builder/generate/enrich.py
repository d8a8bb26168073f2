"""What can be derived for a new case: its risk, what must not be said, passages that look right and are not."""

from collections.abc import Mapping

from builder.checks import CheckContext
from builder.model.case import Case
from builder.text.fold import folded


def enrich(case: Case, context: CheckContext, risks: Mapping[str, tuple[str, ...]]) -> Case:
    """The case with everything that a program can add to it."""
    return case.replace(risk=case.risk or _risk(case, risks))


def _risk(case: Case, risks: Mapping[str, tuple[str, ...]]) -> str | None:
    """The first risk one of whose words stands in question or answer."""
    text = folded(f"{case.question} {case.ground_truth}")
    return next((risk for risk, words in risks.items() if any(folded(word) in text for word in words)), None)
