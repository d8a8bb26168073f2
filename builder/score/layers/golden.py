"""The case itself: out of date, its evidence gone from the documents, or at odds with itself."""

from datetime import date

from builder.model.verdict import Judgement
from builder.score.claims import judge_claims
from builder.score.layers.finding import Finding, Layer, broken, fine
from builder.score.layers.looked import Looked
from builder.score.layers.versions import newer


def look(at: Looked) -> Finding:
    """Expired, stale or contradictory."""
    return _expired(at) or _stale(at) or _contradictory(at) or fine(Layer.GOLDEN)


def _expired(at: Looked) -> Finding | None:
    """The day of the question lies outside the days on which the answer, or all of a group's documents, hold."""
    case = at.view.case
    if case.as_of is None:
        return None
    if not _holds(case.as_of, case.valid_from, case.valid_to):
        return broken(Layer.GOLDEN, "expired", as_of=case.as_of, since=case.valid_from or "", until=case.valid_to or "")
    for group in at.wanted:
        found = [at.known.documents.get(at.evidence(target).doc_id) for target in group]
        days = [(known.metadata.valid_from, known.metadata.valid_to) for known in found if known]
        if days and len(days) == len(group) and not any(_holds(case.as_of, *pair) for pair in days):
            since, until = days[0]
            return broken(Layer.GOLDEN, "expired", as_of=case.as_of, since=since or "", until=until or "")
    return None


def _holds(day: date, since: date | None, until: date | None) -> bool:
    return (since is None or since <= day) and (until is None or day <= until)


def _stale(at: Looked) -> Finding | None:
    """Evidence whose file is gone, or that the newer version which the system has does not hold any more.

    Only a map file shows that; a passage of a newer version may stand beside one that still holds the evidence.
    """
    for target in (target for group in at.wanted for target in group):
        name = at.evidence(target).doc_id
        document = at.known.documents.get(name)
        if document is not None and document.retired:
            return broken(Layer.GOLDEN, "document_gone", document=name)
        if at.known.index is not None and not at.indexed(target) and (version := newer(at, name)):
            return broken(Layer.GOLDEN, "stale", document=name, version=version)
    return None


def _contradictory(at: Looked) -> Finding | None:
    """The reference answer fails the claims that answers are judged by."""
    case = at.view.case
    if not case.ground_truth.strip():
        return None
    failed = [one for one in judge_claims(case, case.ground_truth) if one.verdict is Judgement.WRONG]
    return broken(Layer.GOLDEN, "contradictory", claim=failed[0].text) if failed else None
