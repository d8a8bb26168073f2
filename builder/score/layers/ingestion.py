"""Whether the evidence got into the system's chunks at all; only a map file of them can tell."""

from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked
from builder.score.layers.versions import older


def look(at: Looked) -> Finding:
    """Evidence that no chunk holds: its document is missing, old, cut, or lost a text."""
    if not at.view.groups:
        return idle(Layer.INGESTION)
    index = at.known.index
    if index is None:
        return untold(Layer.INGESTION, "no_map")
    held = index.held.get(at.view.case.case_id, frozenset())
    lost = tuple(group for group in at.groups if not held & set(at.view.groups[group]))
    if not lost:
        return fine(Layer.INGESTION)
    documents = {at.evidence(target).doc_id for group in lost for target in at.view.groups[group]}
    quote = at.evidence(at.view.groups[lost[0]][0]).quote
    if not documents & index.documents:
        return broken(Layer.INGESTION, "no_document", document=at.names(lost))
    old = next((version for name in sorted(documents) if (version := older(at, name))), "")
    if old:
        return broken(Layer.INGESTION, "old_index", document=at.names(lost), version=old)
    cut = index.cut.get(at.view.case.case_id, frozenset())
    reason = "cut_apart" if cut & set(at.view.groups[lost[0]]) else "not_in_chunks"
    return broken(Layer.INGESTION, reason, document=at.names(lost), quote=quote)
