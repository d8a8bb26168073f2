"""What is missing, and what it will take: counted from the store before anything is sent."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from builder.app.generate_job import Job
from builder.generate.audience import with_audiences
from builder.generate.material import Material
from builder.generate.plan import TURNS, Plan, estimated, plan
from builder.generate.plan_styles import plan_styles
from builder.generate.plan_types import UnitKey, key_of, plan_type, shares
from builder.generate.types import type_module
from builder.model.attempt import Attempt, AttemptState, Purpose, Task
from builder.model.case import Case, QuestionType, Source, Style
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex


def plan_items(job: Job, material: Material) -> Plan:
    """The calls for questions that are missing; what fell short too often is spent.

    Generated cases of any state count, rejected ones too.
    """
    cases = tuple(c for c in material.cases.values() if c.source is Source.GENERATED and c.style is Style.FORMAL)
    attempts = [a for a in job.store.attempts.list(job.dataset) if a.task.purpose is Purpose.ITEMS]
    planned = _typed(job, material, cases, attempts) if job.asked.types else _plain(job, cases, attempts)
    tasks = (task.replace(outline=job.asked.mode == "outline") for task in planned.calls)
    return replace(planned, calls=with_audiences(tuple(tasks), material.audiences, job.asked.seed))


def plan_restyling(job: Job, material: Material) -> tuple[Task, ...]:
    """The calls for questions in other words that are missing."""
    targets = style_targets(job)
    have = Counter(case.style for case in material.cases.values() if case.source is Source.GENERATED)
    turns = Counter(
        (a.task.case_id, a.task.style)
        for a in job.store.attempts.list(job.dataset)
        if a.task.style is not None and _answered(a, job)
    )
    return plan_styles(
        material.cases.values(),
        {style: target - have[style] for style, target in targets.items() if style is not Style.FORMAL},
        {(case_id, style): count for (case_id, style), count in turns.items() if style is not None},
        turns_allowed=_allowed(job, 1, turns.values()),
        seed=job.asked.seed,
    )


def style_targets(job: Job) -> dict[Style, int]:
    """Cases that the dataset shall have, by style; formal ones are the questions as they were asked for."""
    return shares(job.asked.cases, {Style.FORMAL: 1, **job.asked.styles})


def _plain(job: Job, cases: Sequence[Case], attempts: Sequence[Attempt]) -> Plan:
    by_chunk = _cases_by_chunk(cases, job.sending.allowed, attempts)
    short = Counter(i for a in attempts if _fell_short(a, job) and not a.task.question_type for i in a.task.chunk_ids)
    return plan(
        job.sending.allowed,
        per_chunk=job.asked.per_chunk,
        cases=style_targets(job)[Style.FORMAL],
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
    for name, target in type_targets(job).items():
        tasks += plan_type(
            name,
            type_module(name).units(material),
            target - have[name],
            turns,
            turns_allowed=_allowed(job, 1, turns.values()),
            seed=job.asked.seed,
        )
    return estimated(tasks, job.corpus.chunks, "cases")


def type_targets(job: Job) -> dict[QuestionType, int]:
    """Formal cases that the dataset shall have, by type."""
    return shares(style_targets(job)[Style.FORMAL], job.asked.types)


def _allowed(job: Job, usual: int, turns: Iterable[int]) -> int:
    """How often something may fall short before it is spent; --retry-failed gives everything one more turn."""
    return max(usual, max(turns, default=0) + 1) if job.asked.retry_failed else usual


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
