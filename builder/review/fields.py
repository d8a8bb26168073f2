"""What is claimed: question, answer and all that a person should know of a case."""

from collections.abc import Callable, Iterator

from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, ReviewState, Status
from builder.review.sections import Entry, Section, turns
from builder.review.strip import Piece, Strip, flat
from builder.words import Words

_ORDER = (CheckOutcome.FAIL, CheckOutcome.WARN, CheckOutcome.PASS)
_OUTCOME_STYLE = {CheckOutcome.FAIL: "reject", CheckOutcome.WARN: "todo", CheckOutcome.PASS: "dim"}
_STATE_STYLE = {
    ReviewState.NEEDS_ANSWER: "todo",
    ReviewState.UNREVIEWED: "strong",
    ReviewState.APPROVED: "accept",
    ReviewState.REJECTED: "reject",
}
_QUOTE = 24
"""Characters of a quote that name a passage."""


def sections(case: Case, say: Words) -> tuple[Section, ...]:
    """All sections of a case that hold something, in reading order."""
    parts: tuple[tuple[str, Callable[[Case, Words], Iterator[Entry]]], ...] = (
        ("question", lambda case, say: iter((Entry(case.question),))),
        ("conversation", lambda case, say: turns(case.conversation, say)),
        ("background", _background),
        ("rejected_output", _rejected_output),
        ("comments", _comments),
        ("ground_truth", _answer),
        ("claims", _claims),
        ("acceptable_status", _acceptable),
        ("checks", _checks),
        ("note", lambda case, say: iter((Entry(case.note),) if case.note.strip() else ())),
        ("hard_negatives", _hard_negatives),
        ("grades", _grades),
        ("family", lambda case, say: iter((Entry(case.family, "dim"),) if case.family else ())),
    )
    found = (Section(key, say(f"review.field.{key}"), tuple(entries(case, say))) for key, entries in parts)
    return tuple(section for section in found if section.entries)


def title(case: Case, say: Words) -> tuple[Strip, Strip]:
    """The line that names a case: what it is, and how far it is decided."""
    facts = [say(f"review.source.{case.source}"), say(f"review.type.{case.question_type}")]
    facts += [say("review.risk", risk=flat(case.risk))] if case.risk else []
    left = ((f" {flat(case.case_id)}", "strong"), ("  " + " · ".join(facts), "dim"))
    return left, ((_state(case, say), _STATE_STYLE[case.review_state]), (" ", ""))


def _state(case: Case, say: Words) -> str:
    state = say(f"review.state.{case.review_state}")
    if case.reject_reason:
        return say("review.because", state=state, reason=say(f"reject.{case.reject_reason}"))
    if case.disabled_reason:
        return say("review.because", state=state, reason=say(f"review.disabled.{case.disabled_reason}"))
    return state


def _background(case: Case, say: Words) -> Iterator[Entry]:
    who = case.user_context
    values = (who.user, who.tenant, who.department, who.region, *who.roles)
    facts = [say("review.audience", name=case.audience)] if case.audience else []
    facts += [str(value) for value in values if value]
    facts += [say("review.as_of", day=case.as_of)] if case.as_of else []
    if facts:
        yield Entry(" · ".join(facts))


def _rejected_output(case: Case, say: Words) -> Iterator[Entry]:
    if case.rejected_output:
        yield Entry(case.rejected_output + say("review.voted_down"), "dim")


def _comments(case: Case, say: Words) -> Iterator[Entry]:
    if case.origin:
        yield from (Entry(comment) for comment in case.origin.comments if comment.strip())


def _answer(case: Case, say: Words) -> Iterator[Entry]:
    if not case.answerable:
        yield Entry(say("review.unanswerable"), "todo")
    if case.ground_truth.strip():
        yield Entry(case.ground_truth)
    elif case.answerable:
        yield Entry(say("review.to_fill"), "todo")


def _claims(case: Case, say: Words) -> Iterator[Entry]:
    for claim in case.claims:
        yield Entry(claim.text, first=(("! " if claim.critical else "- ", "dim"),))
    for claim in case.must_not_claims:
        yield Entry(claim.text, first=((say("review.must_not"), "reject"),))


def _acceptable(case: Case, say: Words) -> Iterator[Entry]:
    """Where it is not what the answer says already."""
    usual = (Status.ANSWER,) if case.answerable else (Status.REFUSE,)
    if case.acceptable_status and case.acceptable_status != usual:
        yield Entry(say("review.comma").join(say(f"review.status.{status}") for status in case.acceptable_status))


def _hard_negatives(case: Case, say: Words) -> Iterator[Entry]:
    for row in case.hard_negatives:
        yield _named(row.evidence, (f"{say(f'review.negative.{row.reason}')}  ", "todo"))


def _grades(case: Case, say: Words) -> Iterator[Entry]:
    for row in case.grades:
        yield _named(row.evidence, (f"{row.grade}  ", "strong"))


def _named(evidence: Evidence, first: Piece) -> Entry:
    """A passage by its document and the beginning of its quote."""
    quote = flat(evidence.quote)
    short = quote if len(quote) <= _QUOTE else f"{quote[:_QUOTE]}…"
    return Entry(f"{flat(evidence.doc_id)}  {short}", "dim", first=(first,))


def _checks(case: Case, say: Words) -> Iterator[Entry]:
    for outcome in _ORDER:
        for result in case.checks:
            if result.outcome is outcome:
                word = (f"{say(f'review.outcome.{outcome}')}  ", _OUTCOME_STYLE[outcome])
                yield Entry(_check(result, say), first=(word,))


def _check(result: CheckResult, say: Words) -> str:
    """The detail of a check in words; the bare name where an older version wrote what the lists no longer hold."""
    for key in (f"check.{result.detail}", f"review.check.{result.name}"):
        try:
            return say(key, **result.values)
        except KeyError:
            continue
    return result.name
