"""Whether evidence that was found came early enough to be used."""

from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked
from builder.score.view import Stage


def look(at: Looked) -> Finding:
    """Evidence among the candidates that the ranking left out, or put behind what is read."""
    if not at.wanted:
        return idle(Layer.RANKING)
    stage = Stage.RERANKED if at.told(Stage.RERANKED) else Stage.RETRIEVED
    if not at.told(stage):
        return untold(Layer.RANKING, "no_retrieved")
    found = tuple(group for group in at.groups if at.rank(group, Stage.RETRIEVED) or at.rank(group, stage))
    if not found:
        return idle(Layer.RANKING)
    return _left_out(at, found) or _too_late(at, found, stage) or fine(Layer.RANKING)


def _left_out(at: Looked, found: tuple[int, ...]) -> Finding | None:
    """Candidates of which the reranker kept others only."""
    if not at.told(Stage.RERANKED):
        return None
    for group in found:
        if at.rank(group, Stage.RERANKED) is None and at.rank(group, Stage.CONTEXT) is None and _unread(at, group):
            rank = at.rank(group, Stage.RETRIEVED)
            return broken(Layer.RANKING, "ranked_out", document=at.names((group,)), rank=rank)
    return None


def _too_late(at: Looked, found: tuple[int, ...], stage: Stage) -> Finding | None:
    """Ranked behind the last passage that is read."""
    late = [group for group in found if at.rank(group, Stage.CONTEXT) is None and _unread(at, group)]
    if not late:
        return None
    used = cut_of(at, stage)
    if used is None:
        return untold(Layer.RANKING, "no_context")
    for group in late:
        rank = at.rank(group, stage)
        if rank is not None and rank > used:
            return broken(Layer.RANKING, "beyond_cut", document=at.names((group,)), rank=rank, cut=used)
    return None


def _unread(at: Looked, group: int) -> bool:
    return at.unread is None or group in at.unread


def cut_of(at: Looked, stage: Stage) -> int | None:
    """How far down the ranking the system reads: as far as it did here, and never less than it usually does."""
    read = at.places(Stage.CONTEXT)
    if not at.told(Stage.CONTEXT):
        return at.known.cut
    ids = {place.item.id for place in read if place.item.id}
    deepest = max((place.rank for place in at.places(stage) if place.item.id in ids), default=0)
    return max(len(read), deepest, at.known.cut or 0)
