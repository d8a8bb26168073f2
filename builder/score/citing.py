"""The citations of an answer, mapped: as the system tells them, else from the marks in its words."""

from collections.abc import Iterator, Mapping

from builder.model.case import Case
from builder.model.run import Citation, RetrievedItem, RunRecord
from builder.score.gold import Gold
from builder.score.holding import Holdings
from builder.score.markers import Marker, markers
from builder.score.passages import Passage, places_of
from builder.score.view import Cited, Place, Stage

_COUNTED = (Stage.CONTEXT, Stage.RERANKED, Stage.RETRIEVED)
"""What the number of a mark counts: the first of these that is told."""
Stages = Mapping[Stage, tuple[Place, ...]]


def cited_of(holdings: Holdings, case: Case, gold: Gold, record: RunRecord, stages: Stages) -> tuple[Cited, ...]:
    """Every citation once, in its order."""
    found = record.citations
    if found is None:
        found = tuple(_parsed(record, holdings))
    return tuple(_cited(holdings, case, gold, citation, stages) for citation in found)


def _parsed(record: RunRecord, holdings: Holdings) -> Iterator[Citation]:
    """Citations that the marks of an answer make, each passage once."""
    items = next((items for stage in _COUNTED if (items := getattr(record, stage)) is not None), ())
    seen: set[str] = set()
    for marker in markers(record.answer or ""):
        for citation in (*_numbered(marker, items), *_named(marker, holdings)):
            if citation.id not in seen:
                seen.add(citation.id)
                yield citation


def _numbered(marker: Marker, items: tuple[RetrievedItem, ...]) -> Iterator[Citation]:
    """By number. One that counts beyond the passages, or nothing that is told, keeps the mark as its id."""
    for place in marker.places:
        if 0 <= place < len(items):
            item = items[place]
            yield Citation(
                id=item.id or marker.text,
                doc_id=item.doc_id,
                doc_version=item.doc_version,
                span=item.span,
                quote=item.text if not item.id else None,
                marker=marker.text,
            )
        else:
            yield Citation(id=marker.text, marker=marker.text)


def _named(marker: Marker, holdings: Holdings) -> Iterator[Citation]:
    """By id, or by the document's title or file where the mark begins with it."""
    if marker.places:
        return
    for name in marker.names:
        document = holdings.library.document_named(name)
        yield Citation(id=name, doc_id=document, marker=marker.text)


def _cited(holdings: Holdings, case: Case, gold: Gold, citation: Citation, stages: Stages) -> Cited:
    same = {stage: place for stage, places in stages.items() if (place := _standing(citation, places))}
    passage = _passage(holdings, citation, same)
    held = holdings.held(passage, gold)
    names = holdings.documents(passage, gold, held)
    required = (
        number
        for number, evidence in enumerate(case.required_citations)
        if (passage.loose or passage.doc_id == evidence.doc_id)
        and holdings.holds(passage, evidence, places_of(evidence.parts))
    )
    return Cited(
        citation=citation,
        places={stage: place.rank for stage, place in same.items()},
        known=passage.known or bool(held),
        hits=held.hits if held else frozenset(),
        wrong_version=holdings.wrong_version(passage, gold, held),
        may_read=holdings.library.may_read(case.user_context, names) if names else None,
        required=frozenset(required),
        text=passage.text,
    )


def _standing(citation: Citation, places: tuple[Place, ...]) -> Place | None:
    """The place that a citation names: by id, by text where nothing else is known, or the first of its document."""
    for place in places:
        if place.item.id == citation.id or (not place.item.id and place.item.text == citation.quote):
            return place
    if citation.doc_id is None:
        return None
    return next((place for place in places if place.doc_id == citation.doc_id and citation.span is None), None)


def _passage(holdings: Holdings, citation: Citation, same: Mapping[Stage, Place]) -> Passage:
    """What is known of the cited passage: from the item where it stands, else from the citation itself.

    The quote of a citation is a piece of the passage, so it never stands for all of it.
    """
    for place in same.values():
        if place.item.id == citation.id or not place.item.id:
            if citation.doc_version is not None and place.item.doc_version is None:
                return holdings.library.passage(place.item.replace(doc_version=citation.doc_version))
            return holdings.library.passage(place.item)
    return holdings.library.cited(citation)
