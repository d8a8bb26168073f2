"""How well images were read: what OCR says of itself, and what true text says of OCR."""

from collections.abc import Callable, Mapping, Sequence

from builder.model.coverage import OcrQuality
from builder.model.document import Page, PageOrigin

Errors = Callable[[str, str], tuple[int, int]]
"""Found text and true text -> edits, length of the true text."""


def ocr_quality(pages: Sequence[Page], truth: Mapping[int, str] | None, errors: Errors | None) -> OcrQuality | None:
    """OCR of one document; none where no page came from OCR and there is no true text.

    A page that has true text is compared whatever it came from: a distrusted or failed page is the more telling.
    """
    read = [page for page in pages if page.origin is PageOrigin.OCR]
    texts = {page.number: page.text for page in pages}
    pairs = [(texts.get(number, ""), true) for number, true in (truth or {}).items() if true.strip()]
    if not read and not (pairs and errors):
        return None
    counted = [errors(found, true) for found, true in pairs] if errors else []
    return OcrQuality(
        pages=len(read),
        confidence=_mean([page.confidence for page in read if page.confidence is not None]),
        confidence_low=min((page.confidence_low for page in read if page.confidence_low is not None), default=None),
        weak_share=_mean([page.weak_share for page in read if page.weak_share is not None]),
        weak_pages=tuple(page.number for page in read if page.problem and page.problem.code == "weak_ocr"),
        true_pages=len(counted),
        wrong=sum(wrong for wrong, _ in counted),
        length=sum(length for _, length in counted),
    )


def _mean(values: Sequence[int]) -> int | None:
    return sum(values) // len(values) if values else None
