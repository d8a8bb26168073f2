"""The fields of the edit form: each as lines of text, and read back from them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from builder.model.access import UserContext
from builder.model.case import Case, Evidence, Grade, Status
from builder.review.claim_lines import ChecksOf, claims_of, lines_of, no_checks
from builder.review.desk import Item, Passage
from builder.review.state import Message, Tone
from builder.review.strip import flat, shown
from builder.words import Words

_NUMBER = re.compile(r"\s*\[(\d+)\]")
_GRADE = re.compile(r"\s*\[?(\d+)\]?\s*[=＝]\s*([0-3])(?!\d)")
_DAY = re.compile(r"\s*(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?\s*")
_PAIR = re.compile(r"\s*([^:：]+?)\s*[:：]\s*(.*?)\s*")
_BETWEEN = re.compile(r"[\s,，、;；]+")
_COMMAS = re.compile(r"\s*[,，、;；]\s*")
_CONTEXT = ("tenant", "department", "region", "roles")
_QUOTE = 60
"""Characters of a quote that name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """What a form is made for."""

    item: Item
    """The case with its passages."""
    passages: tuple[Passage, ...] = ()
    """Those that the numbers mean, from 1: first the evidence, piece by piece."""
    risks: tuple[str, ...] = ()
    """High-risk topics that there are."""
    checks_of: ChecksOf = no_checks
    """Proposes the checks of a new claim."""

    @property
    def case(self) -> Case:
        """The case as it stands."""
        return self.item.case


