"""One BM25 index beside the store, for checks, the reviewer and the baseline."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from builder.text.fold import folded
from builder.text.ids import digest
from builder.text.simplified import simplified

_CORPUS = "corpus.json"
_WORDS = "2"
"""Goes up when `tokens` gives other words: an index of before is built anew."""


class Hit(NamedTuple):
    """One passage found."""

    chunk_id: str
    score: float
    """BM25; higher is better; never 0."""


class Search:
    """BM25 over chunk texts. Immutable once built."""

    def __init__(self, chunk_ids: Sequence[str], retriever: Any) -> None:
        self._chunk_ids = chunk_ids
        self._retriever = retriever

    def find(self, query: str, limit: int = 10) -> tuple[Hit, ...]:
        """The best passages for `query`, best first; empty where no word is shared."""
        words = tokens(query)
        if not self._chunk_ids or not words:
            return ()
        k = min(limit, len(self._chunk_ids))
        found, scores = self._retriever.retrieve([words], k=k, show_progress=False)
        return tuple(
            Hit(self._chunk_ids[int(index)], float(score))
            for index, score in zip(found[0], scores[0], strict=True)
            if score > 0
        )


def tokens(text: str) -> list[str]:
    """Words for BM25: Chinese (simplified) by dictionary, the rest by word characters, in lower case, no ligatures."""
    import rjieba

    plain = simplified(normalize("NFKC", text).lower())
    return [word for raw in rjieba.cut_for_search(plain) if (word := folded(raw)) and word[0].isalnum()]


def open_search(folder: Path, chunks: Sequence[tuple[str, str]]) -> Search:
    """The index over `chunks` (id, text), from `folder` where it fits, else built and written there."""
    key = f"{chunk_set_hash(chunks)}-{_WORDS}"
    return _load(folder, key) or _build(folder, key, chunks)


def chunk_set_hash(chunks: Sequence[tuple[str, str]]) -> str:
    """Hash of a set of chunks: ids and texts."""
    return digest(*(field for row in sorted(chunks) for field in row), length=16)


def _load(folder: Path, key: str) -> Search | None:
    import bm25s

    corpus = folder / _CORPUS
    if not corpus.is_file():
        return None
    known = json.loads(corpus.read_text(encoding="utf-8"))
    if known["key"] != key:
        return None
    retriever = bm25s.BM25.load(folder, show_progress=False) if known["chunk_ids"] else None
    return Search(known["chunk_ids"], retriever)


def _build(folder: Path, key: str, chunks: Sequence[tuple[str, str]]) -> Search:
    import bm25s

    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / _CORPUS
    corpus.unlink(missing_ok=True)  # written last: a half-written index is never taken for a whole one
    words = [tokens(text) for _, text in chunks]
    chunk_ids = [chunk_id for chunk_id, _ in chunks]
    retriever = None
    if any(words):  # bm25s refuses a corpus without a word
        retriever = bm25s.BM25()
        retriever.index(words, show_progress=False)
        retriever.save(folder, show_progress=False)
    corpus.write_text(json.dumps({"key": key, "chunk_ids": chunk_ids if retriever else []}), encoding="utf-8")
    return Search(chunk_ids if retriever else [], retriever)
