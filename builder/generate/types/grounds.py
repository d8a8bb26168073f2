"""What a case rests on: the facts and telling words of a text, the places of its evidence, what one passage carries."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.generate.evidence import evidence_at
from builder.generate.types import Accepted
from builder.model.case import Case, Evidence
from builder.model.chunk import Chunk
from builder.search import tokens
from builder.text.language import is_cjk
from builder.text.numbers import quantities
from builder.text.sentences import sentences

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
# A code is letters with a digit somewhere (GTE-3000Pro, E07, HT-2026-018, V2.3.1), a number in hyphens
# (400-000-0126) or one of seven digits and more; a date, an amount of money or a unit (m2) is none.
_TERM = re.compile(
    r"(?<![A-Za-z0-9@./-])(?:(?!(?:USD|RMB|CNY|EUR|GBP|HKD|JPY)\d|(?:[ckm]?m[23]|CO2|H2O)(?![A-Za-z0-9-]))"
    r"(?=[A-Za-z/_.-]*\d)[A-Za-z]{1,12}(?:[-_/.]?[A-Za-z0-9]+)*"
    r"|(?!(?:19|20)\d\d-\d{1,2}(?:-\d{1,2})?(?![\d-]))\d+(?:-\d+){1,4}-[A-Za-z0-9]+|\d{7,})(?![A-Za-z0-9@])"
)
_PLACES = frozenset({"article", "chapter", "section", "paragraph", "item"})
"""Units of numbers that name a place in a text: no fact."""
# Words of questions and of plain grammar, which tell nothing of what a text is about.
_IDLE_WORDS = (
    "多少 多久 多长 什么 怎么 怎样 如何 哪个 哪些 哪种 是否 能否 可以 需要 应当 应该 必须 以及 或者 如果 进行 没有 ",
    "还是 分别 各是 时候 时间 情况 规定 关于 我们 你们 他们 一个 这个 那个 就是 的话 不能 还能 以后 之后 之前 以前 ",
    "the and for are was were has have had with from that this which what when where who whom whose why how may can ",
    "must shall should will would does did not any all its their they them there then than into about under over ",
    "after before between both each per only also one our your you his her been being said 其他 包括",
)
_IDLE = frozenset("".join(_IDLE_WORDS).split())
_ENDINGS = re.compile(r"(?:ing|ies|ed|es|s|y)$")
_CLAUSE = re.compile(r"[，。；！？\n;!?]|[.,](?!\d)")
_OF_QUESTION, _OF_CLAUSE = 3, 2
"""A passage carries a question, or a clause of an answer, where it lacks less than one in so many telling words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of a chunk."""

    chunk: Chunk
    """The chunk."""
    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""

    @property
    def text(self) -> str:
        """What stands there."""
        return self.chunk.text[self.start : self.end]

    @property
    def evidence(self) -> Evidence:
        """The same as evidence."""
        return evidence_at(self.chunk, self.start, self.end)


def judged(cases: Iterable[Case], judge: Callable[[Case], Case | str]) -> Accepted:
    """What `judge` takes of the cases: it gives the case, completed, or the reason why it is refused."""
    taken: list[Case] = []
    drops: dict[str, int] = {}
    for case in cases:
        found = judge(case) if case.answerable and case.evidence_groups else "ungrounded"
        if isinstance(found, str):
            drops[found] = drops.get(found, 0) + 1
        else:
            taken.append(found)
    return Accepted(cases=tuple(taken), drops=drops)


def plain(text: str) -> str:
    """The text with one width and one kind of dash; upper and lower case stay."""
    return unicodedata.normalize("NFKC", text).translate(_DASHES)


@lru_cache(maxsize=1 << 14)
def terms(text: str) -> tuple[str, ...]:
    """Codes and numbers that name things, each once, as they are written."""
    return tuple(dict.fromkeys(_TERM.findall(plain(text))))


@lru_cache(maxsize=1 << 12)
def facts(text: str) -> frozenset[str]:
    """Terms, and quantities as `value unit`."""
    found = {f"{q.value} {q.unit}" for q in quantities(text) if q.unit not in _PLACES}
    return frozenset(found.union(terms(text)))


def lacking(wanted: Iterable[str], held: frozenset[str] | set[str]) -> set[str]:
    """Facts that are not held. A cell holds 24 months as a bare 24: its unit stands in the head of the column."""
    return {fact for fact in wanted if fact not in held and f"{fact.split(' ')[0]} " not in held}


@lru_cache(maxsize=1 << 12)
def words(text: str) -> frozenset[str]:
    """Telling words: Chinese of two letters and more, English by their stem, no figures."""
    return frozenset(map(_stem, filter(_tells, tokens(text))))


def _tells(word: str) -> bool:
    if word in _IDLE or any(map(str.isdigit, word)):
        return False
    return len(word) > (1 if is_cjk(word[0]) else 2)


def _stem(word: str) -> str:
    return _ENDINGS.sub("", word)[:6] if word.isascii() else word


def shown(chunk: Chunk) -> str:
    """What a reader of a chunk has: its headings and its text."""
    return "\n".join((*chunk.section, chunk.text))


def places(case: Case, chunks: Sequence[Chunk]) -> tuple[Place, ...]:
    """Where the evidence of a case stands in `chunks`, in the order of its groups."""
    return tuple(place for evidence in case.evidence for place in _place(evidence, chunks))


def _place(evidence: Evidence, chunks: Sequence[Chunk]) -> Iterator[Place]:
    for chunk in chunks:
        at = chunk.text.find(evidence.quote) if chunk.holds(evidence.reading_id, evidence.parts) else -1
        if at >= 0:
            yield Place(chunk=chunk, start=at, end=at + len(evidence.quote))
            return


def lines(place: Place) -> tuple[Place, ...]:
    """The sentences of a place, a table row or list item each for itself."""
    return tuple(
        Place(chunk=place.chunk, start=place.start + start, end=place.start + end)
        for start, end in sentences(place.text)
    )


def regrouped(case: Case, found: Sequence[Place], chosen: Iterable[Place]) -> Case:
    """The case with one all-of group a chosen sentence.

    Each group goes on to where the next one begins, so that an exception between two sentences stays in.
    """
    wanted = set(map(_key, chosen))
    groups: dict[tuple[str, int, int], Evidence] = {}
    for place in found:
        starts = [line.start for line in lines(place) if _key(line) in wanted]
        for start, end in zip(starts, [*starts[1:], place.end], strict=True):
            stop = start + len(place.chunk.text[start:end].rstrip())
            whole = Place(chunk=place.chunk, start=start, end=stop)
            groups.setdefault(_key(whole), whole.evidence)
    return case.replace(evidence_groups=tuple((evidence,) for evidence in groups.values()))


def _key(place: Place) -> tuple[str, int, int]:
    return place.chunk.chunk_id, place.start, place.end


def carries(chunks: Iterable[Chunk], case: Case, sent: Iterable[Chunk]) -> bool:
    """True where `chunks` alone hold what question and answer say, as far as all that was sent holds it."""
    held, known = [*map(shown, chunks)], [*map(shown, sent)]
    if lacking(_common(facts, (case.question, case.ground_truth), known), _union(facts, held)):
        return False
    everything, rest = _union(words, known), _union(words, held)
    clauses = (clause for clause in _CLAUSE.split(case.ground_truth) if clause)
    return not (
        _lacks(words(case.question) & everything, rest, _OF_QUESTION)
        or any(_lacks(words(clause) & everything, rest, _OF_CLAUSE) for clause in clauses)
    )


def _common(read: Callable[[str], frozenset[str]], said: Iterable[str], known: Iterable[str]) -> set[str]:
    everything = _union(read, known)
    wanted = _union(read, said)
    return wanted - lacking(wanted, everything)


def _union(read: Callable[[str], frozenset[str]], texts: Iterable[str]) -> set[str]:
    return {part for text in texts for part in read(text)}


def _lacks(wanted: frozenset[str], held: set[str], share: int) -> bool:
    return len(wanted - held) * share >= len(wanted) > 0


def by_chunk(found: Iterable[Place]) -> Mapping[str, tuple[Place, ...]]:
    """Places by the id of their chunk, in order."""
    rows: dict[str, tuple[Place, ...]] = {}
    for place in found:
        rows[place.chunk.chunk_id] = (*rows.get(place.chunk.chunk_id, ()), place)
    return rows


def needless(found: Iterable[Place], case: Case, sent: Sequence[Chunk]) -> bool:
    """True where the case can be answered without one of the chunks that its evidence stands in."""
    used = list({place.chunk.chunk_id: place.chunk for place in found}.values())
    return any(carries([c for c in used if c is not left], case, sent) for left in used)
