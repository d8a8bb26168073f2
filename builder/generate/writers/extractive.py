"""Writer without a model: pairs that stand in the text already, found by rules, answered in the JSON of a model."""

import json
from collections.abc import Iterator
from itertools import zip_longest

from builder.generate.extract import en, facts, faq, tables, zh
from builder.generate.extract.common import Candidate
from builder.generate.types.orders import is_order
from builder.generate.writer import NumberedPassage, Request, WriterOptions
from builder.model.attempt import Reply
from builder.model.chunk import ChunkKind
from builder.text.fold import folded
from builder.text.similarity import similarity

_CLOSE = 70
RULES = "rules-1"
"""Version of the rules: goes up when the same passage gives other pairs."""


class ExtractiveWriter:
    """Deterministic, at once, and without a network."""

    name = "extractive"
    model = RULES

    async def write(self, request: Request) -> Reply:
        """The best pairs of the passages, as many as are asked for, or fewer."""
        known = {folded(question) for question in request.earlier}
        turns = zip_longest(*([_fields(p, best) for best in _best(p, request.asked, known)] for p in request.passages))
        rows = [fields for turn in turns for fields in turn if fields is not None][: request.asked]
        return Reply(text=json.dumps({"items": rows}, ensure_ascii=False), model=RULES)

    async def close(self) -> None:
        """Nothing is held."""


def make(options: WriterOptions) -> ExtractiveWriter:
    """The writer."""
    return ExtractiveWriter()


def candidates(passage: NumberedPassage) -> Iterator[Candidate]:
    """All pairs that the rules find in a passage."""
    if passage.kind is ChunkKind.TABLE:
        yield from tables.cells(passage)
        return
    found = list(faq.pairs(passage))
    yield from found
    if not found:
        yield from facts.lines(passage)
        yield from (zh if passage.language == "zh" else en).sentences(passage)


def _best(passage: NumberedPassage, asked: int, known: set[str]) -> list[Candidate]:
    """The best pairs, one a sentence or row first; no question twice, and none that another one all but asks."""
    chosen: list[Candidate] = []
    sound = (found for found in candidates(passage) if not is_order(found.answer))
    ranked = sorted(sound, key=lambda candidate: -candidate.score)
    for again in (False, True):
        for candidate in ranked:
            same = [other for other in chosen if candidate.quote == other.quote]
            close = any(similarity(candidate.question, other.question) > _CLOSE for other in same)
            if len(chosen) < asked and bool(same) == again and not close and folded(candidate.question) not in known:
                known.add(folded(candidate.question))
                chosen.append(candidate)
    return chosen


def _fields(passage: NumberedPassage, found: Candidate) -> dict[str, object]:
    start, end = found.quote
    inside = [n for n, (low, high) in enumerate(passage.sentences, 1) if start <= low and high <= end]
    fields: dict[str, object] = {
        "question": found.question,
        "ground_truth": found.answer,
        "source_index": passage.number,
    }
    exact = inside and (passage.sentences[inside[0] - 1][0], passage.sentences[inside[-1] - 1][1]) == (start, end)
    return fields | ({"sentences": inside} if exact else {"quote": passage.text[start:end]})
