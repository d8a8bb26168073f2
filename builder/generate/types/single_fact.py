"""One fact of one passage: any case with one piece of evidence will do."""

from collections.abc import Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.model.case import Case


def units(material: Material) -> Iterator[Unit]:
    """Each chunk alone."""
    for chunk in material.allowed:
        yield Unit(chunk_ids=(chunk.chunk_id,))


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases whose answer stands in one place."""
    taken = tuple(case for case in cases if case.answerable and len(case.evidence_groups) <= 1)
    refused = len(cases) - len(taken)
    return Accepted(cases=taken, drops={"not_single": refused} if refused else {})
