"""Texts put together from spans and glue, and cut again without losing their source."""

from collections.abc import Mapping

from builder.model.parts import Glue, Parts, Span


def assemble(parts: Parts, pages: Mapping[int, str]) -> str:
    """The text of `parts`; `pages` are canonical texts by page number.

    Raises:
        KeyError: a span on a page that is not there.
        IndexError: a span that ends behind the end of its page.
    """
    return "".join(part.glue if isinstance(part, Glue) else _cut(part, pages[part.page]) for part in parts)


def slice_parts(parts: Parts, start: int, end: int) -> Parts:
    """The parts of characters `start:end` of the assembled text; empty glue at the borders is dropped.

    Raises:
        ValueError: an empty or reversed range, or one that ends behind the text.
    """
    if not 0 <= start < end:
        raise ValueError(f"no such range: {start}:{end}")
    found: list[Span | Glue] = []
    at = 0
    for part in parts:
        if at >= end:
            break
        behind = at + _length(part)
        if start < behind:
            whole = start <= at and behind <= end
            found.append(part if whole else _narrow(part, max(start - at, 0), min(end, behind) - at))
        at = behind
    if end > at:
        raise ValueError(f"the text ends at {at}: {start}:{end}")
    return tuple(found)


def _length(part: Span | Glue) -> int:
    return len(part.glue) if isinstance(part, Glue) else part.end - part.start


def _narrow(part: Span | Glue, low: int, high: int) -> Span | Glue:
    if isinstance(part, Glue):
        return Glue(glue=part.glue[low:high])
    return Span(page=part.page, start=part.start + low, end=part.start + high)


def _cut(span: Span, text: str) -> str:
    if span.end > len(text):
        raise IndexError(f"page {span.page} has {len(text)} characters, not {span.end}")
    return text[span.start : span.end]
