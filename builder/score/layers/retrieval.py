"""Whether the evidence is among the candidates."""

from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked
from builder.score.view import Stage


def look(at: Looked) -> Finding:
    """Evidence that no candidate holds. An item that is unknown may hold it: then nothing is proven."""
    if not at.wanted:
        return idle(Layer.RETRIEVAL)
    absent = tuple(group for group in at.absent(Stage.RETRIEVED) if not _later(at, group))
    if not absent:
        return fine(Layer.RETRIEVAL)
    if not at.told(Stage.RETRIEVED):
        return untold(Layer.RETRIEVAL, "no_retrieved")
    if "passage_unknown" in at.view.flags:
        return untold(Layer.RETRIEVAL, "passage_unknown")
    strange = [place for place in at.places(Stage.RETRIEVED) if not place.known]
    if strange:
        return untold(Layer.RETRIEVAL, "unmapped", count=len(strange), id=strange[0].item.id)
    count = len(at.places(Stage.RETRIEVED))
    return broken(Layer.RETRIEVAL, "not_retrieved", document=at.names(absent), count=count)


def _later(at: Looked, group: int) -> bool:
    """A later stage has it: from a neighbour, a parent, or another search."""
    return any(at.rank(group, stage) for stage in (Stage.RERANKED, Stage.CONTEXT))
