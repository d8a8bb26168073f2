"""What is claimed: question, reference, the system's answer, the claims with their digits."""

from collections.abc import Callable, Iterator

from builder.model.claim import Claim
from builder.model.verdict import AnswerVerdict, Judgement, Verdict
from builder.review.answers.desk import Answer
from builder.review.answers.state import NINE, State
from builder.review.sections import Entry, Section, turns
from builder.review.strip import EMPTY, Strip, flat
from builder.words import Words

MARK: dict[Judgement, str] = {
    Judgement.RIGHT: "accept",
    Judgement.WRONG: "reject",
    Judgement.UNDECIDED: "dim",
}
"""How a judgement is drawn."""
VERDICT: dict[Verdict, str] = {
    Verdict.CORRECT: "accept",
    Verdict.WRONG: "reject",
    Verdict.REFUSED_RIGHTLY: "accept",
    Verdict.REFUSED_WRONGLY: "reject",
}
"""How a verdict is drawn."""


_Part = Callable[[State, Answer, Words], Iterator[Entry]]


def sections(state: State, say: Words) -> tuple[Section, ...]:
    """All sections of the answer at hand that hold something, in reading order."""
    if state.item is None:
        return ()
    found = (
        Section(key, say(f"answers.field.{key}"), tuple(entries(state, state.item, say))) for key, entries in _PARTS
    )
    return tuple(section for section in found if section.entries)


def title(state: State, say: Words) -> tuple[Strip, Strip]:
    """The line that names an answer: which one, why it is shown, and what was said of it."""
    item = state.item
    if item is None:
        return EMPTY, EMPTY
    facts = [say(f"answers.why.{item.why}")]
    facts += [say("answers.repeat", number=item.record.repeat, count=item.repeats)] if item.repeats > 1 else []
    facts += [say("review.risk", risk=flat(item.case.risk))] if item.case.risk else []
    left: Strip = ((f" {flat(item.record.case_id)}", "strong"), ("  " + " · ".join(facts), "dim"))
    verdict = item.mine.verdict if item.mine else None
    if verdict is None:
        again = item.old is not None
        return left, (
            (say("answers.judge_again" if again else "answers.not_judged"), "todo" if again else "dim"),
            (" ", ""),
        )
    return left, ((say(f"answers.verdict.{verdict}"), VERDICT[verdict]), (" ", ""))


def _question(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    yield Entry(item.case.question)
    if item.record.question is not None and item.record.question.strip() != item.case.question.strip():
        yield Entry(item.record.question, first=((f"{say('answers.as_sent')}  ", "todo"),))


def _background(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    who = item.case.user_context
    values = (who.user, who.tenant, who.department, who.region, *who.roles)
    facts = [str(value) for value in values if value]
    facts += [say("review.as_of", day=item.case.as_of)] if item.case.as_of else []
    if facts:
        yield Entry(" · ".join(facts))


def _reference(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    if not item.case.answerable:
        yield Entry(say("review.unanswerable"), "todo")
    if item.case.ground_truth.strip():
        yield Entry(item.case.ground_truth)


def _answer(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    record = item.record
    if record.status is not None:
        key = "answers.status_derived" if record.status_derived else "answers.status_given"
        told = say(key, status=say(f"answers.status.{record.status}"))
        yield Entry(
            say("review.because", state=told, reason=record.refusal_reason) if record.refusal_reason else told, "dim"
        )
    if record.error is not None:
        yield Entry(say("answers.error", error=flat(record.error)), "reject")
    if record.answer is not None and record.answer.strip():
        yield Entry(record.answer, "strong")
    elif record.error is None:
        yield Entry(say("answers.no_answer"), "reject")


def _claims(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    marks = dict(state.saying.claims)
    count, first = len(state.claims), state.claims_from
    for place in range(first, min(first + NINE, count)):
        claim, mark = state.claims[place], marks.get(place, Judgement.UNDECIDED)
        head: Strip = ((f"{place - first + 1} ", "key"), (f"{say(f'answers.judgement.{mark}')} ", MARK[mark]))
        yield Entry(claim.text + _checked(item, place, say), first=(*head, *_kind(item, place, claim, say)))
    if count > NINE:
        yield Entry(say("answers.claims_shown", first=first + 1, last=min(first + NINE, count), count=count), "dim")


def _kind(item: Answer, place: int, claim: Claim, say: Words) -> Strip:
    if place >= len(item.case.claims):
        return ((say("review.must_not"), "reject"),)
    return (("! ", "reject"),) if claim.critical else ()


def _checked(item: Answer, place: int, say: Words) -> str:
    """What the check says of a claim, where it says anything."""
    if place >= len(item.checked) or not item.checked[place].why:
        return ""
    return say(f"answers.because.{item.checked[place].why}")


def _note(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    if state.saying.note:
        yield Entry(state.saying.note)


def _earlier(state: State, item: Answer, say: Words) -> Iterator[Entry]:
    if item.old is not None:
        yield Entry(say("answers.old", saying=_told(item.old, say)), "todo")
    for other in item.others:
        yield Entry(_told(other, say), "dim", first=((f"{flat(other.who)}  ", "dim"),))


def _told(verdict: AnswerVerdict, say: Words) -> str:
    named = say(f"answers.verdict.{verdict.verdict}") if verdict.verdict else say("answers.not_judged")
    return f"{named}  {flat(verdict.note)}".rstrip()


_PARTS: tuple[tuple[str, _Part], ...] = (
    ("question", _question),
    ("conversation", lambda state, item, say: turns(item.case.conversation, say)),
    ("background", _background),
    ("reference", _reference),
    ("answer", _answer),
    ("claims", _claims),
    ("note", _note),
    ("earlier", _earlier),
)