class WrongValueError(ValueError):
    """A line that says nothing that the field can hold."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.message = Message(key, values, Tone.WARN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """How one field is written and read."""

    lines: Callable[[Blank, Words], list[str]]
    """What stands below its heading."""
    value: Callable[[str, Blank, Words], object]
    """The value of Case that a text says; raises WrongValueError."""


def numbered(item: Item, offers: Sequence[Passage] = ()) -> tuple[Passage, ...]:
    """The passages that a form may speak of: the evidence, then all others that are known or shown, each once."""
    case = item.case
    evidence = [
        item.passages[place] if place < len(item.passages) else bare(one) for place, one in enumerate(case.evidence)
    ]
    named = [bare(row.evidence) for row in case.grades] + [bare(row.evidence) for row in case.hard_negatives]
    others: dict[Evidence, Passage] = {}
    for passage in (*item.siblings, *(offers or item.proposals), *named):
        if passage.evidence not in case.evidence:
            others.setdefault(passage.evidence, passage)
    return (*evidence, *others.values())


def bare(evidence: Evidence) -> Passage:
    """Evidence without the text around it."""
    marks = ((0, len(evidence.quote)),)
    return Passage(evidence=evidence, title=evidence.doc_id, text=evidence.quote, marks=marks)


def short(evidence: Evidence, most: int = _QUOTE) -> str:
    """The beginning of a quote, in one line."""
    quote = flat(evidence.quote)
    return quote if len(quote) <= most else f"{quote[:most]}…"


def _text_field(name: str) -> Field:
    return Field(lines=lambda blank, say: _written(getattr(blank.case, name)), value=lambda text, blank, say: text)


def _written(text: str) -> list[str]:
    return shown(text.replace("\r\n", "\n")).strip().split("\n")


def _claim_field(name: str) -> Field:
    def value(text: str, blank: Blank, say: Words) -> object:
        return claims_of(text.split("\n"), getattr(blank.case, name), blank.checks_of)

    return Field(lines=lambda blank, say: lines_of(getattr(blank.case, name)), value=value)


def _evidence_lines(blank: Blank, say: Words) -> list[str]:
    return [f"[{number}] {short(one)}" for number, one in enumerate(blank.case.evidence, 1)]


def _evidence(text: str, blank: Blank, say: Words) -> object:
    """The groups with the evidence whose line still stands; another passage whose number was written is needed too."""
    numbers = dict.fromkeys(_numbers(text, blank))
    places = iter(range(1, len(blank.case.evidence) + 1))
    groups = (tuple(one for one in group if next(places) in numbers) for group in blank.case.evidence_groups)
    news = (blank.passages[number - 1].evidence for number in numbers if number > len(blank.case.evidence))
    return (*(group for group in groups if group), *((one,) for one in news))


def _numbers(text: str, blank: Blank) -> list[int]:
    return [_known(_NUMBER.match(line), line, "wrong_evidence", blank) for line in text.splitlines() if line.strip()]


def _known(found: re.Match[str] | None, line: str, key: str, blank: Blank) -> int:
    """The number of a passage that is on the form."""
    if found is None or not 1 <= int(found[1]) <= len(blank.passages):
        raise WrongValueError(key, text=line, count=len(blank.passages))
    return int(found[1])


def _grade_lines(blank: Blank, say: Words) -> list[str]:
    places = {passage.evidence: number for number, passage in reversed(list(enumerate(blank.passages, 1)))}
    return [f"[{places[row.evidence]}] = {row.grade}  {short(row.evidence)}" for row in blank.case.grades]


def _grades(text: str, blank: Blank, say: Words) -> object:
    grades: dict[int, int] = {}
    for line in filter(str.strip, text.splitlines()):
        found = _GRADE.match(line)
        number = _known(found, line, "wrong_grade", blank)
        if found is None or number in grades:
            raise WrongValueError("wrong_grade", text=line, count=len(blank.passages))
        grades[number] = int(found[2])
    return tuple(Grade(evidence=blank.passages[number - 1].evidence, grade=grade) for number, grade in grades.items())


def _risk(text: str, blank: Blank, say: Words) -> object:
    named = {risk.casefold(): risk for risk in blank.risks}
    if text and text.casefold() not in named:
        raise WrongValueError("wrong_risk", text=text, known=blank.risks)
    return named[text.casefold()] if text else None


def status_word(status: Status, say: Words) -> str:
    """What a system may do, in words."""
    return say(f"review.status.{status}")


def _status_lines(blank: Blank, say: Words) -> list[str]:
    return [say("review.comma").join(status_word(status, say) for status in blank.case.acceptable_status)]


def _status(text: str, blank: Blank, say: Words) -> object:
    named = {word.casefold(): status for status in Status for word in (status.value, status_word(status, say))}
    parts = [part for part in _BETWEEN.split(text) if part]
    for part in parts:
        if part.casefold() not in named:
            raise WrongValueError("wrong_status", text=part, known=tuple(status_word(one, say) for one in Status))
    return tuple(dict.fromkeys(named[part.casefold()] for part in parts))


def _day(text: str, blank: Blank, say: Words) -> object:
    found = _DAY.fullmatch(text)
    if not text:
        return None
    try:
        return date(*map(int, found.groups())) if found else _no_day(text)
    except ValueError as error:
        raise WrongValueError("wrong_day", text=text) from error


def _no_day(text: str) -> date:
    raise WrongValueError("wrong_day", text=text)


def _context_lines(blank: Blank, say: Words) -> list[str]:
    who = blank.case.user_context
    rows = ((say(f"review.context.{name}"), _told(who, name, say)) for name in _CONTEXT)
    return [say("review.pair", name=name, value=value).rstrip() for name, value in rows]


def _told(who: UserContext, name: str, say: Words) -> str:
    value = getattr(who, name)
    return say("review.comma").join(map(flat, value)) if isinstance(value, tuple) else flat(value or "")


def _context(text: str, blank: Blank, say: Words) -> object:
    """Who asks; a name whose line was not changed keeps its value to the letter, one without a line is nobody's."""
    who = blank.case.user_context
    labels = {word.casefold(): name for name in _CONTEXT for word in (name, say(f"review.context.{name}"))}
    values: dict[str, object] = {name: () if name == "roles" else None for name in _CONTEXT}
    for line in filter(str.strip, text.splitlines()):
        found = _PAIR.fullmatch(line)
        name = labels.get(found[1].casefold()) if found else None
        if found is None or name is None:
            raise WrongValueError(
                "wrong_context", text=line, known=tuple(say(f"review.context.{one}") for one in _CONTEXT)
            )
        if found[2] == _told(who, name, say):
            values[name] = getattr(who, name)
        elif name == "roles":
            values[name] = tuple(dict.fromkeys(part for part in _COMMAS.split(found[2]) if part))
        else:
            values[name] = found[2] or None
    return who.replace(**values)


FIELDS: dict[str, Field] = {
    "question": _text_field("question"),
    "ground_truth": _text_field("ground_truth"),
    "claims": _claim_field("claims"),
    "must_not_claims": _claim_field("must_not_claims"),
    "evidence_groups": Field(lines=_evidence_lines, value=_evidence),
    "note": _text_field("note"),
    "risk": Field(lines=lambda blank, say: [flat(blank.case.risk or "")], value=_risk),
    "acceptable_status": Field(lines=_status_lines, value=_status),
    "as_of": Field(lines=lambda blank, say: [str(blank.case.as_of or "")], value=_day),
    "user_context": Field(lines=_context_lines, value=_context),
    "grades": Field(lines=_grade_lines, value=_grades),
}
"""By field of Case, in the order of the form."""
