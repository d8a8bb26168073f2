"""builder generate: chunks become numbered prompts, replies become cases."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from builder.app.generate_job import Job, open_job
from builder.app.generate_plan import plan_missing, shown
from builder.app.generate_records import Asked, GenerationPlan, GenerationReport, asked
from builder.app.journal import StoreJournal
from builder.errors import InputError
from builder.generate.material import Material
from builder.generate.plan import Plan
from builder.generate.run import RunResult, run
from builder.generate.tasks import call_of, outcome_of
from builder.model.attempt import Task
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import open_store

__all__ = ["Asked", "GenerationPlan", "GenerationReport", "asked", "generate"]

MANY_CALLS = 200
"""From here on somebody must say yes."""


def generate(
    workspace: Workspace,
    wanted: Asked,
    progress: Progress,
    *,
    confirm: Callable[[GenerationPlan], bool] = lambda plan: False,
    announce: Callable[[GenerationPlan], None] = lambda plan: None,
    dry_run: bool = False,
) -> GenerationReport:
    """Plan, ask where there is much to send, call, and store the cases.

    `announce` is told the plan before anything is sent; `confirm` is asked where it is large.

    Raises:
        InputError: no writer, no chunks, a broken template, another run that is not finished, or no yes.
    """
    with open_store(workspace.store_url) as store:
        job = open_job(workspace, store, wanted)
        material = job.material()
        planned = plan_missing(job, material)
        plan = shown(job, planned)
        announce(plan)
        if dry_run or not planned.calls:
            return GenerationReport(plan=plan)
        _refuse_another_run(job)
        if len(planned.calls) > MANY_CALLS and not confirm(plan):
            raise InputError("not_confirmed", calls=plan.calls, tokens=plan.prompt_tokens + plan.completion_tokens)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=False)
        result = _run_to_target(job, material, planned, progress)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=_came_to_its_end(result))
    return _report(plan, result)


def _refuse_another_run(job: Job) -> None:
    """A run that did not come to its end is gone on with only where it rested on the same things."""
    unfinished = job.store.attempts.fingerprint(job.dataset)
    if unfinished is None or job.asked.resume != "if-same":
        return
    if differs := sorted(name for name, value in job.fingerprint.items() if unfinished.get(name) != value):
        raise InputError("resume_differs", differs=", ".join(differs))


def _came_to_its_end(result: RunResult) -> bool:
    return not (result.failed or result.not_started or result.skipped_claimed)


def _run_to_target(job: Job, material: Material, planned: Plan, progress: Progress) -> RunResult:
    """Make the planned calls, then those for what fell short: the same chunks once more, then others."""
    result = RunResult()
    while planned.calls:
        result += _run(job, material, planned.calls, progress)
        if not _came_to_its_end(result):
            break
        material = job.material()
        planned = plan_missing(job, material)
    return result


def _run(job: Job, material: Material, tasks: Sequence[Task], progress: Progress) -> RunResult:
    progress.begin("generate", len(tasks))
    try:
        return asyncio.run(
            run(
                (call_of(task, material) for task in tasks),
                job.writer,
                StoreJournal(job.store, job.dataset),
                partial(outcome_of, material=material),
                dataset=job.dataset,
                concurrency=job.asked.concurrency or job.workspace.settings.generate.concurrency,
                progress=progress,
            )
        )
    finally:
        progress.end()


def _report(plan: GenerationPlan, result: RunResult) -> GenerationReport:
    return GenerationReport(
        plan=plan,
        kept=result.kept,
        dropped=dict(result.dropped),
        failed={reason: (failed.count, failed.detail) for reason, failed in result.failed.items()},
        calls=result.calls,
        reused=result.reused,
        skipped_claimed=result.skipped_claimed,
        not_started=result.not_started,
        prompt_tokens=result.prompt_tokens,
        completion_tokens=result.completion_tokens,
        stopped=result.stopped,
    )
