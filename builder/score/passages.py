"""Which passage of the snapshot an item of a run is: by the map file, by chunk id, by document and place, by its text.

An item that is none of these is unknown: it is never taken for one that is fine.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from builder.model.access import UserContext, may_read
from builder.model.chunk import Chunk
from builder.model.parts import Parts, Span
from builder.model.run import Citation, ItemSpan, RetrievedItem
from builder.model.snapshot import FrozenDocument
from builder.score.map_file import Map
from builder.text.fold import folded

_BREAK = re.compile(r"[，。；、！？：,;!?:\n]+|\.(?=\s|$)|\|")
_SHORT = 6
"""Folded characters that a clause needs to tell where it comes from."""


Places = tuple[tuple[int, int, int], ...]
"""Page, first character and the one behind the last, piece by piece."""


def places_of(parts: Parts) -> Places:
    """Where the spans of a passage stand."""
    return tuple([(part.page, part.start, part.end) for part in parts if isinstance(part, Span)])


def within(inner: Places, outer: Places) -> bool:
    """True where every piece lies within a piece of `outer`; nothing lies nowhere."""
    for page, start, end in inner:
        for other, low, high in outer:
            if page == other and low <= start and end <= high:
                break
        else:
            return False
    return bool(inner)


class Corpus(Protocol):
    """What a snapshot holds of its documents."""

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Passages, at least those that the cases rest on."""

    @property
    def documents(self) -> tuple[FrozenDocument, ...]:
        """All documents."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """What is known of an item."""

    doc_id: str | None
    """The document; none where it is not known, or not which of several."""
    doc_ids: tuple[str, ...] = ()
    """Documents that it may come from."""
    known: bool = False
    """It is in the snapshot."""
    exact: bool = False
    """It is known which characters it holds, so that evidence elsewhere is known not to be in it."""
    reading_id: str | None = None
    """The reading whose pages the spans count, where it is a chunk of the snapshot."""
    spans: Places = ()
    """The pages' characters that it holds."""
    text: str | None = None
    """Its text, as far as it is told."""
    version: str | None = None
    """The version of the document, as told."""
    loose: bool = False
    """Only its text is known: evidence of any document may stand in it."""


