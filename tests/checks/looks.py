"""Cases over one chunk, for the tests of single checks."""

from builder.checks import CheckContext, run_checks
from builder.model.case import Case, CheckResult
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.text.language import language_of
from tests import make

DOCUMENT = make.document()


def chunk(text: str, ordinal: int = 0) -> Chunk:
    return make.chunk(DOCUMENT, text, start=10_000 * ordinal, ordinal=ordinal).replace(language=language_of(text))


def case(question: str, answer: str, quote: str, of: Chunk) -> Case:
    groups = ((make.evidence(of, quote),),) if quote else ()
    return make.case(question=question, ground_truth=answer, evidence_groups=groups)


def look(
    name: str, question: str, answer: str, text: str, *, quote: str = "", others: tuple[str, ...] = (), found: str = ""
) -> CheckResult | None:
    """The verdict of one check on a case whose quote is the whole text, where none is given."""
    chunks = [chunk(body, ordinal) for ordinal, body in enumerate((text, *others))]
    one = case(question, answer, quote or text, chunks[0])
    results = run_checks(one, CheckContext(chunks=ChunkIndex(chunks), found=found or None), (name,))
    return results[0] if results else None
