"""Whether anything came up that the user may not read: in the answer's sources, its text, or among its candidates."""

from builder.score.layers.finding import Finding, Layer, Outcome, broken, fine, untold
from builder.score.layers.looked import Looked
from builder.score.view import Stage

_REASONS = {
    Stage.CONTEXT: "unauthorised_context",
    Stage.RERANKED: "unauthorised_retrieval",
    Stage.RETRIEVED: "unauthorised_retrieval",
}


def look(at: Looked) -> Finding:
    """The farthest point that an unauthorised passage got to."""
    cited = [one.citation.id for one in at.view.citations or () if one.may_read is False]
    if cited:
        return broken(Layer.PERMISSION, "unauthorised_citation", ids=", ".join(cited))
    for stage, reason in _REASONS.items():
        ids = [place.item.id or place.doc_id for place in at.places(stage) if place.may_read is False]
        if ids:
            return broken(Layer.PERMISSION, reason, ids=", ".join(map(str, ids)), rank=_rank(at, stage))
    unsure = [place for places in at.view.stages.values() for place in places if place.may_read is None]
    return untold(Layer.PERMISSION, "access_unknown", count=len(unsure)) if unsure else fine(Layer.PERMISSION)


def _rank(at: Looked, stage: Stage) -> int:
    return next(place.rank for place in at.places(stage) if place.may_read is False)


def leaked(finding: Finding) -> bool:
    """A finding of this layer that no other figure makes up for."""
    return finding.layer is Layer.PERMISSION and finding.outcome is Outcome.BROKEN
