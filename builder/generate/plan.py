"""The plan: which chunks are asked for how many items, before anything is sent."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from builder.llm.tokens import estimate_tokens as estimate_tokens
from builder.model.attempt import Task
from builder.model.chunk import Chunk
from builder.text.ids import digest

TURNS = 2
"""A chunk whose reply fell short is asked once more, then it is spent."""
REVIEW_SECONDS = 30
"""What a person needs to review one case."""
_PROMPT_TOKENS = 150
"""Tokens of a prompt without its passages, as measured on prompts/zh and prompts/en."""
_ITEM_TOKENS = 60
"""Tokens of one item in a reply."""

Bound = Literal["per_chunk", "cases", "limit"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What generate is about to do."""

    calls: tuple[Task, ...]
    """Calls in the order in which they are made: spread over documents, then sections."""
    bound_by: Bound
    """The tightest of the three targets."""
    prompt_tokens: int
    """Estimate."""
    completion_tokens: int
    """Estimate."""

    @property
    def asked(self) -> int:
        """Items asked for in all."""
        return sum(call.asked for call in self.calls)

    @property
    def review_seconds(self) -> int:
        """Time that a person needs to review what is asked for."""
        return self.asked * REVIEW_SECONDS


def plan(
    chunks: Sequence[Chunk],
    *,
    per_chunk: int,
    cases: int | None = None,
    limit: int | None = None,
    have: Mapping[str, int] | None = None,
    turns: Mapping[str, int] | None = None,
    turns_allowed: int = TURNS,
    total_have: int = 0,
    window: int = 1,
    seed: int = 0,
    earlier: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """Plan the calls that are missing.

    Args:
        chunks: all chunks that may be asked about.
        per_chunk: generated cases that a chunk shall have.
        cases: generated cases that the dataset shall have in all; none: any number.
        limit: at most so many chunks; those that were asked about before come first.
        have: generated cases of any state that chunks have, by chunk_id.
        turns: finished replies that fell short, by chunk_id.
        turns_allowed: a chunk that fell short so often is spent and is not asked again.
        total_have: generated cases that the dataset has.
        window: neighbours of one document and language in one call, at most.
        seed: changes which chunks come first.
        earlier: questions that chunks have, by chunk_id.
    """
    have, turns = have or {}, turns or {}
    spent = {chunk_id for chunk_id, count in turns.items() if count >= turns_allowed}
    touched = turns.keys() | {chunk_id for chunk_id, count in have.items() if count}
    units = _spread(_windows(chunks, max(1, window)), seed)
    units.sort(key=lambda unit: not any(chunk.chunk_id in touched for chunk in unit))
    needs = {c.chunk_id: 0 if c.chunk_id in spent else max(0, per_chunk - have.get(c.chunk_id, 0)) for c in chunks}
    chosen = _first(units, limit)
    room = None if cases is None else max(0, cases - total_have)
    calls = _calls(chosen, needs, room, earlier or {}, turns)
    asked = sum(call.asked for call in calls)
    bound = _bound(asked, sum(needs[c.chunk_id] for unit in chosen for c in unit), sum(needs.values()))
    return estimated(calls, chunks, bound)


def estimated(tasks: Sequence[Task], chunks: Iterable[Chunk], bound_by: Bound) -> Plan:
    """The plan of `tasks`, with what it will cost."""
    texts = {chunk.chunk_id: chunk.text for chunk in chunks}
    return Plan(
        calls=tuple(tasks),
        bound_by=bound_by,
        prompt_tokens=sum(_PROMPT_TOKENS + sum(estimate_tokens(texts[i]) for i in task.chunk_ids) for task in tasks),
        completion_tokens=sum(task.asked for task in tasks) * _ITEM_TOKENS,
    )


def _bound(asked: int, needed_in_limit: int, needed: int) -> Bound:
    if asked < needed_in_limit:
        return "cases"
    return "limit" if needed_in_limit < needed else "per_chunk"


def _windows(chunks: Iterable[Chunk], size: int) -> list[tuple[Chunk, ...]]:
    """Neighbours of one document and language, at most `size` each."""
    ordered = sorted(chunks, key=lambda chunk: (chunk.doc_id, chunk.ordinal))
    units: list[list[Chunk]] = []
    for chunk in ordered:
        last = units[-1] if units else []
        if last and len(last) < size and _neighbours(last[-1], chunk):
            last.append(chunk)
        else:
            units.append([chunk])
    return [tuple(unit) for unit in units]


def _neighbours(left: Chunk, right: Chunk) -> bool:
    return (left.doc_id, left.language, left.ordinal + 1) == (right.doc_id, right.language, right.ordinal)


def _spread(units: Iterable[tuple[Chunk, ...]], seed: int) -> list[tuple[Chunk, ...]]:
    """Units in turns over documents, within a document in turns over sections; the seed shuffles each level."""
    documents: defaultdict[str, defaultdict[tuple[str, ...], list[tuple[Chunk, ...]]]]
    documents = defaultdict(lambda: defaultdict(list))
    for unit in units:
        documents[unit[0].doc_id][unit[0].section].append(unit)
    rows = []
    for doc_id in sorted(documents, key=lambda name: digest(str(seed), name)):
        sections = documents[doc_id]
        for section in sections.values():
            section.sort(key=lambda unit: digest(str(seed), unit[0].chunk_id))
        rows.append(in_turns([sections[name] for name in sorted(sections, key=lambda n: digest(str(seed), *n))]))
    return in_turns(rows)


def in_turns(rows: Iterable[Sequence[T]]) -> list[T]:
    """First of each row, then second of each, and so on."""
    missing = object()
    return [item for turn in itertools.zip_longest(*rows, fillvalue=missing) for item in turn if item is not missing]  # type: ignore[misc]


def _first(units: Sequence[tuple[Chunk, ...]], limit: int | None) -> list[tuple[Chunk, ...]]:
    """Units with at most `limit` chunks in all; the last one is shortened."""
    if limit is None:
        return list(units)
    chosen: list[tuple[Chunk, ...]] = []
    for unit in units:
        part = unit[:limit]
        if not part:
            break
        chosen.append(part)
        limit -= len(part)
    return chosen


def _calls(
    units: Iterable[tuple[Chunk, ...]],
    needs: Mapping[str, int],
    room: int | None,
    earlier: Mapping[str, Sequence[str]],
    turns: Mapping[str, int],
) -> list[Task]:
    calls: list[Task] = []
    for unit in units:
        wanted = tuple(chunk.chunk_id for chunk in unit if needs[chunk.chunk_id])
        asked = sum(needs[chunk_id] for chunk_id in wanted)
        if room is not None:
            asked = min(asked, room)
            room -= asked
        if asked:
            known = tuple(question for chunk_id in wanted for question in earlier.get(chunk_id, ()))
            turn = 1 + max(turns.get(chunk_id, 0) for chunk_id in wanted)
            calls.append(Task(chunk_ids=wanted, asked=asked, earlier=known, turn=turn))
    return calls
