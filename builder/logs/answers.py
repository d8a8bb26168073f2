"""Answers without personal data and without secrets, before they are stored in a run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from builder.redact import redact, redact_record

HIDDEN = "[SECRET]"
SHORTEST = 8
"""Characters of the shortest value of the environment that is taken for a secret."""
_IDS = ("id", "doc_id", "doc_version")
_ITEMS = ("retrieved", "reranked", "context", "citations")
_FIGURES = ("case_id", "repeat", "status", "latency_ms", "ttft_ms", "tokens", "cost")
"""Fields that hold nobody's words; they are kept as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What may not be stored."""

    secrets: tuple[str, ...] = ()
    """Values that are replaced wherever they stand."""
    published: frozenset[str] = frozenset()
    """Addresses and numbers that the documents themselves tell: nobody's personal data."""

    def clean(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], Counter[str]]:
        """The fields of a run record without personal data and secrets, and what was taken out, by kind."""
        counts: Counter[str] = Counter()
        done = {name: self._field(name, value, counts) for name, value in values.items()}
        return done, counts

    def _field(self, name: str, value: Any, counts: Counter[str]) -> Any:
        if name in _FIGURES:
            return value
        if name in _ITEMS and isinstance(value, list):
            return [self._item(item, counts) for item in value]
        return self._words(value, counts)

    def _item(self, item: Any, counts: Counter[str]) -> Any:
        """Ids name passages, and must go on naming them."""
        if not isinstance(item, Mapping):
            return self._words(item, counts)
        return {key: value if key in _IDS else self._words(value, counts) for key, value in item.items()}

    def _words(self, value: Any, counts: Counter[str]) -> Any:
        hidden = self._hidden(value, counts)
        if isinstance(hidden, str):
            text, found = _redacted(hidden, self.published)
            counts.update(dict(found))
            return text
        redacted = redact_record(hidden, self.published)
        counts.update(redacted.counts)
        return redacted.value

    def _hidden(self, value: Any, counts: Counter[str]) -> Any:
        if isinstance(value, Mapping):
            return {key: self._hidden(one, counts) for key, one in value.items()}
        if isinstance(value, list):
            return [self._hidden(one, counts) for one in value]
        if not isinstance(value, str):
            return value
        for secret in self.secrets:
            if secret in value:
                counts["secret"] += value.count(secret)
                value = value.replace(secret, HIDDEN)
        return value


@lru_cache(maxsize=4096)
def _redacted(text: str, published: frozenset[str]) -> tuple[str, tuple[tuple[str, int], ...]]:
    """A text without personal data; the same passages come again and again in a run."""
    found = redact(text, published)
    return found.text, tuple(found.counts.items())


def secrets_in(environ: Mapping[str, str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Values of the environment that are secrets: those of `names`, and those whose names say so; longest first."""
    said = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL")
    chosen = {
        part
        for name, value in environ.items()
        if name in names or any(word in name.upper() for word in said)
        for part in (value.strip(), value.strip().rpartition(" ")[2])
        if len(part) >= SHORTEST
    }
    return tuple(sorted(chosen, key=lambda value: (-len(value), value)))
