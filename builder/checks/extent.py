"""Check `extent`: evidence is a passage, not a document."""

from builder.checks.context import CheckContext
from builder.checks.reading.source import chunks_of
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult

NAME = "extent"
_CHUNKS = 5
"""A case over more chunks than this cannot tell what was needed."""
_LONG = 300
"""Characters from which a whole chunk is too much for a quote."""


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: a whole document, a whole long chunk, or more than five chunks."""
    if not case.evidence:
        return None
    chunks = chunks_of(case, context)
    if len(chunks) > _CHUNKS:
        return warned(NAME, "many_chunks", chunks=str(len(chunks)))
    for evidence in case.evidence:
        chunk = context.chunks.chunk_of(evidence)
        if chunk and len(evidence.quote) >= _LONG and len(evidence.quote.strip()) >= len(chunk.text.strip()):
            alone = _is_document(chunk.doc_id, chunk.chunk_id, context)
            return warned(NAME, "whole_document" if alone else "whole_chunk", document=chunk.doc_id)
    return passed(NAME)


def _is_document(doc_id: str, chunk_id: str, context: CheckContext) -> bool:
    """True where the chunk is all there is of its document, as far as is known."""
    if context.corpus is None:
        return False
    return all(chunk.chunk_id == chunk_id for chunk in context.corpus.chunks if chunk.doc_id == doc_id)
