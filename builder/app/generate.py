"""builder generate: chunks become numbered prompts, replies become cases."""

import asyncio
import os
from collections.abc import Callable, Iterator

from builder import shipped
from builder.app.generate_plan import Job, plan_missing, shown
from builder.app.generate_records import Asked, GenerationPlan, GenerationReport, asked
from builder.app.journal import StoreJournal
from builder.errors import InputError
from builder.generate.birth import Call
from builder.generate.plan import Plan
from builder.generate.prompt import Prompts, load_prompts, numbered
from builder.generate.run import RunResult, attempt_for, run
from builder.generate.sending import sendable
from builder.generate.writer import Request, WriterOptions, open_writer
from builder.llm.endpoint import endpoint
from builder.model.chunk import Chunk
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import Store, open_store

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
    name, options = _writer(workspace, wanted)
    with open_store(workspace.store_url) as store:
        sending = sendable(
            _chunks(store, wanted), options.endpoint.host if options.endpoint else None, workspace.settings.send
        )
        job = Job(
            workspace=workspace,
            store=store,
            asked=wanted,
            writer=open_writer(name, options),
            prompts=_prompts(workspace),
            chunks=sending.allowed,
        )
        planned = plan_missing(job)
        plan = shown(job, planned, sending.held_back)
        announce(plan)
        if dry_run or not planned.calls:
            return GenerationReport(plan=plan)
        _refuse_another_run(job)
        if len(planned.calls) > MANY_CALLS and not confirm(plan):
            raise InputError("not_confirmed", calls=plan.calls, tokens=plan.prompt_tokens + plan.completion_tokens)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=False)
        result = _run_to_target(job, planned, progress)
        store.attempts.set_run(job.dataset, job.fingerprint, finished=_came_to_its_end(result))
    return _report(plan, result)


def _writer(workspace: Workspace, wanted: Asked) -> tuple[str, WriterOptions]:
    settings = workspace.settings.generate
    model = wanted.model or settings.model
    name = wanted.writer or settings.writer or _writer_of(model)
    if name is None:
        raise InputError("no_writer_chosen")
    where = endpoint(os.environ, model, settings.timeout) if name == "openai" else None
    return name, WriterOptions(endpoint=where, model=model or "", timeout=float(settings.timeout))


def _writer_of(model: str | None) -> str | None:
    """A .gguf file is read here; any other model name needs an endpoint. There is no silent default."""
    if model and model.endswith(".gguf"):
        return "local"
    known = os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")
    return "openai" if model and known else None


def _chunks(store: Store, wanted: Asked) -> tuple[Chunk, ...]:
    chunks = store.documents.chunks()
    if not chunks:
        raise InputError("no_chunks")
    found = tuple(chunk for chunk in chunks if not wanted.docs or chunk.doc_id.startswith(wanted.docs))
    if not found:
        raise InputError("no_such_docs", docs=", ".join(wanted.docs))
    return found


def _prompts(workspace: Workspace) -> dict[str, Prompts]:
    own = workspace.prompts if workspace.prompts.is_dir() else None
    return {language: load_prompts(language, shipped.folder("prompts"), own) for language in ("zh", "en")}


def _refuse_another_run(job: Job) -> None:
    """A run that did not come to its end is gone on with only where it rested on the same things."""
    unfinished = job.store.attempts.fingerprint(job.dataset)
    if unfinished is None or job.asked.resume != "if-same":
        return
    if differs := sorted(name for name, value in job.fingerprint.items() if unfinished.get(name) != value):
        raise InputError("resume_differs", differs=", ".join(differs))


def _came_to_its_end(result: RunResult) -> bool:
    return not (result.failed or result.not_started or result.skipped_claimed)


def _run_to_target(job: Job, planned: Plan, progress: Progress) -> RunResult:
    """Make the planned calls, then those for what fell short, from chunks that were not asked yet."""
    result = RunResult()
    while planned.calls:
        result += _run(job, planned, progress)
        if not _came_to_its_end(result):
            break
        planned = plan_missing(job)
    return result


def _run(job: Job, planned: Plan, progress: Progress) -> RunResult:
    progress.begin("generate", len(planned.calls))
    try:
        return asyncio.run(
            run(
                _calls(job, planned),
                job.writer,
                StoreJournal(job.store, job.dataset),
                lambda call: attempt_for(
                    call, job.writer, dataset=job.dataset, prompt_hash=job.prompts[call.chunks[0].language].prompt_hash
                ),
                concurrency=job.asked.concurrency or job.workspace.settings.generate.concurrency,
                progress=progress,
            )
        )
    finally:
        progress.end()


def _calls(job: Job, planned: Plan) -> Iterator[Call]:
    by_id = {chunk.chunk_id: chunk for chunk in job.chunks}
    settings = job.workspace.settings.generate
    for call in planned.calls:
        chunks = tuple(by_id[chunk_id] for chunk_id in call.chunk_ids)
        passages = numbered(chunks)
        request = Request(
            messages=job.prompts[chunks[0].language].messages(passages, call.asked, call.earlier),
            passages=passages,
            asked=call.asked,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
            earlier=call.earlier,
        )
        yield Call(request=request, chunks=chunks)


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
