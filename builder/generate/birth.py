"""Cases out of one reply. What is dropped is counted by reason."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from builder.checks import CheckContext, run_checks
from builder.generate.claims import propose
from builder.generate.evidence import Grounding, ground
from builder.generate.items import Dropped, Item, read_item
from builder.generate.writer import Request
from builder.llm.reply import read_items
from builder.model.access import UserContext
from builder.model.attempt import Attempt, Reply
from builder.model.case import Case, Provenance, QuestionType, ReviewState, Source
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.text.fold import folded
from builder.text.ids import generated_case_id

CHECKS = ("quote",)
"""Checks that every case passes through at birth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request and the chunks that it shows."""

    request: Request
    """What is sent."""
    chunks: tuple[Chunk, ...]
    """Chunks in the order of their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Born:
    """What a reply became."""

    cases: tuple[Case, ...]
    """New cases, unreviewed."""
    drops: Mapping[str, int]
    """What was dropped, by reason: those of items.Dropped, and `unreadable` (no item in the reply), `empty` (the writer
    found nothing to ask), `cut` (the item in which it broke off), `repeated`, `surplus`."""


def cases_of(call: Call, attempt: Attempt, reply: Reply) -> Born:
    """The cases of one reply: the same reply always gives the same cases."""
    read = read_items(reply.text, finished=reply.finish_reason == "stop")
    drops: Counter[str] = Counter()
    if read.note in ("unreadable", "empty"):
        drops[read.note] += 1
    elif read.cut:
        drops["cut"] += 1
    language = call.chunks[0].language if call.chunks else "en"
    sent = range(1, len(call.chunks) + 1)
    items = [read_item(value, sent, language) for value in read.items]
    share = (reply.prompt_tokens + reply.completion_tokens) // max(1, len(items))
    kept: dict[str, Case] = {}
    for position, item in enumerate(items):
        reason = _refusal(item, kept, call.request.asked)
        if isinstance(item, Dropped) or reason:
            drops[reason] += 1
            continue
        kept[folded(item.question)] = _case(item, position, share, call, attempt)
    return Born(cases=tuple(kept.values()), drops=dict(drops))


def _refusal(item: Item | Dropped, kept: Mapping[str, Case], asked: int) -> str:
    """Why an item is not kept; empty where it is."""
    if isinstance(item, Dropped):
        return item.reason
    if folded(item.question) in kept:
        return "repeated"
    return "surplus" if len(kept) >= asked else ""


def _case(item: Item, position: int, tokens: int, call: Call, attempt: Attempt) -> Case:
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
        question_type=_type(item),
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
    return _checked(case, call.chunks, grounding)


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


def _checked(case: Case, chunks: Iterable[Chunk], grounding: Grounding) -> Case:
    context = CheckContext(chunks=ChunkIndex(chunks), found=grounding.how)
    return case.replace(checks=run_checks(case, context, CHECKS))
