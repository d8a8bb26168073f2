"""Cases to rows: what the expert reads, and what is filled in already."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.model.case import Case
from builder.review.claim_lines import lines_of
from builder.review.desk import Passage
from builder.review.sheet.columns import FILLED, NUMBER, passage_column
from builder.review.sheet.seal import seal
from builder.sheets import MOST, cut, units
from builder.text.screen import inert
from builder.words import Words

QUOTE = ("<<", ">>")
"""Stand around the quote within its passage."""
_EVIDENCE, _CHUNK = "e", "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage that may be chosen."""

    ref: str
    """`e:1` for the case's first piece of evidence, `c:ID` for a chunk; never with white space."""
    passage: Passage
    """What is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A row as it is written."""

    cells: Mapping[str, str]
    """Texts by column; every one fits a cell."""
    long: tuple[tuple[str, str], ...] = ()
    """(column, full text) of what does not fit its cell."""


def evidence_ref(place: int) -> str:
    """Names the case's piece of evidence at `place`, from 1."""
    return f"{_EVIDENCE}:{place}"


def chunk_ref(chunk_id: str) -> str:
    """Names a chunk."""
    return f"{_CHUNK}:{chunk_id}"


def ref_of(text: str) -> int | str | None:
    """What a name leads to: a place among the evidence, or a chunk id; none where it is no name."""
    kind, _, rest = text.partition(":")
    if kind == _EVIDENCE and rest.isascii() and rest.isdigit() and int(rest) > 0:
        return int(rest)
    return rest if kind == _CHUNK and rest else None


def row_of(case: Case, candidates: tuple[Candidate, ...], number: int, reviewer: str, say: Words) -> SheetRow:
    """The row of a case, sealed. `number` is what people call it by."""
    texts = {NUMBER: str(number), **_read_only(case, say)}
    for place, candidate in enumerate(candidates, 1):
        texts[passage_column(place)] = _passage(candidate.passage, say)
    texts |= _given(case)
    texts |= {"id": case.case_id, "revision": str(case.revision), "reviewer": inert(reviewer)}
    texts["passages"] = " ".join(candidate.ref for candidate in candidates)
    cells = {column: fitted(text, say) for column, text in texts.items()}
    long = tuple((column, text) for column, text in texts.items() if cells[column] != text)
    return SheetRow(cells=cells | {"checksum": seal(cells)}, long=long)


def given(case: Case, say: Words) -> dict[str, str]:
    """What was filled in for a case before the expert had it, as it stands in the cells."""
    return {column: fitted(text, say) for column, text in _given(case).items()}


def fitted(text: str, say: Words) -> str:
    """The text as a cell can hold it; a longer one ends in a note that says where all of it stands."""
    if units(text) <= MOST:
        return text
    note = say("sheet.cut", characters=len(text), tab=say("sheet.tab.full"))
    return cut(text, MOST - units(note)) + note


def _given(case: Case) -> dict[str, str]:
    facts = (line.removeprefix("- ") for line in lines_of(case.claims))
    count = len(case.evidence)
    texts = {
        "chosen": "+".join(map(str, range(1, count + 1))),
        "answer": inert(case.ground_truth),
        "facts": "\n".join(facts),
    }
    return {column: texts.get(column, "") for column in FILLED}


def _read_only(case: Case, say: Words) -> dict[str, str]:
    comments = case.origin.comments if case.origin else ()
    return {
        "question": inert(case.question),
        "conversation": inert("\n".join((*_background(case, say), *_turns(case, say)))),
        "comments": inert("\n".join(comment for comment in comments if comment.strip())),
        "system_answer": inert(case.rejected_output),
    }


def _background(case: Case, say: Words) -> Iterator[str]:
    """Who asks and when: the right answer may hang on it."""
    who = case.user_context
    facts = [str(value) for value in (who.tenant, who.department, who.region, *who.roles) if value]
    facts += [say("review.as_of", day=case.as_of)] if case.as_of else []
    if facts:
        yield " · ".join(facts)


def _turns(case: Case, say: Words) -> Iterator[str]:
    for turn in case.conversation:
        role = say(f"review.role.{turn.role}") if turn.role in ("user", "assistant") else turn.role
        yield say("sheet.turn", role=role, text=turn.text)


def _passage(passage: Passage, say: Words) -> str:
    file = passage.evidence.doc_id
    where = [passage.title, *([] if file.endswith(passage.title) else [file])]
    where += [_pages(passage.pages, say)] if passage.pages else []
    section = " > ".join(name for name in passage.section if name != passage.title)
    text, end = [], 0
    for start, stop in sorted(passage.marks):
        if start >= end and (start, stop) != (0, len(passage.text)):
            text += [passage.text[end:start], QUOTE[0], passage.text[start:stop], QUOTE[1]]
            end = stop
    lines = ("  ".join(where), section, "".join((*text, passage.text[end:])))
    return inert("\n".join(line for line in lines if line))


def _pages(pages: tuple[int, ...], say: Words) -> str:
    if len(pages) == 1:
        return say("review.page", page=pages[0])
    return say("review.pages", first=pages[0], last=pages[-1])
