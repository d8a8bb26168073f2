"""Small records for tests."""

from datetime import UTC, datetime
from typing import Any

from builder.model.attempt import Attempt, AttemptState, Task
from builder.model.case import Case, Evidence, ReviewState, Source
from builder.model.chunk import Chunk
from builder.model.document import Document, Page, PageOrigin, Reading
from builder.model.parts import Span


def case(case_id: str = "m000000000001", **fields: Any) -> Case:
    """A complete, unreviewed case."""
    known: dict[str, Any] = {
        "case_id": case_id,
        "question": "整机质保多久？",
        "ground_truth": "24 个月。",
        "source": Source.MANUAL,
        "review_state": ReviewState.UNREVIEWED,
    }
    return Case(**(known | fields))


def document(doc_id: str = "policy.md", **fields: Any) -> Document:
    """A document of one page."""
    known: dict[str, Any] = {
        "doc_id": doc_id,
        "root": "docs",
        "source_path": doc_id,
        "sha256": "0" * 64,
        "size": 10,
        "mtime_ns": 1,
        "media_type": "text/markdown",
        "page_count": 1,
        "reading_id": f"r-{doc_id}"[:16],
    }
    return Document(**(known | fields))


def reading(of: Document) -> Reading:
    """The reading that `of` rests on."""
    return Reading(
        reading_id=of.reading_id or "",
        doc_id=of.doc_id,
        version=of.version,
        sha256=of.sha256,
        extractor="test",
        settings_hash="s",
    )


def page(text: str, number: int = 1) -> Page:
    """A page of digital text."""
    return Page(number=number, origin=PageOrigin.TEXT, text=text, extractable=len("".join(text.split())))


def chunk(of: Document, text: str, start: int = 0, ordinal: int = 0, chunk_id: str = "") -> Chunk:
    """A chunk that is `text`, which stands at `start` of page 1."""
    return Chunk(
        chunk_id=chunk_id or f"{of.doc_id}#{ordinal:010d}",
        doc_id=of.doc_id,
        reading_id=of.reading_id or "",
        text=text,
        parts=(Span(page=1, start=start, end=start + len(text)),),
        pages=(1,),
        language="zh",
        ordinal=ordinal,
    )


def evidence(of: Chunk, quote: str) -> Evidence:
    """The quote within a chunk that is one span."""
    span = of.parts[0]
    assert isinstance(span, Span)
    start = span.start + of.text.index(quote)
    parts = (Span(page=span.page, start=start, end=start + len(quote)),)
    return Evidence(doc_id=of.doc_id, reading_id=of.reading_id, quote=quote, parts=parts)


def attempt(request_hash: str = "r1", **fields: Any) -> Attempt:
    """An attempt that is about to be claimed."""
    known: dict[str, Any] = {
        "request_hash": request_hash,
        "dataset": "main",
        "task": Task(chunk_ids=("policy.md#0000000000",), asked=2),
        "writer": "openai",
        "model": "m",
        "prompt_hash": "p",
        "state": AttemptState.CLAIMED,
        "at": datetime.now(UTC),
    }
    return Attempt(**(known | fields))
