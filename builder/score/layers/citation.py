"""Whether the answer cites what it rests on. An answer whose citations are not told is not judged here."""

from collections.abc import Sequence

from builder.model.case import Status
from builder.score.compression import SAME, lost
from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked
from builder.score.view import Cited
from builder.text.quotes import find_quote


def look(at: Looked) -> Finding:
    """The worst that is wrong with the citations, from those that point nowhere to those that miss the evidence."""
    if not at.answered or at.status is not Status.ANSWER:
        return idle(Layer.CITATION)
    citations = at.view.citations
    if citations is None and "citations" not in at.view.told:
        return untold(Layer.CITATION, "no_citations")
    citations = citations or ()
    return _pointless(at, citations) or _beside(at, citations) or fine(Layer.CITATION)


def _pointless(at: Looked, citations: Sequence[Cited]) -> Finding | None:
    """They name nothing that this answer may rest on."""
    dangling = [one for one in citations if not one.known and not one.places and at.view.stages]
    if dangling:
        return broken(Layer.CITATION, "dangling", ids=_ids(dangling))
    foreign = [one for one in citations if one.known and not one.places and at.view.stages]
    if foreign:
        return broken(Layer.CITATION, "cited_not_retrieved", ids=_ids(foreign))
    # Where the other version says the same words, they bear the answer out as well.
    outdated = [one for one in citations if one.wrong_version and not one.hits]
    if outdated:
        return broken(Layer.CITATION, "cited_wrong_version", ids=_ids(outdated))
    return None


def _beside(at: Looked, citations: Sequence[Cited]) -> Finding | None:
    """They do not bear out the answer; asked only where there is evidence."""
    if not at.wanted:
        return None
    if not citations:
        return broken(Layer.CITATION, "nothing_cited")
    unknown = [one for one in citations if not one.known]
    uncited = [group for group in at.groups if not any(_bears_out(at, group, one) for one in citations)]
    if uncited and unknown:
        return untold(Layer.CITATION, "unmapped", count=len(unknown), id=unknown[0].citation.id)
    if len(uncited) == len(at.groups):
        return broken(Layer.CITATION, "wrong_passage", ids=_ids(citations), document=at.names(tuple(uncited)))
    if uncited:
        return broken(Layer.CITATION, "evidence_uncited", document=at.names(tuple(uncited)))
    met = {place for one in citations for place in one.required}
    required = [one for place, one in enumerate(at.view.case.required_citations) if place not in met]
    if required and not unknown:
        return broken(Layer.CITATION, "required_uncited", document=required[0].doc_id)
    invented = [one for one in citations if not _quoted(at, one)]
    return broken(Layer.CITATION, "unsupported", ids=_ids(invented)) if invented else None


def _bears_out(at: Looked, group: int, one: Cited) -> bool:
    """It holds the evidence, or a text that says the same: evidence need not name every passage that does."""
    if one.hits & set(at.wanted[group]):
        return True
    text = one.text
    return text is not None and any(not lost(at.evidence(target).quote, text, SAME) for target in at.wanted[group])


def _quoted(at: Looked, one: Cited) -> bool:
    """What the citation quotes stands in its passage, as far as the passage's text is told."""
    if not one.citation.quote:
        return True
    texts = (
        [one.text]
        if one.text
        else [
            place.item.text
            for places in at.view.stages.values()
            for place in places
            if place.item.id == one.citation.id and place.item.text
        ]
    )
    return not texts or any(find_quote(one.citation.quote, text) for text in texts)


def _ids(citations: Sequence[Cited]) -> str:
    return ", ".join(one.citation.id for one in citations)
