"""Which chunks may be sent where: restricted documents stay here unless a `send` rule lets them go."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from builder.llm.endpoint import is_loopback
from builder.model.chunk import Chunk
from builder.settings import SendRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """What may be sent."""

    allowed: tuple[Chunk, ...]
    """Chunks that may be sent, in the order given."""
    held_back: Mapping[str, int]
    """Chunks held back, by doc_id."""


def sendable(chunks: Iterable[Chunk], host: str | None, rules: Sequence[SendRule]) -> Sending:
    """Part `chunks` by whether they may be sent to `host`.

    Without a host (a writer in this process) and to this machine everything may go.
    """
    allowed: list[Chunk] = []
    held_back: Counter[str] = Counter()
    here = host is None or is_loopback(host)
    for chunk in chunks:
        if here or not chunk.metadata.restricted or _rule_allows(chunk.doc_id, host or "", rules):
            allowed.append(chunk)
        else:
            held_back[chunk.doc_id] += 1
    return Sending(allowed=tuple(allowed), held_back=dict(held_back))


def _rule_allows(doc_id: str, host: str, rules: Sequence[SendRule]) -> bool:
    return any(
        fnmatchcase(doc_id, rule.match) and (not rule.hosts or host.casefold() in map(str.casefold, rule.hosts))
        for rule in rules
    )
