"""Which cases still want a second opinion, who gives it, and what may not be sent there."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from builder.app.generate_job import Job
from builder.generate.material import Material
from builder.generate.sending import sendable
from builder.generate.verifying import PURPOSES, tasks_for
from builder.generate.writer import WriterOptions
from builder.llm.endpoint import endpoint
from builder.model.attempt import Attempt, Purpose, Task
from builder.model.case import Case, ReviewState, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What is missing."""

    tasks: tuple[Task, ...]
    """Calls to be made, case by case."""
    held_back: int = 0
    """Cases that are not verified, since what they rest on may not be sent there."""


def answers_with(job: Job) -> tuple[str, WriterOptions] | None:
    """Who answers, for `open_writer`: the model named for it, else the one that writes.

    None: nobody can, since the extractive writer answers no question.

    Raises:
        InputError: no endpoint for the model.
    """
    settings = job.workspace.settings.generate
    model = job.asked.verify_model or settings.verify_model
    if model is None:
        return None if job.writer.name == "extractive" else (job.writer.name, job.options)
    if model.endswith(".gguf"):
        return "local", replace(job.options, endpoint=None, model=model)
    return "openai", replace(job.options, endpoint=endpoint(os.environ, model, settings.timeout), model=model)


def verify_missing(job: Job, material: Material) -> tuple[Task, ...]:
    """Calls for all unreviewed generated cases that lack a current verdict; none once all have theirs."""
    return verification(job, material).tasks


def verification(job: Job, material: Material, purposes: tuple[Purpose, ...] = PURPOSES) -> Verification:
    """Calls that are missing, and cases held back from who answers.

    A verdict is current where question, answer and evidence are as they were, whichever model gave it.
    """
    answering = answers_with(job)
    if answering is None:
        return Verification(tasks=())
    allowed = _allowed(job, answering[1])
    attempts = {attempt.request_hash: attempt for attempt in job.store.attempts.list(job.dataset)}
    tasks: list[Task] = []
    held_back = 0
    for case in filter(_waits, material.cases.values()):
        wanted = [task for task in tasks_for(case, material) if task.purpose in purposes and not _told(case, task)]
        if wanted and allowed is not None and not _may_go(case, wanted, material, attempts, allowed):
            held_back += 1
        else:
            tasks += wanted
    return Verification(tasks=tuple(tasks), held_back=held_back)


def _waits(case: Case) -> bool:
    return case.source is Source.GENERATED and case.review_state is ReviewState.UNREVIEWED and case.enabled


def _told(case: Case, task: Task) -> bool:
    """The case has the verdict that the task would give."""
    group = "" if task.group is None else str(task.group + 1)
    return any(
        (check.name, check.values.get("group", "")) == (task.purpose.value, group)
        and check.values.get("of") == task.facts["of"]
        for check in case.checks
    )


def _allowed(job: Job, options: WriterOptions) -> frozenset[str] | None:
    """Ids of the chunks that may be sent to who answers; none where all may."""
    host = options.endpoint.host if options.endpoint else None
    found = sendable(job.corpus.chunks, host, job.workspace.settings.send)
    return frozenset(chunk.chunk_id for chunk in found.allowed) if found.held_back else None


def _may_go(
    case: Case, tasks: list[Task], material: Material, attempts: Mapping[str, Attempt], allowed: frozenset[str]
) -> bool:
    """Whether question and passages may be sent: a question holds what the passages say that it was made from."""
    made_from = set(_made_from(case, material, attempts))
    shown = {chunk_id for task in tasks for chunk_id in task.chunk_ids}
    rests_on = [material.corpus.index.chunk_of(evidence) for evidence in case.evidence]
    known = {chunk.chunk_id for chunk in rests_on if chunk} | made_from
    return bool(known) and all(rests_on) and known | shown <= allowed


def _made_from(case: Case, material: Material, attempts: Mapping[str, Attempt]) -> Iterator[str]:
    """Chunks that were shown when the question was written; of a reworded question, when the first one was."""
    seen: set[str] = set()
    at: Case | None = case
    while at is not None and at.case_id not in seen:
        seen.add(at.case_id)
        attempt = attempts.get(at.provenance.request_hash) if at.provenance else None
        yield from attempt.task.chunk_ids if attempt else ()
        at = material.cases.get(attempt.task.case_id) if attempt else None
