"""Which version of a document the system has, against the one that the snapshot froze."""

from builder.model.snapshot import FrozenDocument
from builder.score.layers.looked import Looked
from builder.score.passages import version_name

_COUNTED = 3
"""Most digits of a version that is counted; longer ones are years or dates."""


def newer(at: Looked, doc_id: str) -> str:
    """The version that the system has, where it is known to be a later one than the snapshot's; else empty."""
    told = _told(at, doc_id)
    return told if _order(told, at.known.documents.get(doc_id)) > 0 else ""


def older(at: Looked, doc_id: str) -> str:
    """The version that the system has, where it is known to be an earlier one than the snapshot's; else empty."""
    told = _told(at, doc_id)
    return told if _order(told, at.known.documents.get(doc_id)) < 0 else ""


def _told(at: Looked, doc_id: str) -> str:
    """From the map file, else from the passages of this answer; empty where it is told nowhere."""
    index = at.known.index
    told = index.versions.get(doc_id) if index else None
    if told is None:
        items = (place.item for places in at.view.stages.values() for place in places if place.doc_id == doc_id)
        told = next((item.doc_version for item in items if item.doc_version), None)
    return told or ""


def _order(told: str, document: FrozenDocument | None) -> int:
    """1 where the version is later, -1 where it is earlier; 0 where it is the same, or nobody can tell.

    A number is laid against the label of the document where that is such a number (2024 and 2026), else against the
    count of its versions.
    """
    name = version_name(told)
    if document is None or not name.isdecimal():
        return 0
    label, count = version_name(document.metadata.version_label or ""), str(document.version)
    if name in (label, count):
        return 0
    if label.isdecimal() and len(label) == len(name):
        return 1 if int(name) > int(label) else -1
    return 0 if len(name) > _COUNTED else 1 if int(name) > document.version else -1