class Library:
    """The snapshot's documents and passages, looked up in every way in which systems name them."""

    def __init__(self, corpus: Corpus, entries: Map, departments: Mapping[str, str]) -> None:
        self.documents = {document.doc_id: document for document in corpus.documents}
        self.chunks = {chunk.chunk_id: chunk for chunk in corpus.chunks}
        self.entries = entries
        self._departments = departments
        self._by_id: dict[str, Passage] = {}
        self._met: set[str] = set()
        self._ids_in: dict[str, set[str]] = {}
        self._open_ids: set[str] = set()
        self._chunk_at: dict[tuple[str, Places], str | None] = {}
        self._told: dict[tuple[str | None, ...], Passage] = {}
        self._access: dict[tuple[UserContext, str], bool] = {}

    # Passages

    def passage(self, item: RetrievedItem) -> Passage:
        """What is known of an item."""
        if item.text is None and item.doc_id is None and item.span is None and item.doc_version is None:
            return self.by_id(item.id)
        return self._remembered(item.id, item.doc_id, item.doc_version, item.span, item.text)

    def by_id(self, item_id: str) -> Passage:
        """What is known of an item of which only the id is told."""
        found = self._by_id.get(item_id)
        if found is None:
            found = self._by_id[item_id] = self._look(item_id, None, None, None, None)
        return found

    def near(self, ids: set[str], doc_ids: Iterable[str]) -> set[str]:
        """Those of some ids whose items may come from these documents: others need no look at all."""
        if not self._met.issuperset(ids):
            self._meet(ids - self._met)
        found = self._open_ids & ids
        for doc_id in doc_ids:
            some = self._ids_in.get(doc_id)
            if some is not None and not some.isdisjoint(ids):
                found |= some & ids
        return found

    def _meet(self, ids: set[str]) -> None:
        for item_id in ids:
            doc_id = self._led_to(item_id)
            some = self._open_ids if doc_id is None else self._ids_in.setdefault(doc_id, set())
            some.add(item_id)
        self._met |= ids

    def _led_to(self, item_id: str) -> str | None:
        """The document that an id leads to whatever else is told; none where that depends on what is."""
        mapped = self._mapped(item_id, None, None)
        if mapped is not None:
            return mapped.doc_id
        chunk = self.chunks.get(item_id)
        return None if chunk is None else chunk.doc_id

    def cited(self, citation: Citation) -> Passage:
        """What is known of a citation."""
        return self._remembered(citation.id, citation.doc_id, citation.doc_version, citation.span, citation.quote)

    def _remembered(
        self, item_id: str, doc_id: str | None, version: str | None, span: ItemSpan | None, text: str | None
    ) -> Passage:
        place = None if span is None else f"{span.page}:{span.start}:{span.end}"
        key = (item_id, doc_id, version, place, text)
        found = self._told.get(key)
        if found is None:
            found = self._told[key] = self._look(item_id, doc_id, version, span, text)
        return found

    def _look(
        self, item_id: str, doc_id: str | None, version: str | None, span: ItemSpan | None, text: str | None
    ) -> Passage:
        mapped = self._mapped(item_id, version, text)
        if mapped is not None:
            return mapped
        chunk = self.chunks.get(item_id)
        if chunk is not None:
            parts = places_of(chunk.parts)
            told = chunk.text if text is None else text
            return Passage(chunk.doc_id, (chunk.doc_id,), True, True, chunk.reading_id, parts, told, version)
        name = (doc_id and self.document(doc_id)) or self._named(item_id)
        if name:
            spans = self._spans(name, span)
            exact = bool(spans) or text is not None or _own_id(item_id, name)
            return Passage(name, (name,), True, exact, None, spans, text, version)
        return self._by_text(text, version)

    def _mapped(self, item_id: str, version: str | None, text: str | None) -> Passage | None:
        """By the map file: all lines of one id must name the same document."""
        if item_id not in self.entries:
            return None
        entries = [entry for entry in self.entries[item_id] if self.document(entry.doc_id)]
        if not entries:
            return None
        name = self.document(entries[0].doc_id)
        mine = [entry for entry in entries if self.document(entry.doc_id) == name]
        spans = tuple(span for entry in mine for span in self._spans(name or "", entry.span))
        told = text if text is not None else "\n".join(entry.text for entry in mine if entry.text) or None
        version = version or next((entry.doc_version for entry in mine if entry.doc_version), None)
        return Passage(name, (name or "",), True, bool(spans) or told is not None, None, spans, told, version)

    def document(self, name: str) -> str | None:
        """The document that a system calls so."""
        return name if name in self.documents else self._names.get(_plain(name))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Documents by path and by id, without marks that are written in two ways."""
        by_path = {_plain(document.source_path): document.doc_id for document in self.documents.values()}
        return by_path | {_plain(doc_id): doc_id for doc_id in self.documents}

    def document_named(self, text: str) -> str | None:
        """The document whose file or title a text begins with, as in "售后政策.pdf 第3页"; of several the longest."""
        plain = _plain(text).strip("《》\"'“” ")
        names = [name for name in self._titles if plain.startswith(name)]
        return self._titles[max(names, key=len)] if names else None

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        """Documents by file name, with and without ending, and by title; names that several bear are left out."""
        named: dict[str, set[str]] = defaultdict(set)
        for document in self.documents.values():
            file = _plain(document.source_path).rsplit("/", 1)[-1]
            for name in (file, file.rpartition(".")[0], document.metadata.title or "", document.doc_id):
                if len(name) > 1:
                    named[_plain(name)].add(document.doc_id)
        return {name: next(iter(found)) for name, found in named.items() if len(found) == 1}

    def _named(self, item_id: str) -> str | None:
        """The document in front of the # of an id, or that the id names itself."""
        head, mark, _ = item_id.partition("#")
        return self.document(head) if head or not mark else None

    def _spans(self, doc_id: str, span: ItemSpan | None) -> Places:
        """Characters of a page. Those of a whole document are those of its page where it has only one."""
        if span is None:
            return ()
        pages = self.documents[doc_id].page_count
        page = span.page if span.page is not None else 1 if pages <= 1 else None
        return () if page is None else ((page, span.start, span.end),)

    # Texts

    def _by_text(self, text: str | None, version: str | None) -> Passage:
        if text is None:
            return Passage(None, version=version)
        doc_ids, known = self.documents_of(text)
        one = doc_ids[0] if known and len(doc_ids) == 1 else None
        return Passage(one, doc_ids, known, True, None, (), text, version, loose=True)

    def documents_of(self, text: str) -> tuple[tuple[str, ...], bool]:
        """Documents that a text comes from, as its clauses tell, and whether they tell at least half of it.

        Those that hold the most of it; where it has clauses that these do not hold, also the documents of those.
        """
        pieces = {piece: len(piece) for piece in _folded_clauses(text) if len(piece) >= _SHORT}
        found = {piece: names for piece in pieces if (names := self._clauses.get(piece))}
        whole = folded(text)
        if not found:
            holding = {doc_id for doc_id, chunk in self._folded if len(whole) >= _SHORT and whole in chunk}
            return tuple(sorted(holding)), bool(holding)
        counts: Counter[str] = Counter()
        for piece, names in found.items():
            counts.update(dict.fromkeys(names, pieces[piece]))
        most = max(counts.values())
        best = {name for name, count in counts.items() if count == most}
        others = (names for names in found.values() if best.isdisjoint(names))
        return tuple(sorted(best.union(*others))), 2 * sum(map(len, found)) >= len(whole)

    @cached_property
    def _folded(self) -> tuple[tuple[str, str], ...]:
        return tuple((chunk.doc_id, folded(chunk.text)) for chunk in self.chunks.values())

    @cached_property
    def _clauses(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for chunk in self.chunks.values():
            for piece in _folded_clauses(chunk.text):
                found[piece].add(chunk.doc_id)
        return {piece: frozenset(names) for piece, names in found.items()}

    # Documents

    def may_read(self, user: UserContext, doc_ids: Iterable[str]) -> bool | None:
        """Whether a user may read a passage of these documents; none where that is not known, or not of all alike.

        Everybody may read what is not restricted; of the rest nothing is known where it is not told who asks.
        """
        found = {self.reads(user, doc_id) for doc_id in doc_ids}
        return found.pop() if len(found) == 1 else None

    def reads(self, user: UserContext, doc_id: str) -> bool | None:
        """Whether a user may read a document; none where that is not known."""
        if doc_id in self._open:
            return True
        if doc_id not in self.documents or user == _NOBODY:
            return None
        key = (user, doc_id)
        found = self._access.get(key)
        if found is None:
            found = self._access[key] = may_read(user, self.documents[doc_id].metadata, self._departments)
        return found

    @cached_property
    def restricted(self) -> bool:
        """Some document is not for everybody."""
        return len(self._open) < len(self.documents)

    @cached_property
    def _open(self) -> frozenset[str]:
        """Documents that everybody may read."""
        return frozenset(doc_id for doc_id, document in self.documents.items() if not document.metadata.restricted)

    # Places

    def chunk_at(self, reading_id: str, places: Places) -> str | None:
        """The first chunk that holds all of these places; none where it was cut or is gone."""
        key = (reading_id, places)
        found = self._chunk_at.get(key, "")
        if found == "":
            found = self._chunk_at[key] = self._holder(reading_id, places) if places else None
        return found

    def _holder(self, reading_id: str, places: Places) -> str | None:
        page, start, end = places[0]
        for low, high, spans, chunk_id in self._by_page.get((reading_id, page), ()):
            if low <= start and end <= high and within(places, spans):
                return chunk_id
        return None

    @cached_property
    def _by_page(self) -> Mapping[tuple[str, int], list[tuple[int, int, Places, str]]]:
        """Chunks by reading and page, with the stretch of the page that they touch."""
        found: dict[tuple[str, int], list[tuple[int, int, Places, str]]] = defaultdict(list)
        for chunk in self.chunks.values():
            spans = places_of(chunk.parts)
            for page in {page for page, _, _ in spans}:
                low = min(start for other, start, _ in spans if other == page)
                high = max(end for other, _, end in spans if other == page)
                found[chunk.reading_id, page].append((low, high, spans, chunk.chunk_id))
        return found

    def family(self, doc_id: str) -> str:
        """What joins documents that replace each other."""
        document = self.documents.get(doc_id)
        return (document.metadata.family if document else None) or doc_id

    def versions(self, doc_id: str) -> frozenset[str]:
        """How the frozen version of a document may be called."""
        document = self.documents.get(doc_id)
        if document is None:
            return frozenset()
        names = (str(document.version), document.metadata.version_label, document.sha256)
        return frozenset(version_name(name) for name in names if name)


_NOBODY = UserContext()


def told_who(user: UserContext) -> bool:
    """It is known who asks."""
    return user != _NOBODY


def version_name(name: str) -> str:
    """A version without the v in front of it: v2 is 2."""
    plain = name.strip().casefold()
    return plain[1:] if plain[:1] == "v" and plain[1:2].isdigit() else plain


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).removeprefix("./")


def _own_id(item_id: str, doc_id: str) -> bool:
    """True for ids as this program makes them: they hold a hash of the text, so one that is not here is other text."""
    tail = item_id[len(doc_id) + 1 :]
    return item_id[: len(doc_id)] == doc_id and len(tail) == 10 and all(ch in "0123456789abcdef" for ch in tail)


def _folded_clauses(text: str) -> list[str]:
    return [found for piece in _BREAK.split(text) if (found := folded(piece))]
