"""Rows back to decisions: what an expert filled, as edits and a verdict on the case; or why a row is refused."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from builder.errors import BuilderError
from builder.model.case import Case, Evidence, QuestionType, RejectReason, ReviewState, Status
from builder.model.decision import Action, Decision
from builder.redact import redact
from builder.review.acts import WRONG_DOWNVOTE
from builder.review.claim_lines import ChecksOf, claims_of, no_checks
from builder.review.sheet.columns import FILLED, Verdict, nones, verdicts
from builder.review.sheet.rows import given, ref_of
from builder.sheets import normal
from builder.text.fold import folded
from builder.text.screen import inert
from builder.words import Words

NEEDS_SPLIT = "needs_split"
"""Tag of a case whose answer depends: it must become several."""
_BETWEEN = re.compile(r"(?:[\s,、;+/&.和及与]|and)*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_SHOWN = 60

EvidenceOf = Callable[[str], Evidence | None]
"""The passage with that chunk id, as a whole; none where the documents hold it no more."""


class Unfit(BuilderError):
    """A row that is refused; `key` names a line below `sheet.refused.`."""

    def line(self, say: Words) -> str:
        """The reason, in the language of `say`."""
        return say(f"sheet.refused.{self.key}", **self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a row decides."""

    verdict: Verdict
    """What the expert says."""
    decisions: tuple[Decision, ...]
    """One act."""
    redacted: Mapping[str, int]
    """Personal data that was taken out of the texts, by kind."""


@dataclass(frozen=True, slots=True)
class _Filled:
    """What is filled in a row, against what was there before."""

    case: Case
    texts: Mapping[str, str]
    changed: frozenset[str]
    redacted: Counter[str]

    def text(self, column: str) -> str:
        """What stands in a column now, without personal data."""
        found = redact(self.texts[column])
        self.redacted.update(found.counts)
        return found.text

    def new(self, column: str) -> bool:
        """Something was written there that was not there before."""
        return column in self.changed and bool(self.texts[column])


def rule(
    cells: Mapping[str, str], case: Case, evidence_of: EvidenceOf, say: Words, checks_of: ChecksOf = no_checks
) -> Ruling:
    """The decisions of a row about `case`, which is at the revision that the row was made from.

    Args:
        cells: texts by column.
        case: the case as it stands.
        evidence_of: leads chunk ids to evidence.
        say: words of the sheet's language.
        checks_of: the checks that a program proposes for a new key fact.

    Raises:
        Unfit: the row cannot be taken.
    """
    verdict = _verdict(cells["verdict"])
    texts = {column: normal(cells[column]) for column in FILLED}
    before = {column: normal(text) for column, text in given(case, say).items()}
    changed = frozenset(column for column in FILLED if texts[column] != before[column])
    filled = _Filled(case, texts, changed, Counter())
    if verdict in (Verdict.SPLIT, Verdict.LEAVE_OUT):
        decisions = _aside(filled, verdict, say)
    else:
        _fits(filled, verdict, before)
        edits = _absent(filled) if verdict is Verdict.UNANSWERABLE else _answered(filled, cells, evidence_of, checks_of)
        edits |= {"tags": (*case.tags, WRONG_DOWNVOTE)} if verdict is Verdict.RIGHT else {}
        decisions = tuple(_approved(case, edits | _noted(filled, filled.text("note"))))
    return Ruling(verdict=verdict, decisions=decisions, redacted=dict(filled.redacted))


def _verdict(text: str) -> Verdict:
    known = verdicts().get(folded(text))
    if known is None:
        raise Unfit("unknown_verdict", text=brief(text)) if text.strip() else Unfit("no_verdict")
    return known


def _fits(filled: _Filled, verdict: Verdict, before: Mapping[str, str]) -> None:
    case = filled.case
    if verdict is Verdict.RIGHT and not case.rejected_output.strip():
        raise Unfit("not_feedback")
    if verdict is Verdict.UNANSWERABLE:
        if (wrong := next((name for name in ("answer", "facts", "chosen") if _speaks(filled, name)), None)) is not None:
            raise Unfit("contradiction", text=brief(filled.texts[wrong]))
    elif not filled.texts["answer"] and (case.answerable or "answer" in filled.changed):
        raise Unfit("no_answer")
    elif "answer" in filled.changed and before["answer"] != normal(inert(case.ground_truth)):
        raise Unfit("too_long")


def _speaks(filled: _Filled, column: str) -> bool:
    """Something was newly written that an unanswerable question cannot have."""
    none = column == "chosen" and folded(filled.texts[column]) in nones()
    return filled.new(column) and not none


