"""A chunk in the smallest pieces that state something: clauses, and cells of a row with what the row is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from builder.checks.reading.compare import Fact, facts
from builder.checks.reading.wording import Terms, terms
from builder.model.chunk import Chunk
from builder.text.sentences import sentences

_ROW = re.compile(r"[^；;:：\n]{1,40}[：:][^；;\n]*(?:[；;]\s*[^；;:：\n]{1,40}[：:][^；;\n]*)+")
_CELL = re.compile(r"[；;]\s*")
_ZH = re.compile(r"[，；;。！？!?\n]|(?=但是?(?!书))|(?=不过)")
_EN = re.compile(r"[;.!?](?=\s|$)|\n|,\s+|\s+(?=(?:but|unless|except|whereas|while)\b)|(?<=[\w%])\s+(?=(?:and|or)\s)")
_LEADS = re.compile(r"(?:的|[内外时后前中]|期间|之日起)\s*$")
_ASKED = re.compile(r"^\s*(?:问|Q)\s?[:：]|[?？]\s*$")
_JOINT = re.compile(r",\s|\b(?:and|or)\b")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|may|can|cannot|must|has|have|do|does|will|lies?|pays?|gets?|takes?|receives?|needs?|applies|apply|\w+ed)\b|[:\d]",
    re.IGNORECASE,
)
_BOUND_WORD = re.compile(r"\b(?:is|are|may|must|can|has|have|for|at|in|on|by|to|of|only)\b|[\d]")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One clause or cell. What it speaks of is read when first asked for: few of all pieces are compared."""

    text: str
    """As it stands."""
    start: int
    """Offset in the text of the chunk."""
    end: int
    """Offset behind it."""
    line: str
    """The sentence or row that it is part of."""
    lead: str | None
    """What stands before its first fact, or where it begins with one what stands before the fact in the clause before;
    none where it has no fact; empty in a cell."""
    takes_over: bool
    """It begins with a fact, so that the subject of the clause before is its own too."""
    facts: tuple[Fact, ...]
    """What it states exactly."""
    label: str = ""
    """Of a cell: the name of its column."""
    sentence: tuple[int, int] = (0, 0)
    """Where the sentence or row stands that it is part of."""

    @cached_property
    def own(self) -> Terms:
        """Its terms."""
        return {**terms(self.lead or ""), **terms(self.text)} if self.takes_over else terms(self.text)

    @cached_property
    def subject(self) -> Terms:
        """Those of its terms that stand before its first fact; see `lead`."""
        return self.own if self.lead is None else terms(self.lead)

    @cached_property
    def around(self) -> Terms:
        """Terms of its sentence or row, without those of its own."""
        return {term: weight for term, weight in terms(self.line).items() if term not in self.own}


def pieces(chunk: Chunk, stating: bool = False) -> tuple[Piece, ...]:
    """The pieces of a chunk, in order; `stating`: those alone whose sentence or row has a fact."""
    return _pieces(chunk.text, _below_headings(chunk), stating)


@lru_cache(maxsize=1 << 8)
def _pieces(text: str, below: int, stating: bool) -> tuple[Piece, ...]:
    return tuple(
        piece
        for start, end in _lines(text, below)
        if not _ASKED.search(text[start:end]) and (not stating or facts(text[start:end]))
        for piece in _of_line(text, start, end)
    )


def _below_headings(chunk: Chunk) -> int:
    """Where the text behind the headings begins that stand at its head."""
    at = 0
    for heading in chunk.section:
        if chunk.text.startswith(heading + "\n", at):
            at += len(heading) + 1
    return at


def _lines(text: str, below: int) -> Iterator[tuple[int, int]]:
    """Sentences below the headings; rows of tables each for itself."""
    for start, end in ((low + below, high + below) for low, high in sentences(text[below:])):
        at = start
        for line in text[start:end].split("\n"):
            if _ROW.fullmatch(line.strip()):
                if at > start and text[start : at - 1].strip():
                    yield start, at - 1
                yield at, at + len(line)
                start = at + len(line) + 1
            at += len(line) + 1
        if start < end:
            yield start, end


def _of_line(text: str, start: int, end: int) -> Iterator[Piece]:
    line = text[start:end]
    row = _ROW.fullmatch(line.strip()) is not None
    stated = facts(line)
    lead = ""
    for low, high in _cuts(line, row):
        part = line[low:high].strip()
        if not part:
            continue
        found = tuple(fact for fact in stated if low <= fact.start < high)
        before = line[low : found[0].start] if found and not row else ""
        speaks = bool(before.strip() and terms(before))
        lead = before if speaks else lead
        yield Piece(
            text=part,
            start=start + low,
            end=start + high,
            line=line,
            lead="" if row else lead if found else None,
            takes_over=bool(found) and not row and not speaks,
            facts=found,
            label=re.split(r"[：:]", part, maxsplit=1)[0] if row else "",
            sentence=(start, end),
        )


def _cuts(line: str, row: bool) -> Iterator[tuple[int, int]]:
    """Where the pieces of a line lie."""
    pattern = _CELL if row else _ZH if re.search("[\u4e00-\u9fff]", line) else _EN
    start = 0
    for match in pattern.finditer(line):
        if match.end() > start and _divides(line, start, match, pattern):
            yield start, match.start()
            start = match.end()
    if start < len(line):
        yield start, len(line)


def _divides(line: str, start: int, match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """True where a piece ends at `match`. A condition (…的，放假期间，) belongs to what follows."""
    if pattern is _ZH:
        return not (match.group() == "，" and _LEADS.search(line, start, match.start()))
    return pattern is not _EN or _parts(line, start, match)


def _parts(line: str, start: int, match: re.Match[str]) -> bool:
    """True where an English comma or `and` divides two statements: each side has facts, or words of a clause."""
    if match.group()[0] in ";.!?\n":
        return True
    left, right = line[start : match.start()], line[match.end() :]
    if match.group().startswith(",") and not _FINITE.search(left):
        return False  # During probation, the notice period is …
    if not right.startswith(("and ", "or ")):
        return bool(_BOUND_WORD.search(left) and _BOUND_WORD.search(right[:60].split(",")[0]))
    return bool(facts(left)) and bool(facts(_JOINT.split(right[3:], maxsplit=1)[0]))
