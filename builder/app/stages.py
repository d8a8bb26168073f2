"""The stages of a generate run: questions, the accepted ones in other words, verification, duplicates."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from builder.app.checking import note_duplicates
from builder.app.generate_job import Job
from builder.app.generate_plan import plan_items, plan_restyling
from builder.app.journal import StoreJournal
from builder.app.verifying import answers_with, verification, verify_missing
from builder.generate.material import Material
from builder.generate.run import RunResult, run
from builder.generate.tasks import call_of, outcome_of
from builder.generate.writer import Writer, open_writer
from builder.llm.budget import Budget, read_prices
from builder.llm.journal import Journal
from builder.model.attempt import Task
from builder.progress import Progress

Missing = Callable[[Job, Material], Sequence[Task]]
"""The tasks of a stage that are missing now. What was answered is never missing again: a stage comes to its end."""


class Done(NamedTuple):
    """What the stages did."""

    result: RunResult
    verified: int = 0
    """Calls that verified a case."""
    unverified: int = 0
    """Cases that may not be sent to who verifies."""
    duplicates: int = 0
    """Cases whose verdict on duplicates changed."""


def run_stages(job: Job, budget: Budget, progress: Progress) -> Done:
    """All stages, each until nothing is missing; one that does not come to its end ends the run."""
    result = RunResult()
    for missing in (_items, plan_restyling):
        result = _to_target(job, missing, job.writer, result, budget, progress)
        if not came_to_its_end(result):
            return Done(result, duplicates=note_duplicates(job.store, job.dataset))
    duplicates = note_duplicates(job.store, job.dataset)
    answering = answers_with(job) if job.asked.verify else None
    if answering is None:
        return Done(result, duplicates=duplicates)
    written = result.calls + result.reused
    result = _to_target(job, verify_missing, open_writer(*answering), result, budget, progress)
    verified = result.calls + result.reused - written
    return Done(result, verified, verification(job, job.material()).held_back, duplicates)


def budget_of(job: Job) -> Budget:
    """What the run may spend.

    Raises:
        InputError: a price that is none, or cost is limited and the model has no price.
    """
    if job.writer.name == "extractive":
        return Budget(calls=job.asked.max_calls)  # nothing is sent, nothing costs
    budget = Budget(
        tokens=job.asked.budget_tokens,
        cost=job.asked.budget_cost,
        calls=job.asked.max_calls,
        prices=read_prices(job.workspace.settings.generate.prices),
    )
    answering = answers_with(job) if job.asked.verify else None
    budget.check([job.writer.model, *([answering[1].model] if answering else [])])
    return budget


def came_to_its_end(result: RunResult) -> bool:
    """Every call was answered."""
    return not (result.failed or result.not_started or result.skipped_claimed or result.stopped)


def _items(job: Job, material: Material) -> Sequence[Task]:
    return plan_items(job, material).calls


def _to_target(
    job: Job, missing: Missing, writer: Writer, result: RunResult, budget: Budget, progress: Progress
) -> RunResult:
    """Make the calls of one stage, then those for what fell short: the same once more, then others."""
    material = job.material()
    while tasks := missing(job, material):
        result += make_calls(job, material, tasks, writer, StoreJournal(job.store, job.dataset), budget, progress)
        if not came_to_its_end(result):
            break
        material = job.material()
    return result


def make_calls(
    job: Job,
    material: Material,
    tasks: Sequence[Task],
    writer: Writer,
    journal: Journal,
    budget: Budget,
    progress: Progress,
) -> RunResult:
    """Make the calls of `tasks` and let `journal` keep what they bring."""
    progress.begin("generate", len(tasks))
    try:
        return asyncio.run(
            run(
                (call_of(task, material) for task in tasks),
                writer,
                journal,
                partial(outcome_of, material=material),
                dataset=job.dataset,
                concurrency=job.concurrency,
                progress=progress,
                budget=budget,
            )
        )
    finally:
        progress.end()