def _approved(case: Case, edits: dict[str, object]) -> Iterator[Decision]:
    if case.review_state is ReviewState.REJECTED:
        yield Decision(action=Action.RESTORE)
    if changes := {name: value for name, value in edits.items() if getattr(case, name) != value}:
        yield Decision(action=Action.EDIT, changes=changes)
    yield Decision(action=Action.APPROVE)


def _absent(filled: _Filled) -> dict[str, object]:
    """The documents hold no answer: answer, facts and evidence contradict that; they stay in the case's history."""
    edits: dict[str, object] = {"answerable": False, "ground_truth": "", "claims": (), "evidence_groups": ()}
    return edits | ({"acceptable_status": (Status.REFUSE,)} if filled.case.answerable else {})


def _answered(
    filled: _Filled, cells: Mapping[str, str], evidence_of: EvidenceOf, checks_of: ChecksOf
) -> dict[str, object]:
    case, edits = filled.case, dict[str, object]()
    if "answer" in filled.changed:
        edits["ground_truth"] = filled.text("answer")
        if not case.answerable:
            edits |= {"answerable": True, "acceptable_status": ()}
            edits |= _type(case)
    if "facts" in filled.changed:
        edits["claims"] = claims_of(filled.text("facts").split("\n"), case.claims, checks_of)
    # A cell that was emptied says nothing: that no passage fits is said in words.
    if filled.new("chosen"):
        edits["evidence_groups"] = _groups(case, filled.texts["chosen"], cells["passages"].split(), evidence_of)
    return edits


def _type(case: Case) -> dict[str, object]:
    unanswerable = case.question_type is QuestionType.UNANSWERABLE
    return {"question_type": QuestionType.SINGLE_FACT} if unanswerable else {}


def _groups(case: Case, text: str, refs: list[str], evidence_of: EvidenceOf) -> tuple[tuple[Evidence, ...], ...]:
    """The groups that stay, each less what was not chosen; every newly chosen passage is needed beside them."""
    numbers = _numbers(text, len(refs))
    chosen = [ref_of(refs[number - 1]) for number in numbers]
    shown = {place for ref in refs if isinstance(place := ref_of(ref), int)}
    places = iter(range(1, len(case.evidence) + 1))
    kept = (
        tuple(one for one in group if (place := next(places)) in chosen or place not in shown)
        for group in case.evidence_groups
    )
    groups = [group for group in kept if group]
    for number, ref in zip(numbers, chosen, strict=True):
        if isinstance(ref, str):
            evidence = evidence_of(ref)
            if evidence is None:
                raise Unfit("passage_gone", number=number)
            groups.append((evidence,))
    return tuple(groups)


def _numbers(text: str, count: int) -> tuple[int, ...]:
    """The numbers of the chosen passages; empty where none fits."""
    if folded(text) in nones():
        return ()
    plain = unicodedata.normalize("NFKC", text)
    numbers = tuple(dict.fromkeys(map(int, _NUMBER.findall(plain))))
    if not numbers or not _BETWEEN.fullmatch(_NUMBER.sub("", plain)) or not all(0 < one <= count for one in numbers):
        raise Unfit("no_passage", text=brief(text), count=count)
    return numbers


def _aside(filled: _Filled, verdict: Verdict, say: Words) -> tuple[Decision, ...]:
    """What is said of a case that is not approved; an answer that was written is kept with the note."""
    drafts = [
        say("sheet.draft", column=say(f"sheet.column.{column}"), text=filled.text(column))
        for column in ("answer", "facts")
        if filled.new(column)
    ]
    said = "\n".join(text for text in (filled.text("note"), *drafts) if text)
    if verdict is Verdict.LEAVE_OUT:
        return (Decision(action=Action.REJECT, reason=RejectReason.OTHER, text=said),)
    tags = tuple(dict.fromkeys((*filled.case.tags, NEEDS_SPLIT)))
    return (Decision(action=Action.EDIT, changes={"tags": tags, **_noted(filled, said)}),)


def _noted(filled: _Filled, said: str) -> dict[str, object]:
    """The note with what is said now below what was said before."""
    note = filled.case.note
    return {"note": "\n".join(text for text in (note, said) if text)} if said and said not in note else {}


def brief(text: str) -> str:
    """A text as it may stand within a line."""
    flat = " ".join(inert(text).split())
    return flat if len(flat) <= _SHOWN else f"{flat[:_SHOWN]}…"
