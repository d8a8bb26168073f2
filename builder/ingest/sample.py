"""A check list for people: which chunks, stratified and the same for the same seed."""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import NormalDist

from builder.model.chunk import Chunk, ChunkKind
from builder.model.coverage import Drawn
from builder.model.document import Document

WEAK = 80
"""Chunks whose worst page OCR read with less confidence than this are looked at especially."""
_SPECIAL_SHARE = 10
"""Every special stratum gets one row in so many."""
_CODE = re.compile(
    r"[;{}]\s*$|^(?: {4,}|\t)\S|^\s*(?:def|class|import|from|return|function|const|let|var|public|SELECT|INSERT)\b"
    r"|^\s*[\w.\[\]]+\s*[-+*/:]?=\s?\S|^\s*(?:#include|//|\$ |curl |GET |POST )|[=!]=|=>|->|</?\w+>|^\s*\"[\w.-]+\":"
)


def draw(chunks: Sequence[Chunk], documents: Mapping[str, Document], count: int, seed: int = 0) -> tuple[Drawn, ...]:
    """At most `count` chunks, each once, in the order of documents and places.

    A tenth each for the longest, the shortest, tables, code and weak OCR; the rest over the source types (kind of
    file, read by OCR or not) by their number, at least one each.
    """
    random_ = random.Random(seed)
    chosen: dict[str, Drawn] = {}
    for stratum, pool in _special(chunks, random_):
        left = [chunk for chunk in pool if chunk.chunk_id not in chosen]
        for chunk in left[: min(max(1, count // _SPECIAL_SHARE), count - len(chosen))]:
            chosen[chunk.chunk_id] = Drawn(chunk=chunk, stratum=stratum)
    types: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.chunk_id not in chosen:
            types[_source_type(chunk, documents.get(chunk.doc_id))].append(chunk)
    for stratum, share in _shares({name: len(pool) for name, pool in types.items()}, count - len(chosen)).items():
        for chunk in random_.sample(types[stratum], share):
            chosen[chunk.chunk_id] = Drawn(chunk=chunk, stratum=stratum)
    return tuple(chosen[chunk.chunk_id] for chunk in chunks if chunk.chunk_id in chosen)


def wilson(good: int, judged: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's interval of a share, in per cent; none where nothing was judged."""
    if not judged:
        return None
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, square = good / judged, z * z
    middle = (share + square / (2 * judged)) / (1 + square / judged)
    half = z * (share * (1 - share) / judged + square / (4 * judged**2)) ** 0.5 / (1 + square / judged)
    return max(0.0, middle - half) * 100, min(1.0, middle + half) * 100


def looks_like_code(text: str) -> bool:
    """At least two lines, two in five of them with the marks of code, markup or configuration."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= 2 and sum(_CODE.search(line) is not None for line in lines) * 5 >= len(lines) * 2


def _special(chunks: Sequence[Chunk], random_: random.Random) -> Iterable[tuple[str, list[Chunk]]]:
    by_length = sorted(chunks, key=lambda chunk: (len(chunk.text), chunk.chunk_id))
    yield "longest", by_length[::-1]
    yield "shortest", by_length
    yield "table", _mixed(chunks, random_, lambda chunk: chunk.kind is ChunkKind.TABLE)
    yield "code", _mixed(chunks, random_, lambda chunk: looks_like_code(chunk.text))
    weak = [chunk for chunk in chunks if chunk.confidence is not None and chunk.confidence < WEAK]
    yield "weak_ocr", sorted(weak, key=lambda chunk: (chunk.confidence or 0, chunk.chunk_id))


def _mixed(chunks: Sequence[Chunk], random_: random.Random, fits: Callable[[Chunk], bool]) -> list[Chunk]:
    found = [chunk for chunk in chunks if fits(chunk)]
    random_.shuffle(found)
    return found


def _source_type(chunk: Chunk, document: Document | None) -> str:
    kind = document.media_type.rsplit("/", 1)[-1].rsplit(".", 1)[-1] if document else "unknown"
    return f"{kind}, OCR" if chunk.confidence is not None else kind


def _shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """`count` over the strata by their size, largest remainders first; the smallest get one while there are enough."""
    total = sum(sizes.values())
    count = max(0, min(count, total))
    shares = {name: min(size, max(1, count * size // total)) for name, size in sizes.items()} if total else {}
    order = sorted(sizes, key=lambda name: (-(count * sizes[name] % total), -sizes[name], name))
    while sum(shares.values()) > count:
        largest = max(order, key=lambda name: (shares[name], name))
        shares[largest] -= 1
    while sum(shares.values()) < count:
        name = next(name for name in order if shares[name] < sizes[name])
        shares[name] += 1
        order = [*(other for other in order if other != name), name]
    return shares
