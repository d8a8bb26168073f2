"""A generate run as it is told to the user: the plan before, the report after."""

from collections import Counter
from collections.abc import Iterable, Sequence

from builder.app.generate_job import Job
from builder.app.generate_plan import style_targets, type_targets
from builder.app.generate_records import GenerationPlan, GenerationReport, KeptRow, PlanRow
from builder.generate.material import Material
from builder.generate.plan import Plan
from builder.generate.run import RunResult
from builder.llm.budget import read_prices
from builder.model.attempt import Task
from builder.model.case import Case, CheckOutcome, Source, Style


def shown_plan(job: Job, material: Material, planned: Plan, restyling: Sequence[Task]) -> GenerationPlan:
    """The plan as it is told to the user."""
    generated = [case for case in material.cases.values() if case.source is Source.GENERATED]
    return GenerationPlan(
        writer=job.writer.name,
        model=job.writer.model,
        calls=len(planned.calls) + len(restyling),
        items=planned.asked + len(restyling),
        chunks=len({chunk_id for call in planned.calls for chunk_id in call.chunk_ids}),
        bound_by=planned.bound_by,
        prompt_tokens=planned.prompt_tokens,
        completion_tokens=planned.completion_tokens,
        cost=_cost(job, planned),
        review_seconds=planned.review_seconds,
        held_back=dict(job.sending.held_back),
        have=len(generated),
        rows=(*_type_rows(job, generated, planned.calls), *_style_rows(job, generated, restyling)),
    )


def _type_rows(job: Job, cases: Iterable[Case], tasks: Iterable[Task]) -> Iterable[PlanRow]:
    if not job.asked.types:
        return
    have = Counter(case.question_type for case in cases if case.style is Style.FORMAL)
    calls = Counter(task.question_type for task in tasks)
    items = Counter(task.question_type for task in tasks for _ in range(task.asked))
    for name, target in type_targets(job).items():
        yield PlanRow(name=name, have=have[name], target=target, calls=calls[name], items=items[name])


def _style_rows(job: Job, cases: Iterable[Case], tasks: Iterable[Task]) -> Iterable[PlanRow]:
    have = Counter(case.style for case in cases)
    calls = Counter(task.style for task in tasks)
    for name, target in style_targets(job).items():
        if name is not Style.FORMAL:
            yield PlanRow(name=name, have=have[name], target=target, calls=calls[name], items=calls[name])


def shown_report(plan: GenerationPlan, result: RunResult, new: Sequence[Case], **counts: int) -> GenerationReport:
    """The report as it is told to the user; `new` are the cases that the run made, `counts` further fields."""
    return GenerationReport(
        plan=plan,
        kept=len(new),
        rows=_kept_rows(new),
        **counts,
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


def _kept_rows(cases: Iterable[Case]) -> tuple[KeptRow, ...]:
    kept: Counter[tuple[str, str]] = Counter()
    warned: Counter[tuple[str, str]] = Counter()
    for case in cases:
        key = (case.question_type, case.style)
        kept[key] += 1
        warned[key] += any(check.outcome is not CheckOutcome.PASS for check in case.checks)
    return tuple(
        KeptRow(question_type=name, style=style, kept=count, warned=warned[name, style])
        for (name, style), count in sorted(kept.items())
    )


def _cost(job: Job, planned: Plan) -> str | None:
    price = read_prices(job.workspace.settings.generate.prices).get(job.writer.model)
    return f"{price.cost(planned.prompt_tokens, planned.completion_tokens):.4f}" if price else None
