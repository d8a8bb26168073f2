"""Which version of a document the system has, against the one that the snapshot froze."""

from builder.score.layers.looked import Looked


def newer(at: Looked, doc_id: str) -> str:
    """The version that the system has, where it is a later one than the snapshot's; else empty."""
    has, frozen = _system(at, doc_id), _frozen(at, doc_id)
    return str(has) if has is not None and frozen is not None and has > frozen else ""


def older(at: Looked, doc_id: str) -> str:
    """The version that the system has, where it is an earlier one than the snapshot's; else empty."""
    has, frozen = _system(at, doc_id), _frozen(at, doc_id)
    return str(has) if has is not None and frozen is not None and has < frozen else ""


def _frozen(at: Looked, doc_id: str) -> int | None:
    document = at.known.documents.get(doc_id)
    return document.version if document else None


def _system(at: Looked, doc_id: str) -> int | None:
    """From the map file, else from the passages of this answer; none where it is told nowhere, or not as a number."""
    index = at.known.index
    told = index.versions.get(doc_id) if index else None
    if told is None:
        items = (place for places in at.view.stages.values() for place in places if place.doc_id == doc_id)
        told = next((place.item.doc_version for place in items if place.item.doc_version), None)
    return int(told) if told is not None and told.isdecimal() else None
