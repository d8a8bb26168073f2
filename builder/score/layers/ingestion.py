"""Whether the evidence got into the system's chunks at all; only a map file of them can tell."""

from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.known import Indexed
from builder.score.layers.looked import Looked
from builder.score.layers.versions import older


def look(at: Looked) -> Finding:
    """Evidence that no chunk holds: its document is missing, old, cut, or lost a text."""
    if not at.wanted:
        return idle(Layer.INGESTION)
    index = at.known.index
    if index is None:
        return untold(Layer.INGESTION, "no_map")
    lost = tuple(group for group in at.groups if not _has(at, group))
    if lost and (strange := _not_in_map(at, index)):
        return untold(Layer.INGESTION, "map_incomplete", id=strange)
    return _outdated(at) or (_lost(at, index, lost) if lost else fine(Layer.INGESTION))


def _has(at: Looked, group: int) -> bool:
    """A chunk holds it, or it stood somewhere in this answer."""
    return any(map(at.indexed, at.wanted[group])) or any(at.rank(group, stage) for stage in at.view.stages)


def _not_in_map(at: Looked, index: Indexed) -> str:
    """A passage of this answer that the map file does not name."""
    if not index.ids:
        return ""
    ids = (place.item.id for places in at.view.stages.values() for place in places)
    return next((name for name in ids if name and name not in index.ids), "")


def _outdated(at: Looked) -> Finding | None:
    """Evidence that the system cannot have, since it has an earlier version of the document."""
    for target in (target for group in at.wanted for target in group):
        name = at.evidence(target).doc_id
        if not at.indexed(target) and (version := older(at, name)):
            return broken(Layer.INGESTION, "old_index", document=name, version=version)
    return None


def _lost(at: Looked, index: Indexed, lost: tuple[int, ...]) -> Finding:
    targets = at.wanted[lost[0]]
    if not {at.evidence(target).doc_id for target in targets} & index.documents:
        return broken(Layer.INGESTION, "no_document", document=at.names(lost[:1]))
    cut = index.cut.get(at.view.case.case_id, frozenset())
    reason = "cut_apart" if cut & set(targets) else "not_in_chunks"
    return broken(Layer.INGESTION, reason, document=at.names(lost[:1]), quote=at.evidence(targets[0]).quote)
