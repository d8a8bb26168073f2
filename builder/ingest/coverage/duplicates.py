"""Chunks with nearly the same text, in time that grows with their number and not with its square.

MinHash over runs of four characters finds who may be alike (64 hashes, 16 bands of 4: a pair that shares half of
its runs is found with 64 %, one that shares 0.8 with 99.98 %); rapidfuzz then says how alike they are.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from builder.model.chunk import Chunk, ChunkKind
from builder.model.parts import Span

_RUN, _HASHES, _BAND = 4, 64, 4
_MIX = 0x9E3779B97F4A7C15
_LEADERS = 4
"""With how many of a bucket a text is compared at most: a bucket of a thousand costs no million comparisons."""


def near_duplicates(chunks: Sequence[Chunk], bar: int) -> tuple[tuple[str, ...], ...]:
    """Groups of chunk ids whose texts are alike by at least `bar` of 100, in order."""
    texts: dict[str, list[str]] = defaultdict(list)
    for chunk in chunks:
        if text := _compared(chunk):
            texts[text].append(chunk.chunk_id)
    distinct = list(texts)
    parents = list(range(len(distinct)))
    for one, other in _alike(distinct, bar):
        parents[_root(parents, other)] = _root(parents, one)
    groups: dict[int, list[str]] = defaultdict(list)
    for number, text in enumerate(distinct):
        groups[_root(parents, number)] += texts[text]
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _compared(chunk: Chunk) -> str:
    """The text for comparing; of a table each header cell once, or all parts of a long table would be alike."""
    text = chunk.text
    if chunk.kind is ChunkKind.TABLE:
        text = "".join(_once(chunk))
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _once(chunk: Chunk) -> Iterator[str]:
    seen: set[Span] = set()
    at = 0
    for part in chunk.parts:
        length = part.end - part.start if isinstance(part, Span) else len(part.glue)
        if isinstance(part, Span) and part not in seen:
            seen.add(part)
            yield chunk.text[at : at + length]
        at += length


def _alike(texts: Sequence[str], bar: int) -> Iterator[tuple[int, int]]:
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        signature = _signature(text)
        tried: set[int] = set()
        for band in range(0, _HASHES, _BAND):
            leaders = buckets[band, signature[band : band + _BAND].tobytes()]
            for other in leaders:
                if other not in tried:
                    tried.add(other)
                    if fuzz.ratio(texts[other], text, score_cutoff=bar):
                        yield other, number
            if len(leaders) < _LEADERS:
                leaders.append(number)


def _signature(text: str) -> Any:
    """The smallest value of each hash over all runs of `text`."""
    letters = np.frombuffer(text.ljust(_RUN).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    runs = np.zeros(len(letters) - _RUN + 1, dtype=np.uint64)
    for offset in range(_RUN):
        runs = runs * np.uint64(_MIX) + letters[offset : offset + len(runs)]
    runs ^= runs >> np.uint64(29)
    factors, shifts = _hashes()
    return ((runs[:, None] * factors + shifts) >> np.uint64(32)).min(axis=0).astype(np.uint32)


@cache
def _hashes() -> tuple[Any, Any]:
    """Odd factors and shifts, the same in every process."""
    random = np.random.default_rng(7)
    factors = random.integers(1, 2**63, _HASHES, dtype=np.uint64) | np.uint64(1)
    return factors, random.integers(0, 2**63, _HASHES, dtype=np.uint64)


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number
