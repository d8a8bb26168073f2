"""builder generate: chunks become numbered prompts, replies become cases."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from builder.app.batch import Collected, Sent, await_batches, collect, finish, free_files, send, write_requests
from builder.app.generate_job import Job, open_job
from builder.app.generate_plan import plan_items, plan_restyling
from builder.app.generate_records import Asked, GenerationPlan, GenerationReport, asked
from builder.app.generate_shown import shown_plan, shown_report
from builder.app.preview import Preview, preview
from builder.app.stages import budget_of, came_to_its_end, run_stages
from builder.errors import InputError
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import open_store

__all__ = [
    "Asked",
    "GenerationPlan",
    "GenerationReport",
    "asked",
    "collect_batch",
    "generate",
    "glance",
    "send_batch",
]

MANY_CALLS = 200
"""From here on somebody must say yes."""


class Talk(NamedTuple):
    """How a run speaks with the user."""

    announce: Callable[[GenerationPlan], None] = lambda plan: None
    """Is told the plan before anything is sent."""
    confirm: Callable[[GenerationPlan], bool] = lambda plan: False
    """Is asked where the plan is large."""


SILENT = Talk()


def generate(
    workspace: Workspace, wanted: Asked, progress: Progress, talk: Talk = SILENT, *, dry_run: bool = False
) -> GenerationReport:
    """Plan, ask where there is much to send, call, and store the cases.

    Raises:
        InputError: no writer, no chunks, a broken template, another run that is not finished, or no yes.
    """
    with open_store(workspace.store_url) as store:
        job = open_job(workspace, store, wanted)
        if wanted.retry_failed and not dry_run:
            free_files(store, job.dataset)
        before = {case.case_id for case in store.cases.list(job.dataset)}
        early = finish(workspace, store, job.dataset) if not dry_run else Collected()
        plan = _planned(job, talk)
        if dry_run or not (plan.calls or wanted.verify or early.kept):
            return GenerationReport(plan=plan)
        _allowed(job, plan, talk)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=False)
        done = run_stages(job, budget_of(job), progress)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=came_to_its_end(done.result))
        new = [case for case in store.cases.list(job.dataset) if case.case_id not in before]
    result = replace(done.result, reused=done.result.reused + early.read)
    counts = {"verified": done.verified, "unverified": done.unverified, "duplicates": done.duplicates}
    return shown_report(plan, result, new, **counts)


def glance(workspace: Workspace, wanted: Asked, progress: Progress, count: int) -> Preview:
    """Ask about `count` chunks and write nothing: the cases as a reviewer would see them, and the plan of the whole.

    Raises:
        InputError: as for generate.
    """
    with open_store(workspace.store_url) as store:
        job = open_job(workspace, store, wanted)
        return preview(job, count, budget_of(job), progress)


def send_batch(
    workspace: Workspace, wanted: Asked, progress: Progress, talk: Talk = SILENT, *, file: Path | None = None
) -> tuple[Sent, Collected | None]:
    """Send what is missing as a batch: to a file, or else to the server, whose results are then waited for.

    Raises:
        InputError: as for generate; or the file is there already.
        OutsideError: the server refuses, or is not there; the same command goes on.
    """
    with open_store(workspace.store_url) as store:
        job = open_job(workspace, store, wanted)
        if wanted.retry_failed:
            free_files(store, job.dataset)
        plan = _planned(job, talk)
        _allowed(job, plan, talk)
        material = job.material()
        tasks = plan_items(job, material).calls or plan_restyling(job, material)
        if file is not None:
            return write_requests(job, tasks, file), None
        return send(job, tasks), await_batches(job, progress)


def collect_batch(workspace: Workspace, file: Path, dataset: str | None) -> Collected:
    """Make cases of the results in a file.

    Raises:
        InputError: no such file, or it holds no result of this dataset.
    """
    with open_store(workspace.store_url) as store:
        return collect(workspace, store, file, dataset or workspace.settings.dataset)


def _planned(job: Job, talk: Talk) -> GenerationPlan:
    material = job.material()
    plan = shown_plan(job, material, plan_items(job, material), plan_restyling(job, material))
    talk.announce(plan)
    return plan


def _allowed(job: Job, plan: GenerationPlan, talk: Talk) -> None:
    """A run that did not come to its end is gone on with only where it rested on the same things; much needs a yes."""
    unfinished = job.store.attempts.fingerprint(job.dataset)
    if unfinished is not None and job.asked.resume == "if-same":
        differs = sorted(name for name, value in job.fingerprint.items() if unfinished.get(name) != value)
        if differs:
            raise InputError("resume_differs", differs=", ".join(differs))
    if plan.calls > MANY_CALLS and not talk.confirm(plan):
        raise InputError("not_confirmed", calls=plan.calls, tokens=plan.prompt_tokens + plan.completion_tokens)
