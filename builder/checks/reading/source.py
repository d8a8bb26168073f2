"""What a case rests on, as checks read it: chunks, headings, the question of a question/answer pair."""

import re

from builder.checks.context import CheckContext
from builder.model.case import Case, Evidence
from builder.model.chunk import Chunk

_PAIR = re.compile(r"(?:问|Q)\s?[:：]\s*(?P<asked>.+?[?？])\s*\n?\s*(?:答|A)\s?[:：]\s*", re.DOTALL)

_ANSWER = re.compile(r"(?:[^?？\n]*[?？])?\s*(?:答|A)\s?[:：]\s*")


def chunks_of(case: Case, context: CheckContext) -> tuple[Chunk, ...]:
    """The chunks of the evidence, each once, in order."""
    found = [chunk for evidence in case.evidence if (chunk := context.chunks.chunk_of(evidence))]
    return tuple({chunk.chunk_id: chunk for chunk in found}.values())


def quoted(case: Case) -> str:
    """All quotes."""
    return "\n".join(evidence.quote for evidence in case.evidence)


def background(case: Case, chunks: tuple[Chunk, ...]) -> str:
    """What is known without the quotes: the question, what was said before, headings and titles."""
    said = [case.question, *(turn.text for turn in case.conversation)]
    for chunk in chunks:
        said += [chunk.metadata.title or "", *chunk.section, chunk.doc_id, chunk.metadata.version_label or ""]
    if case.as_of:
        said.append(case.as_of.isoformat())
    return "\n".join(said)


def paired_question(text: str) -> str:
    """The question that a passage answers; empty where the passage is no question/answer pair."""
    match = _PAIR.search(text)
    return match["asked"] if match else ""


def without_question(text: str) -> str:
    """The passage without the question that it answers."""
    match = _PAIR.search(text) or _ANSWER.match(text)
    return text[match.end() :] if match else text


def place_of(evidence: Evidence, chunk: Chunk) -> tuple[int, int]:
    """Where the evidence stands in the text of its chunk; the whole of it where that cannot be told."""
    start = chunk.text.find(evidence.quote)
    return (start, start + len(evidence.quote)) if start >= 0 else (0, len(chunk.text))
