"""What is missing, and what it will take: counted from the store before anything is sent."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from builder.app.generate_job import Job
from builder.app.generate_records import GenerationPlan
from builder.generate.material import Material
from builder.generate.plan import TURNS, Plan, estimated, plan
from builder.generate.plan_types import UnitKey, key_of, plan_type, shares
from builder.generate.types import type_module
from builder.model.attempt import Attempt, AttemptState, Purpose, Task
from builder.model.case import Case, Source
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex


def plan_missing(job: Job, material: Material) -> Plan:
    """The calls that are missing: generated cases of any state count, and what fell short too often is spent."""
    cases = tuple(case for case in material.cases.values() if case.source is Source.GENERATED)
    attempts = [a for a in job.store.attempts.list(job.dataset) if a.task.purpose is Purpose.ITEMS]
    if job.asked.types:
        return _typed(job, material, cases, attempts)
    return _plain(job, cases, attempts)


def _plain(job: Job, cases: Sequence[Case], attempts: Sequence[Attempt]) -> Plan:
    by_chunk = _cases_by_chunk(cases, job.sending.allowed, attempts)
    short = Counter(i for a in attempts if _fell_short(a, job) and not a.task.question_type for i in a.task.chunk_ids)
    return plan(
        job.sending.allowed,
        per_chunk=job.asked.per_chunk,
        cases=job.asked.cases,
        limit=job.asked.limit,
        have={chunk_id: len(found) for chunk_id, found in by_chunk.items()},
        turns=short,
        turns_allowed=_allowed(job, TURNS, short.values()),
        total_have=len(cases),
        window=job.asked.window,
        seed=job.asked.seed,
        earlier={chunk_id: [case.question for case in found] for chunk_id, found in by_chunk.items()},
    )


def _typed(job: Job, material: Material, cases: Sequence[Case], attempts: Sequence[Attempt]) -> Plan:
    have = Counter(case.question_type for case in cases)
    turns: Counter[UnitKey] = Counter(key_of(a.task) for a in attempts if _answered(a, job))
    tasks: list[Task] = []
    for name, target in shares(job.asked.cases, job.asked.types).items():
        tasks += plan_type(
            name,
            type_module(name).units(material),
            target - have[name],
            turns,
            turns_allowed=_allowed(job, 1, turns.values()),
            seed=job.asked.seed,
        )
    return estimated(tasks, job.corpus.chunks, "cases")


def _allowed(job: Job, usual: int, turns: Iterable[int]) -> int:
    """How often something may fall short before it is spent; --retry-failed gives everything one more turn."""
    return max(usual, max(turns, default=0) + 1) if job.asked.retry_failed else usual


def shown(job: Job, planned: Plan) -> GenerationPlan:
    """The plan as it is told to the user."""
    return GenerationPlan(
        writer=job.writer.name,
        model=job.writer.model,
        calls=len(planned.calls),
        items=planned.asked,
        chunks=len({chunk_id for call in planned.calls for chunk_id in call.chunk_ids}),
        bound_by=planned.bound_by,
        prompt_tokens=planned.prompt_tokens,
        completion_tokens=planned.completion_tokens,
        cost=_cost(job, planned),
        review_seconds=planned.review_seconds,
        held_back=dict(job.sending.held_back),
        have=sum(n for (source, *_), n in job.store.cases.counts(job.dataset).items() if source == Source.GENERATED),
    )


def _answered(attempt: Attempt, job: Job) -> bool:
    """A finished reply of this writer and model."""
    same = (attempt.writer, attempt.model) == (job.writer.name, job.writer.model)
    return same and attempt.state is AttemptState.DONE


def _fell_short(attempt: Attempt, job: Job) -> bool:
    """A finished reply of this writer and model that held fewer items than were asked for."""
    return _answered(attempt, job) and attempt.kept < attempt.task.asked


def _cases_by_chunk(
    cases: Sequence[Case], chunks: Sequence[Chunk], attempts: Sequence[Attempt]
) -> Mapping[str, list[Case]]:
    """Cases by the chunk that they were written about."""
    index = ChunkIndex(chunks)
    shown_to = {attempt.request_hash: attempt.task.chunk_ids for attempt in attempts}
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        ids = shown_to.get(case.provenance.request_hash, ()) if case.provenance else ()
        if len(ids) != 1:  # a call about several chunks: the evidence says which
            ids = index.reference_chunk_ids(case) or ids
        if ids:
            found[ids[0]].append(case)
    return found


def _cost(job: Job, planned: Plan) -> str | None:
    prices, model = job.workspace.settings.generate.prices, job.writer.model
    if f"{model}.input" not in prices or f"{model}.output" not in prices:
        return None
    total = Decimal(prices[f"{model}.input"]) * planned.prompt_tokens
    total += Decimal(prices[f"{model}.output"]) * planned.completion_tokens
    return f"{total / 1_000_000:.4f}"
