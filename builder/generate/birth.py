"""Cases out of one reply. What is dropped is counted by reason."""

from collections import Counter
from collections.abc import Mapping, Sequence

from builder.checks import CHECKS, CheckContext, run_checks
from builder.generate.claims import propose
from builder.generate.enrich import enrich
from builder.generate.evidence import ground
from builder.generate.items import Dropped, Item, read_item
from builder.generate.material import Material
from builder.generate.tasks import Call, Outcome
from builder.generate.types import type_module
from builder.llm.reply import read_items
from builder.model.access import UserContext
from builder.model.attempt import Attempt, Reply, Task
from builder.model.case import Case, Provenance, QuestionType, ReviewState, Source
from builder.model.chunk import Chunk
from builder.text.fold import folded
from builder.text.ids import generated_case_id

AT_BIRTH = tuple(name for name in CHECKS if name not in ("duplicate",))
"""Checks that a case passes through at birth; those that look at the other cases of the dataset come after the run, so
that their verdicts do not depend on the order in which replies come in."""


def outcome(call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
    """The cases of one reply, unreviewed: the same reply always gives the same cases.

    Reasons of drops are those of items.Dropped, those of the type, and `unreadable` (no item in the reply), `empty`
    (the writer found nothing to ask), `cut` (the item in which it broke off), `repeated`, `surplus`.
    """
    read = read_items(reply.text, finished=reply.finish_reason == "stop")
    drops: Counter[str] = Counter()
    if read.cut:
        drops["cut"] += 1
    elif read.note in ("unreadable", "empty"):
        drops[read.note] += 1
    language = call.chunks[0].language if call.chunks else "en"
    sent = range(1, len(call.chunks) + 1)
    items = [read_item(value, sent, language) for value in read.items]
    share = (reply.prompt_tokens + reply.completion_tokens) // max(1, len(items))
    known = {folded(question) for question in call.task.earlier}
    kept: dict[str, tuple[Case, str]] = {}
    for position, item in enumerate(items):
        reason = _refusal(item, kept, known, call.task)
        if isinstance(item, Dropped) or reason:
            drops[reason] += 1
            continue
        kept[_key(item, call.task)] = _case(item, position, share, call, attempt)
    cases = _accepted([case for case, _ in kept.values()], call, material, drops)
    how = {case.case_id: found for case, found in kept.values() if case.answerable}
    return Outcome(
        cases=tuple(finished(case, how.get(case.case_id), call, material) for case in cases), drops=dict(drops)
    )


def _refusal(item: Item | Dropped, kept: Mapping[str, object], known: set[str], task: Task) -> str:
    """Why an item is not kept; empty where it is."""
    if isinstance(item, Dropped):
        return item.reason
    if _key(item, task) in kept or folded(item.question) in known:
        return "repeated"
    return "surplus" if len(kept) >= task.asked else ""


def _key(item: Item, task: Task) -> str:
    """What may come once in a reply: a question; where two passages conflict, a question about each of them."""
    about = f"\0{item.numbers}" if task.question_type is QuestionType.CONFLICT else ""
    return folded(item.question) + about


def _case(item: Item, position: int, tokens: int, call: Call, attempt: Attempt) -> tuple[Case, str]:
    """A case, and how its evidence was found."""
    grounding = ground(item, {p.number: p for p in call.request.passages}, dict(enumerate(call.chunks, 1)))
    named = [call.chunks[number - 1] for number in item.numbers]
    valid_to = min((c.metadata.valid_to for c in named if c.metadata.valid_to), default=None)
    case = Case(
        case_id=generated_case_id(attempt.dataset, attempt.request_hash, position),
        dataset=attempt.dataset,
        question=item.question,
        user_context=_reader(named),
        as_of=valid_to,  # of what is out of date, one asks as of then
        answerable=item.answerable,
        ground_truth=item.answer,
        claims=propose(item.answer, item.claims),
        evidence_groups=grounding.groups,
        source=Source.GENERATED,
        question_type=call.task.question_type or _type(item),
        audience=call.task.audience,
        review_state=ReviewState.UNREVIEWED,
        valid_from=max((c.metadata.valid_from for c in named if c.metadata.valid_from), default=None),
        valid_to=valid_to,
        provenance=Provenance(
            writer=attempt.writer,
            model=attempt.model,
            prompt_hash=attempt.prompt_hash,
            request_hash=attempt.request_hash,
            position=position,
            tokens=tokens,
        ),
    )
    return case, grounding.found


def _type(item: Item) -> QuestionType:
    if not item.answerable:
        return QuestionType.UNANSWERABLE
    return QuestionType.MULTI_HOP if len(item.numbers) > 1 else QuestionType.SINGLE_FACT


def _reader(chunks: Sequence[Chunk]) -> UserContext:
    """Somebody who may read the chunks: without tenant and role a permission test cannot be repeated."""
    for chunk in chunks:
        access = chunk.metadata
        if access.restricted:
            return UserContext(
                tenant=access.tenant, department=access.department, region=access.region, roles=access.roles[:1]
            )
    return UserContext()


def _accepted(cases: Sequence[Case], call: Call, material: Material, drops: Counter[str]) -> Sequence[Case]:
    """The cases that the type of the task takes; without a type all of them."""
    if call.task.question_type is None:
        return cases
    taken = type_module(call.task.question_type).accept(cases, call, material)
    drops.update(taken.drops)
    return taken.cases


def finished(case: Case, found: str | None, call: Call, material: Material) -> Case:
    """The case with what can be derived for it, and with the verdicts of the checks."""
    context = CheckContext(
        chunks=material.corpus.index, found=found, sent=call.chunks, corpus=material.corpus, others=None
    )
    whole = enrich(case, context, material.risks)
    return whole.replace(checks=run_checks(whole, context, AT_BIRTH))
