"""Hidden text layers, compared with the image that they lie under.

A layer is what somebody's OCR once read; nobody sees it, so nobody notices that every fourth letter is wrong. A few of
its pages are read again: where both differ, the layer of the whole document is given up for OCR.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from builder.model.document import Page, PageOrigin, Problem
from builder.settings import OcrSettings
from builder.text.fold import folded


def to_compare(hidden: Sequence[Page], ocr: OcrSettings) -> tuple[Page, ...]:
    """Of a document's pages with a hidden layer those to read, spread over it; none where that was done before."""
    if any(page.agreement is not None for page in hidden):
        return ()
    wanted = min(ocr.hidden_sample, len(hidden))
    places = {round(number * (len(hidden) - 1) / max(1, wanted - 1)) for number in range(wanted)}
    return tuple(hidden[place] for place in sorted(places))


def agreement(one: str, other: str) -> int:
    """How far two texts of a page are the same, per cent: pairs of neighbouring characters that both have.

    Order counts only within the pairs, since a layer may hold its lines and columns in another order.
    """
    pairs, others = _pairs(one), _pairs(other)
    total = pairs.total() + others.total()
    return round(200 * (pairs & others).total() / total) if total else 100


def judged(hidden: Sequence[Page], read: Sequence[Page], ocr: OcrSettings) -> tuple[Page, ...]:
    """The pages of a document that change, after some of its `hidden` pages were `read` by OCR.

    A page whose layer differs takes the text of OCR, and so in the end do all when half of the compared ones differ:
    those wait for OCR. Where OCR read nothing, or is unsure of the whole page, the layer stays and the page says so.
    """
    layers = {page.number: page for page in hidden}
    compared = [_compared(layers[page.number], page, ocr) for page in read]
    differing = sum(page.origin is PageOrigin.OCR for page in compared)
    if differing * 2 < len(compared) or not differing:
        return tuple(compared)
    seen = {page.number for page in compared if page.origin is PageOrigin.OCR or page.problem}
    return (
        *(page for page in compared if page.number in seen),
        *(_again(page) for page in hidden if page.number not in seen),
    )


def _compared(layer: Page, read: Page, ocr: OcrSettings) -> Page:
    found = agreement(layer.text, read.text) if read.origin is PageOrigin.OCR else 0
    if found >= ocr.hidden_agreement:
        return layer.replace(agreement=found)
    if read.origin is not PageOrigin.OCR or (read.confidence or 0) < ocr.weak_mean:
        return layer.replace(agreement=found, problem=Problem(code="hidden_unproven", page=layer.number))
    return read.replace(agreement=found)


def _again(page: Page) -> Page:
    """The page as one that waits: nothing of its layer is kept."""
    return page.replace(
        origin=PageOrigin.WAITING, text="", lines=(), tables=(), boilerplate=(), discarded=0, agreement=None
    )


def _pairs(text: str) -> Counter[str]:
    plain = folded(text)
    return Counter(map("".join, pairwise(plain)))
