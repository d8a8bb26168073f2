"""What joins two chunks: a reference (见第八条, section 4.1), a shared code, a defined term. By program, O(chunks)."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from builder.generate.types.grounds import terms
from builder.model.access import Access
from builder.model.chunk import Chunk
from builder.text.fold import folded
from builder.text.numerals import chinese_number

_RARE = 8
"""A code or term in more chunks than this joins nothing: it is what the whole document is about."""
_PER_CLUE = 6
"""Pairs that one code or term may give."""
_PER_CHUNK = 3
"""Pairs that one chunk may begin."""
_TERMS = 60
"""Defined terms of a document that are looked for."""

_N = r"[0-9]+(?:\.[0-9]+)*|[一二三四五六七八九十百零]+"
_REFERENCE = re.compile(
    rf"(?:《(?P<title>[^》\n]{{2,40}})》)?第\s?(?P<zh>{_N})\s?(?P<level>[条章节])"
    r"|(?:见|按照?|参照)\s?(?P<see>[0-9]+(?:\.[0-9]+)+)"
    r"|(?<![A-Za-z])(?:[Ss]ections?|[Aa]rticles?|[Cc]lauses?|[Cc]hapters?|§)\s?(?P<en>[0-9]+(?:\.[0-9]+)*)"
    r"(?:\s(?:of|in)\sthe\s(?P<of>(?:[A-Z][\w-]*\s?){1,6}))?"
)
_HEADING = re.compile(rf"^(?:第\s?(?P<zh>{_N})\s?(?P<level>[条章节])|(?P<number>[0-9]+(?:\.[0-9]+)*)\.?\s)")
# Terms that a text defines: in a list below a heading that says so, or by 是指, 简称, means.
_GLOSSARY = re.compile(r"名词|术语|定义|释义|definitions?|glossary", re.IGNORECASE)
_ENTRY = re.compile(
    r"^[-•(（]?[一二三四五六七八九十0-9]{0,2}[)）.、]?\s*([^\s：:，。；]{2,12}|[A-Z][\w -]{2,30}?)[：:]", re.MULTILINE
)
_MEANS = re.compile(
    r"[“\"]?([\u4e00-\u9fffA-Za-z]{2,10})[”\"]?，?是指|(?:以下)?简称[为：:]?[“\"]([^”\"\n]{2,12})[”\"]"
    r"|[“\"]([A-Za-z][\w -]{2,30})[”\"]\s(?:means|refers to)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Two chunks and what joins them."""

    left: Chunk
    """The chunk that refers, or comes first."""
    right: Chunk
    """The chunk that is referred to."""
    clue: str
    """The reference, code or term, as it is written."""


def together(left: Chunk, right: Chunk) -> bool:
    """True where one question may rest on both: one language, one reader, one day, and no two versions of one rule."""
    a, b = left.metadata, right.metadata
    families = (a.family or left.doc_id, b.family or right.doc_id)
    versions = families[0] == families[1] and left.doc_id != right.doc_id
    begin = max((day for day in (a.valid_from, b.valid_from) if day), default=None)
    end = min((day for day in (a.valid_to, b.valid_to) if day), default=None)
    return (
        left.chunk_id != right.chunk_id
        and left.language == right.language
        and not versions
        and (begin is None or end is None or begin <= end)
        and (not a.restricted or not b.restricted or _asks(a) == _asks(b))
    )


def _asks(access: Access) -> tuple[object, ...]:
    return access.tenant, access.roles, access.department, access.region, access.deny


def links(chunks: Sequence[Chunk]) -> tuple[Link, ...]:
    """All links between `chunks` that may be asked about, in reading order; at most one a pair, few a chunk."""
    found: dict[tuple[int, int], Link] = {}
    begun: Counter[int] = Counter()
    place = {chunk.chunk_id: number for number, chunk in enumerate(chunks)}
    for link in (*_references(chunks), *_terms_defined(chunks), *_codes_shared(chunks)):
        left, right = place[link.left.chunk_id], place[link.right.chunk_id]
        known = (left, right) in found or (right, left) in found
        if not known and begun[left] < _PER_CHUNK and together(link.left, link.right):
            found[left, right] = link
            begun[left] += 1
    return tuple(found[key] for key in sorted(found))


