"""A small corpus and cases over it, for the checks that look at the whole."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from builder.checks import CheckContext
from builder.checks.corpus import Corpus
from builder.checks.reading.lines import evidence_of
from builder.model.case import Case, ReviewState, Source
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.model.parts import Span
from builder.search import open_search
from builder.text.language import language_of


def chunk(text: str, doc_id: str = "policy.md", ordinal: int = 0, section: tuple[str, ...] = (), **meta: Any) -> Chunk:
    """A chunk that is `text`, on a page of its own."""
    return Chunk(
        chunk_id=f"{doc_id}#{ordinal:010d}",
        doc_id=doc_id,
        reading_id=f"r-{doc_id}",
        text=text,
        parts=(Span(page=1 + ordinal, start=0, end=len(text)),),
        section=section,
        language=language_of(text),
        ordinal=ordinal,
        metadata=DocumentMetadata(**meta),
    )


def context(chunks: Sequence[Chunk], folder: Path) -> CheckContext:
    """What checks see of a corpus."""
    corpus = Corpus(chunks, open_search(folder / "search", [(one.chunk_id, one.text) for one in chunks]))
    return CheckContext(chunks=corpus.index, corpus=corpus)


def case(question: str, answer: str = "", *places: tuple[Chunk, str], number: int = 1, **fields: Any) -> Case:
    """A case; `places` are its evidence, each a quote in a chunk, all needed."""
    groups = []
    for where, quote in places:
        start = where.text.index(quote)
        found = evidence_of(where, start, start + len(quote))
        assert found is not None
        groups.append((found,))
    known: dict[str, Any] = {
        "case_id": f"g{number:012x}",
        "question": question,
        "ground_truth": answer or "见正文。",
        "evidence_groups": tuple(groups),
        "source": Source.GENERATED,
        "review_state": ReviewState.UNREVIEWED,
    }
    return Case(**(known | fields))
