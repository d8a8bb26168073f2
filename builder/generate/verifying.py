"""A second call on a case, blind to its answer: from the evidence, from no passage, without one of several groups."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from builder.generate.agreement import agree
from builder.generate.given import Given, read_answer
from builder.generate.material import Material
from builder.generate.prompt import numbered, passage_values
from builder.generate.tasks import Call, Outcome
from builder.generate.types.unanswerable import best_passages
from builder.generate.writer import NumberedPassage, Request
from builder.model.attempt import Attempt, Purpose, Reply, Task
from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, QuestionType, Status
from builder.model.chunk import Chunk
from builder.model.parts import Span, spans
from builder.text.canonical import canonical
from builder.text.ids import digest
from builder.text.language import language_of
from builder.text.passages import slice_parts

PURPOSES = (Purpose.VERIFY, Purpose.CLOSED_BOOK, Purpose.WITHOUT_GROUP)
BEST = 3
"""Passages in which the answer to an unanswerable question is looked for."""
_SHOWN = 120
"""Characters of an answer that a verdict tells."""


def content_of(case: Case) -> str:
    """Hash of what a verdict of a model rests on: question, answer, evidence. Another one makes the verdict void."""
    turns = [[turn.role, turn.text] for turn in case.conversation]
    quotes = [[evidence.quote for evidence in group] for group in case.evidence_groups]
    asked = [case.question, turns, case.as_of.isoformat() if case.as_of else None]
    return digest(canonical([*asked, case.answerable, case.ground_truth, quotes]), length=16)


def tasks_for(case: Case, material: Material) -> tuple[Task, ...]:
    """What a case can be asked: nothing where its passages are gone, or where the right thing is not to answer.

    Of an unanswerable case the best passages are read; a case that refuses for another reason is not verified.
    """
    if not case.answerable:
        task = _task(Purpose.VERIFY, case, material)
        return (task,) if case.question_type is QuestionType.UNANSWERABLE and task.chunk_ids else ()
    if case.acceptable_status and Status.ANSWER not in case.acceptable_status:
        return ()
    tasks = [_task(Purpose.CLOSED_BOOK, case, material)]
    if case.evidence_groups and all(_places(case, material)):
        tasks.insert(0, _task(Purpose.VERIFY, case, material))
        several = range(len(case.evidence_groups)) if len(case.evidence_groups) > 1 else ()
        tasks += [_task(Purpose.WITHOUT_GROUP, case, material, group) for group in several]
    return tuple(tasks)


def call(task: Task, material: Material) -> Call:
    """The request of a task; the answer of the case is not in it.

    Raises:
        LookupError: the case or a chunk is gone.
        InputError: a broken prompt template.
    """
    case = material.cases[task.case_id]
    ids = task.chunk_ids or _chunk_ids(task.purpose, case, material, task.group)
    chunks = tuple(material.chunk(chunk_id) for chunk_id in ids)
    passages = numbered(chunks)
    if task.purpose is Purpose.WITHOUT_GROUP and task.group is not None:
        passages = tuple(map(partial(_without, case, task.group), passages, chunks))
    prompts = material.prompts[chunks[0].language if chunks else language_of(case.question)]
    names = ("closed_book.j2" if task.purpose is Purpose.CLOSED_BOOK else "verify.j2", "answer_user.j2")
    request = Request(
        messages=prompts.messages(names, _values(case, passages, task)),
        passages=passages,
        asked=1,
        max_tokens=material.settings.max_tokens,
        temperature="0",
        shape="answer",
    )
    return Call(task=task, request=request, prompt_hash=prompts.hash_of(names), chunks=chunks, case=case)


def outcome(call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
    """One verdict for every reply, so that no question is asked again."""
    case = call.case or material.cases[call.task.case_id]
    given = read_answer(reply, language_of(case.question))
    outcome, detail = _VERDICTS[call.task.purpose](case, given)
    labels = _labels(case, call.task, attempt, given)
    if call.task.purpose is Purpose.VERIFY and outcome is CheckOutcome.PASS and "same_model" in labels:
        detail = "verify_same_model"  # agreeing with oneself proves less: said where the verdict is shown
    values = {
        "of": call.task.facts.get("of", content_of(case)),
        "model": attempt.model,
        "given": " ".join(given.answer.split())[:_SHOWN],
        **labels,
    }
    name = call.task.purpose.value
    return Outcome(verdicts=(CheckResult(name=name, outcome=outcome, detail=detail, values=values),))


def _task(purpose: Purpose, case: Case, material: Material, group: int | None = None) -> Task:
    ids = _chunk_ids(purpose, case, material, group)
    return Task(purpose=purpose, chunk_ids=ids, case_id=case.case_id, group=group, facts={"of": content_of(case)})


def _chunk_ids(purpose: Purpose, case: Case, material: Material, group: int | None) -> tuple[str, ...]:
    if purpose is Purpose.CLOSED_BOOK:
        return ()
    if not case.answerable:
        return tuple(chunk.chunk_id for chunk in best_passages(case, material, BEST))
    places = [chunk for number, chunk in enumerate(_places(case, material)) if number != group]
    return tuple(dict.fromkeys(chunk.chunk_id for chunk in places if chunk))


def _places(case: Case, material: Material) -> list[Chunk | None]:
    """The passage of each group: that of its first evidence."""
    return [material.corpus.index.chunk_of(group[0]) for group in case.evidence_groups]


def _without(case: Case, group: int, passage: NumberedPassage, chunk: Chunk) -> NumberedPassage:
    """The passage without the sentences in which evidence of that group alone stands."""
    mine, needed = (
        {place for evidence in row for place in _sentences_of(evidence, passage, chunk)}
        for row in (case.evidence_groups[group], chain.from_iterable(_others(case, group)))
    )
    kept = (span for place, span in enumerate(passage.sentences) if place not in mine - needed)
    return replace(passage, sentences=tuple(kept))


def _others(case: Case, group: int) -> Iterator[tuple[Evidence, ...]]:
    return (row for number, row in enumerate(case.evidence_groups) if number != group)


def _sentences_of(evidence: Evidence, passage: NumberedPassage, chunk: Chunk) -> list[int]:
    """Places of the sentences that the evidence touches; none where it stands in another chunk."""
    if evidence.reading_id != chunk.reading_id:
        return []
    quoted = spans(evidence.parts)
    rows = (spans(slice_parts(chunk.parts, start, end)) for start, end in passage.sentences)
    return [place for place, row in enumerate(rows) if _touch(row, quoted)]


def _touch(left: tuple[Span, ...], right: tuple[Span, ...]) -> bool:
    return any(a.page == b.page and a.start < b.end and b.start < a.end for a in left for b in right)


def _values(case: Case, passages: tuple[NumberedPassage, ...], task: Task) -> dict[str, object]:
    """What the templates see: passages and question, never the answer."""
    values = passage_values(passages, Task(purpose=task.purpose))
    turns = [{"role": turn.role, "text": " ".join(turn.text.split())} for turn in case.conversation]
    asked = {"question": " ".join(case.question.split()), "conversation": turns}
    return {**values, **asked, "as_of": case.as_of.isoformat() if case.as_of else ""}


def _labels(case: Case, task: Task, attempt: Attempt, given: Given) -> Mapping[str, str]:
    """What else a verdict tells: the group, counted from 1; whether the model judges its own work."""
    made = case.provenance
    found: dict[str, str] = {}
    if task.group is not None:
        found["group"] = str(task.group + 1)
    if made is not None and (made.writer, made.model) == (attempt.writer, attempt.model):
        found["same_model"] = "yes"
    if given.sentences:
        found["sentences"] = ", ".join(map(str, given.sentences))
    return found


def _verified(case: Case, given: Given) -> tuple[CheckOutcome, str]:
    if not given.readable:
        return CheckOutcome.WARN, "verify_unreadable"
    if not case.answerable:
        return (CheckOutcome.FAIL, "verify_answered") if given.found else (CheckOutcome.PASS, "")
    if not given.found:
        return CheckOutcome.WARN, "verify_not_found"
    found = agree(case.ground_truth, given.answer, _asked(case))
    if found == "agrees":
        return CheckOutcome.PASS, ""
    return (CheckOutcome.FAIL, "verify_differs") if found == "differs" else (CheckOutcome.WARN, "verify_undecided")


def _closed_book(case: Case, given: Given) -> tuple[CheckOutcome, str]:
    return (CheckOutcome.WARN, "closed_book_right") if _right(case, given) else (CheckOutcome.PASS, "")


def _without_group(case: Case, given: Given) -> tuple[CheckOutcome, str]:
    return (CheckOutcome.WARN, "group_not_needed") if _right(case, given) else (CheckOutcome.PASS, "")


def _right(case: Case, given: Given) -> bool:
    return given.found and agree(case.ground_truth, given.answer, _asked(case)) == "agrees"


def _asked(case: Case) -> str:
    return " ".join(chain((turn.text for turn in case.conversation), (case.question,)))


_VERDICTS = {
    Purpose.VERIFY: _verified,
    Purpose.CLOSED_BOOK: _closed_book,
    Purpose.WITHOUT_GROUP: _without_group,
}