def _references(chunks: Sequence[Chunk]) -> Iterator[Link]:
    targets: dict[tuple[str, str], Chunk] = {}
    titles: dict[str, str] = {}
    for chunk in chunks:
        titles.setdefault(folded(chunk.metadata.title or (chunk.section[0] if chunk.section else "")), chunk.doc_id)
        for number in filter(None, map(_number, chunk.section)):
            targets.setdefault((chunk.doc_id, number), chunk)
    known: dict[str, str] = {}
    for chunk in chunks:
        for match in _REFERENCE.finditer(chunk.text):
            name = match["title"] or match["of"]
            if name and name not in known:
                known[name] = _named(name, titles)
            document = known[name] if name else chunk.doc_id
            target = targets.get((document, _key(match["zh"] or match["see"] or match["en"], match["level"])))
            if target is not None and target.section != chunk.section:
                yield Link(left=chunk, right=target, clue=match.group().strip())


def name_of(heading: str) -> str:
    """A heading without its number."""
    return _HEADING.sub("", heading).strip()


def _number(heading: str) -> str | None:
    match = _HEADING.match(f"{heading} ")
    return _key(match["zh"] or match["number"], match["level"]) if match else None


def _key(number: str, level: str | None) -> str:
    value = number if number[0].isascii() else str(chinese_number(number) or number)
    return f"{level or ''}{value}"


def _named(name: str, titles: dict[str, str]) -> str:
    wanted = folded(name)
    return next((doc_id for title, doc_id in titles.items() if title and (wanted in title or title in wanted)), "")


def _codes_shared(chunks: Sequence[Chunk]) -> Iterator[Link]:
    return _joined(chunks, lambda chunk: terms(chunk.text))


def _terms_defined(chunks: Sequence[Chunk]) -> Iterator[Link]:
    """Chunks that define a term, with the chunks of the same document that use it."""
    documents: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        documents[chunk.doc_id].append(chunk)
    for rows in documents.values():
        defined: dict[str, Chunk] = {}
        for chunk in rows:
            for term in _defined(chunk):
                defined.setdefault(term, chunk)
        yield from _users(rows, dict(list(defined.items())[:_TERMS]))


def _defined(chunk: Chunk) -> Iterator[str]:
    if chunk.section and _GLOSSARY.search(chunk.section[-1]):
        yield from _ENTRY.findall(chunk.text)
    for groups in _MEANS.findall(chunk.text):
        yield next(filter(None, groups))


def _users(rows: Iterable[Chunk], defined: dict[str, Chunk]) -> Iterator[Link]:
    if not defined:
        return
    pattern = re.compile("|".join(re.escape(term) for term in sorted(defined, key=len, reverse=True)))
    users: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in rows:
        for term in dict.fromkeys(pattern.findall(chunk.text)):
            if defined[term] is not chunk:
                users[term].append(chunk)
    for term, found in users.items():
        if len(found) <= _RARE:  # 公司 is defined too, and stands everywhere
            yield from (Link(left=chunk, right=defined[term], clue=term) for chunk in found[:_PER_CLUE])


def _joined(chunks: Iterable[Chunk], keys: Callable[[Chunk], Iterable[str]]) -> Iterator[Link]:
    """Pairs of chunks of one language that share a rare key."""
    index: defaultdict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        for key in keys(chunk):
            index[chunk.language, key].append(chunk)
    for (_, key), found in index.items():
        if 2 <= len(found) <= _RARE:
            pairs = [pair for pair in combinations(found, 2) if together(*pair)]
            yield from (Link(left=left, right=right, clue=key) for left, right in pairs[:_PER_CLUE])
