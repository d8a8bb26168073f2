"""Several hops: two or more chunks joined by a reference, a code or a term; no one of them answers alone."""

from collections.abc import Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.grounds import Place, by_chunk, judged, needless, places
from builder.generate.types.links import links
from builder.model.case import Case


def units(material: Material) -> Iterator[Unit]:
    """Linked pairs of chunks; the link is the clue."""
    for link in links(material.allowed):
        yield Unit(chunk_ids=(link.left.chunk_id, link.right.chunk_id), facts={"clue": link.clue})


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases whose evidence stands in two chunks or more, each of them needed; one all-of group a chunk."""
    return judged(cases, lambda case: _judge(case, call))


def _judge(case: Case, call: Call) -> Case | str:
    rows = by_chunk(places(case, call.chunks))
    if len(rows) < 2:
        return "one_chunk"
    if needless([row[0] for row in rows.values()], case, call.chunks):
        return "one_chunk_enough"
    return case.replace(evidence_groups=tuple((_whole(row).evidence,) for row in rows.values()))


def _whole(row: Sequence[Place]) -> Place:
    """All places of one chunk as one."""
    return Place(chunk=row[0].chunk, start=min(p.start for p in row), end=max(p.end for p in row))
