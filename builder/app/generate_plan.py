"""What is missing, and what it will take: counted from the store before anything is sent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from builder.app.generate_records import Asked, GenerationPlan
from builder.generate.plan import Plan, plan
from builder.generate.prompt import Prompts
from builder.generate.writer import Writer
from builder.model.attempt import Attempt, AttemptState
from builder.model.case import Case, Source
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.search import chunk_set_hash
from builder.settings import Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest


@dataclass(frozen=True, kw_only=True)
class Job:
    """Everything that one run works with."""

    workspace: Workspace
    store: Store
    asked: Asked
    writer: Writer
    prompts: Mapping[str, Prompts]
    """By language."""
    chunks: tuple[Chunk, ...]
    """Chunks that may be asked about and may be sent."""

    @property
    def dataset(self) -> str:
        """The dataset that the cases go to."""
        return self.asked.dataset or self.workspace.settings.dataset

    @cached_property
    def fingerprint(self) -> dict[str, str]:
        """What the cases of this run rest on."""
        settings = self.workspace.settings.generate
        shaping = {
            "per_chunk": self.asked.per_chunk,
            "window": self.asked.window,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
        }
        return {
            "corpus": chunk_set_hash([(chunk.chunk_id, chunk.text) for chunk in self.chunks]),
            "prompts": digest(*(self.prompts[language].prompt_hash for language in sorted(self.prompts)), length=16),
            "writer": self.writer.name,
            "model": self.writer.model,
            "settings": canonical(shaping),
        }


def plan_missing(job: Job) -> Plan:
    """The calls that are missing: generated cases of any state count, and a chunk whose reply fell short is spent."""
    cases = job.store.cases.list(job.dataset, sources=[Source.GENERATED])
    attempts = job.store.attempts.list(job.dataset)
    by_chunk = _cases_by_chunk(cases, job.chunks, attempts)
    return plan(
        job.chunks,
        per_chunk=job.asked.per_chunk,
        cases=job.asked.cases,
        limit=job.asked.limit,
        have={chunk_id: len(found) for chunk_id, found in by_chunk.items()},
        spent=frozenset(
            chunk_id for attempt in attempts if _fell_short(attempt, job) for chunk_id in attempt.chunk_ids
        ),
        total_have=len(cases),
        window=job.asked.window,
        seed=job.asked.seed,
        earlier={chunk_id: [case.question for case in found] for chunk_id, found in by_chunk.items()},
    )


def shown(job: Job, planned: Plan, held_back: Mapping[str, int]) -> GenerationPlan:
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
        held_back=dict(held_back),
        have=sum(n for (source, *_), n in job.store.cases.counts(job.dataset).items() if source == Source.GENERATED),
    )


def _fell_short(attempt: Attempt, job: Job) -> bool:
    """A finished reply of this writer and model that held fewer items than were asked for."""
    same = (attempt.writer, attempt.model) == (job.writer.name, job.writer.model)
    return same and attempt.state is AttemptState.DONE and attempt.kept < attempt.asked


def _cases_by_chunk(
    cases: Sequence[Case], chunks: Sequence[Chunk], attempts: Sequence[Attempt]
) -> Mapping[str, list[Case]]:
    """Cases by the chunk that they were written about."""
    index = ChunkIndex(chunks)
    shown_to = {attempt.request_hash: attempt.chunk_ids for attempt in attempts}
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
