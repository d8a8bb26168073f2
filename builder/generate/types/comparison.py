"""Comparisons: two like things, one measure, both values in the answer, each from a sentence or row of its own."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.grounds import Place, facts, judged, lacking, lines, needless, places, regrouped, words
from builder.generate.types.links import name_of, together
from builder.model.case import Case
from builder.model.chunk import Chunk, ChunkKind
from builder.text.numbers import quantities
from builder.text.sentences import sentences
from builder.text.units import is_measure, unit_at

_ROWS = 3
"""Pairs of rows that one table is asked about."""
_PER_CHUNK = 2
"""Pairs that one chunk may begin."""
_RARE = 8
"""A heading word with a unit in more chunks than this joins nothing."""
# No part of a code or a date.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.月-])(?<!月 )(?!(?:19|20)[0-9]{2}\s?年)[0-9]+(?:[.,][0-9]+)*(?![0-9]|[A-Za-z0-9-]*[0-9])"
)
_CELL = re.compile(r"(?P<key>[^：:；;\n]{1,40})[：:]\s?(?P<value>[^；;\n]+)")
_COMPARES = re.compile(
    r"比|相差|差多少|差几|哪[个种款项一]|哪.{0,4}更|谁|更|分别|各|区别|不同|一样|相同|还是|高于|低于|"
    r"\b(?:compar\w+|than|differ\w*|versus|vs|which|same|both|each|respectively|between|longer|shorter|more|less|higher|"
    r"lower|cheaper|greater)\b",
    re.IGNORECASE,
)


def units(material: Material) -> Iterator[Unit]:
    """Rows of one table; sentences of one passage with one unit; passages below like headings with one unit."""
    partners = _partners(material.allowed)
    for chunk in material.allowed:
        if chunk.kind is ChunkKind.TABLE:
            yield from (Unit(chunk_ids=(chunk.chunk_id,), facts={"clue": clue}) for clue in _rows(chunk))
        elif any(count > 1 for count in _measures(chunk).values()):
            yield Unit(chunk_ids=(chunk.chunk_id,))
        for other in partners.get(chunk.chunk_id, ()):
            yield Unit(chunk_ids=(chunk.chunk_id, other.chunk_id))


def _rows(chunk: Chunk) -> Iterator[str]:
    """The names of two rows with the same columns, one of them a number; pairs of neighbours, none of a row twice."""
    rows = [[(m["key"].strip(), m["value"].strip()) for m in _CELL.finditer(line)] for line in chunk.text.splitlines()]
    pairs = [pair for pair in pairwise(row for row in rows if len(row) > 1)][::2]
    for left, right in pairs[:_ROWS]:
        if [key for key, _ in left] != [key for key, _ in right]:
            continue
        both = list(zip((value for _, value in left), (value for _, value in right), strict=True))
        name = next((pair for pair in both if pair[0] != pair[1] and not all(map(_starts_number, pair))), None)
        if name and any(pair[0] != pair[1] and all(map(_starts_number, pair)) for pair in both):
            yield " / ".join(name)


def _starts_number(value: str) -> bool:
    return value[:1].isdigit()


def _measures(chunk: Chunk) -> Counter[str]:
    """In how many sentences each unit stands."""
    found: Counter[str] = Counter()
    for start, end in sentences(chunk.text):
        text = chunk.text[start:end]
        known = {unit[0] for match in _NUMBER.finditer(text) if (unit := unit_at(text, match.end()))}
        found.update(unit for unit in known if is_measure(unit))
    return found


def _partners(chunks: Sequence[Chunk]) -> dict[str, tuple[Chunk, ...]]:
    """For each chunk the later ones that share a rare heading word and a unit with it."""
    index: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, chunk in enumerate(chunks):
        if chunk.kind is not ChunkKind.TABLE:
            for unit in _measures(chunk):
                for word in _about(chunk):
                    index[chunk.language, word, unit].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for found in index.values():
        if len(found) <= _RARE:
            shared.update(combinations(found, 2))
    partners: defaultdict[str, tuple[Chunk, ...]] = defaultdict(tuple)
    for left, right in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        known = partners[chunks[left].chunk_id]
        if len(known) < _PER_CHUNK and together(chunks[left], chunks[right]):
            partners[chunks[left].chunk_id] = (*known, chunks[right])
    return partners


def _about(chunk: Chunk) -> frozenset[str]:
    """Words of the innermost heading; of a question/answer pair, of its question."""
    if chunk.kind is ChunkKind.FAQ:
        return words(next((line for line in chunk.text.splitlines() if line.endswith(("？", "?"))), ""))
    return words(name_of(chunk.section[-1])) if chunk.section else frozenset()


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases that compare two values of one unit, each in its own sentence; one all-of group a sentence."""
    return judged(cases, lambda case: _judge(case, call))


def _judge(case: Case, call: Call) -> Case | str:
    if not _COMPARES.search(case.question):
        return "no_comparison"
    values = _values(case.ground_truth)
    if not values:
        return "value_missing"
    found = places(case, call.chunks)
    rows = [line for place in found for line in lines(place)]
    chosen = next((pair for pair in values if (_apart(*pair, rows))), None)
    if chosen is None:
        held = any(not lacking({value for pair in values[:1] for value in pair}, facts(row.text)) for row in rows)
        return "already_compared" if held else "value_missing"
    pair = _apart(*chosen, rows)
    if len({place.chunk.chunk_id for place in pair}) > 1 and needless(pair, case, call.chunks):
        return "one_chunk_enough"
    return regrouped(case, found, pair)


def _values(answer: str) -> list[tuple[str, str]]:
    """Pairs of different values with one unit, as they stand in the answer, first ones first."""
    by_unit: defaultdict[str, list[str]] = defaultdict(list)
    for quantity in quantities(answer):
        by_unit[quantity.unit].append(f"{quantity.value} {quantity.unit}")
    return [pair for row in by_unit.values() for pair in combinations(dict.fromkeys(row), 2)]


def _apart(left: str, right: str, rows: Sequence[Place]) -> tuple[Place, ...]:
    """Two rows, one with each value; empty where there are none."""
    first = [row for row in rows if not lacking({left}, facts(row.text))]
    second = [row for row in rows if not lacking({right}, facts(row.text))]
    pairs = ((a, b) for a in first for b in second if a != b)
    return next(pairs, ())
