"""Several conditions: the answer depends on two or more, which the question names and the evidence holds."""

from collections.abc import Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.conditions import conditions, named
from builder.generate.types.grounds import judged
from builder.model.case import Case
from builder.model.chunk import ChunkKind

_LEAST = 2


def units(material: Material) -> Iterator[Unit]:
    """Passages that state at least two conditions; tables state none."""
    for chunk in material.allowed:
        if chunk.kind is not ChunkKind.TABLE and len(conditions(chunk.text, chunk.language)) >= _LEAST:
            yield Unit(chunk_ids=(chunk.chunk_id,))


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases whose question names at least two conditions of their evidence."""
    language = call.chunks[0].language
    return judged(cases, lambda case: case if _count(case, language) >= _LEAST else "few_conditions")


def _count(case: Case, language: str) -> int:
    evidence = "\n".join(evidence.quote for evidence in case.evidence)
    return len(named(conditions(evidence, language), case.question))
