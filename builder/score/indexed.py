"""Which evidence the system's chunks hold, by a map file of them: what ingestion lost shows here and nowhere else."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.model.case import Case, Evidence
from builder.model.run import RetrievedItem
from builder.score.layers.known import Indexed
from builder.score.map_file import Map
from builder.score.passages import Library, Passage, Places, places_of, within
from builder.score.view import Target
from builder.text.fold import folded
from builder.text.quotes import find_quote


def indexed(cases: Iterable[Case], library: Library, entries: Map) -> Indexed:
    """What the system's chunks hold of the evidence of cases; `entries` are all of its chunks.

    The text of a chunk is believed before its place: a line that was not read lies within the place of its chunk.
    """
    chunks = _by_document(library, entries)
    held: dict[str, frozenset[Target]] = {}
    cut: dict[str, frozenset[Target]] = {}
    for case in cases:
        wanted = dict(_targets(case))
        found = {target for target, one in wanted.items() if _is_held(one, chunks.get(one.doc_id, ()))}
        pieces = {
            target for target, one in wanted.items() if target not in found and _is_cut(one, chunks.get(one.doc_id, ()))
        }
        held[case.case_id], cut[case.case_id] = frozenset(found), frozenset(pieces)
    versions = {
        name: version
        for name, some in chunks.items()
        if (version := next((one.passage.version for one in some if one.passage.version), None))
    }
    return Indexed(held=held, cut=cut, documents=frozenset(chunks), versions=versions, ids=frozenset(entries))


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A chunk of the system."""

    passage: Passage
    folded: str | None
    """Its text; none where the map does not tell it."""


def _by_document(library: Library, entries: Map) -> Mapping[str, Sequence[_Chunk]]:
    found: dict[str, list[_Chunk]] = defaultdict(list)
    for name in entries:
        passage = library.passage(RetrievedItem(id=name))
        if passage.doc_id:
            text = passage.text
            found[passage.doc_id].append(_Chunk(passage, None if text is None else folded(text)))
    return found


def _targets(case: Case) -> Iterator[tuple[Target, Evidence]]:
    for group, alternatives in enumerate(case.evidence_groups):
        for place, evidence in enumerate(alternatives):
            yield (group, place), evidence


def _is_held(evidence: Evidence, chunks: Sequence[_Chunk]) -> bool:
    """One chunk holds it, or one of which neither text nor place is known may."""
    wanted = folded(evidence.quote)
    if any(one.folded is not None and wanted in one.folded for one in chunks):
        return True
    return any(_holds(one.passage, evidence) for one in chunks)


def _holds(one: Passage, evidence: Evidence) -> bool:
    if one.text is not None:
        return find_quote(evidence.quote, one.text) is not None
    return within(places_of(evidence.parts), one.spans) if one.spans else True


def _is_cut(evidence: Evidence, chunks: Sequence[_Chunk]) -> bool:
    """Several chunks hold it in pieces."""
    told = [span for one in chunks if one.folded is None for span in one.passage.spans]
    texts = [one.folded for one in chunks if one.folded is not None]
    return _ends_and_begins(folded(evidence.quote), texts) or _covered(places_of(evidence.parts), told)


def _ends_and_begins(quote: str, texts: Sequence[str]) -> bool:
    """One text ends with a beginning of the quote, and another one begins with the rest of it."""
    first = max((size for text in texts for size in range(1, len(quote)) if text.endswith(quote[:size])), default=0)
    last = max((size for text in texts for size in range(1, len(quote)) if text.startswith(quote[-size:])), default=0)
    return bool(first and last) and first + last >= len(quote)


def _covered(wanted: Places, told: Sequence[tuple[int, int, int]]) -> bool:
    """Every character that is wanted lies in some span."""
    return bool(wanted) and all(_lies_in(place, told) for place in wanted)


def _lies_in(place: tuple[int, int, int], told: Sequence[tuple[int, int, int]]) -> bool:
    page, at, end = place
    for _, low, high in sorted(one for one in told if one[0] == page):
        if low <= at < high:
            at = high
    return at >= end
