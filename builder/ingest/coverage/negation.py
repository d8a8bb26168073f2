"""Negations of a page that no chunk holds: the costliest words to lose."""

from collections.abc import Mapping, Sequence

from builder.ingest.coverage.masks import PageMasks
from builder.model.coverage import Negations, Place
from builder.model.document import Page
from builder.text.negation import negation_spans

_AROUND = 12


def negations_kept(pages: Sequence[Page], masks: Mapping[int, PageMasks]) -> Negations:
    """Each negation of the page texts, boilerplate left out, must stand whole in one chunk."""
    seen = 0
    lost: list[Place] = []
    for page in pages:
        for start, end in negation_spans(page.text):
            if any(start < high and low < end for low, high in page.boilerplate):
                continue
            seen += 1
            if not masks[page.number].holders([(start, end)]):
                around = page.text[max(0, start - _AROUND) : end + _AROUND]
                lost.append(Place(page=page.number, text=f"…{' '.join(around.split())}…"))
    return Negations(seen=seen, lost=tuple(lost))
