"""What may have led to a broken layer: figures and facts to look at first, no proof."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from builder.checks.reading.fact import codes
from builder.model.document import DocumentMetadata
from builder.score.layers.finding import Finding, Layer
from builder.score.layers.looked import Looked
from builder.score.view import Place, Stage
from builder.text.negation import negations
from builder.text.numbers import quantities


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """Something to look at."""

    name: str
    """A key below `score.hint.`."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What it speaks of."""

    @property
    def key(self) -> str:
        """The words for it."""
        return f"score.hint.{self.name}"


def hints_for(at: Looked, first: Finding) -> tuple[Hint, ...]:
    """Hints for the layer that is to blame."""
    return tuple(_HINTS[first.layer](at)) if first.layer in _HINTS else ()


def _retrieval(at: Looked) -> Iterator[Hint]:
    yield from _rewritten(at)
    yield from _filtered(at)
    negatives = [place for place in at.places(Stage.RETRIEVED) if place.negative]
    yield from _ahead(negatives)
    if at.known.index is None:
        yield Hint(name="no_map")


def _rewritten(at: Looked) -> Iterator[Hint]:
    """The query that was searched for lacks a code, a number or a negation of the question."""
    record = at.view.record
    if record is None or record.rewritten_query is None:
        return
    asked, query = at.view.case.question, record.rewritten_query
    lost = [code for code in codes(asked) if code not in codes(query)]
    held = {(found.value, found.unit) for found in quantities(query)}
    lost += [asked[one.start : one.end] for one in quantities(asked) if (one.value, one.unit) not in held]
    if lost or negations(asked) > negations(query):
        yield Hint(name="query_lost", values={"query": query, "words": ", ".join(lost) or "-"})
    elif query.strip() != asked.strip():
        yield Hint(name="query_rewritten", values={"query": query})


def _filtered(at: Looked) -> Iterator[Hint]:
    """A filter of the search does not let the evidence's document through, or may not."""
    record = at.view.record
    if record is None or not record.filters:
        return
    documents = {at.evidence(target).doc_id for group in at.wanted for target in group}
    for name in sorted(documents):
        known = at.known.documents.get(name)
        barred = [key for key, value in record.filters.items() if known and _bars(key, value, known.metadata)]
        if barred:
            shown = ", ".join(f"{key}={record.filters[key]}" for key in barred)
            yield Hint(name="filter_bars", values={"filters": shown, "document": name})
            return
    shown = ", ".join(f"{key}={value}" for key, value in record.filters.items())
    yield Hint(name="filtered", values={"filters": shown})


def _bars(key: str, value: Any, metadata: DocumentMetadata) -> bool:
    """The document has that field, with another value."""
    has = metadata.model_dump(mode="json").get(key)
    if has in (None, "", [], ()):
        return False
    wanted = {str(one) for one in value} if isinstance(value, list | tuple) else {str(value)}
    return not wanted & ({str(one) for one in has} if isinstance(has, list) else {str(has)})


def _ranking(at: Looked) -> Iterator[Hint]:
    stage = Stage.RERANKED if at.told(Stage.RERANKED) else Stage.RETRIEVED
    ranks = [rank for group in at.groups if (rank := at.rank(group, stage))]
    last = max(ranks, default=len(at.places(stage)) + 1)
    yield from _ahead([place for place in at.places(stage) if place.negative and place.rank < last])


def _ahead(negatives: list[Place]) -> Iterator[Hint]:
    """A hard negative came before the evidence, or in its stead."""
    for place in negatives[:1]:
        reason = place.negative.value if place.negative else ""
        yield Hint(name="negative_ahead", values={"id": place.item.id, "rank": str(place.rank), "reason": reason})


def _generation(at: Looked) -> Iterator[Hint]:
    """What else stood in the text that was read, and numbers of the answer that stand in nothing that it cites."""
    read = at.places(Stage.CONTEXT)
    yield from _ahead([place for place in read if place.negative])
    wrong = [place for place in read if place.wrong_version]
    if wrong:
        yield Hint(name="version_read", values={"id": wrong[0].item.id})
    yield from _numbers(at)


def _numbers(at: Looked) -> Iterator[Hint]:
    figure = at.score.values.get("citation_numbers_lexical") if at.score else None
    if figure is not None and figure.number is not None and figure.number < 1:
        yield Hint(name="numbers_uncited", values={"share": f"{figure.number:.2f}"})


_HINTS: Mapping[Layer, Callable[[Looked], Iterator[Hint]]] = {
    Layer.RETRIEVAL: _retrieval,
    Layer.RANKING: _ranking,
    Layer.GENERATION: _generation,
    Layer.CITATION: _numbers,
}
