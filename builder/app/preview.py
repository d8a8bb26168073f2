"""generate --preview: a few chunks, all checks, nothing written to the dataset."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.app.generate_job import Job
from builder.app.generate_plan import plan_items
from builder.app.generate_records import GenerationPlan, GenerationReport
from builder.app.generate_shown import shown_plan, shown_report
from builder.app.journal import StoreJournal
from builder.app.searching import Passages
from builder.app.stages import make_calls
from builder.curate.states import missing
from builder.generate.plan import in_turns
from builder.llm.budget import Budget
from builder.model.attempt import Attempt, Task
from builder.model.case import Case, CheckResult, QuestionType
from builder.progress import Progress
from builder.review.desk import Item
from builder.review.plain import plain
from builder.words import Words


class Glance(StoreJournal):
    """Keeps the replies, which are paid for, and holds the cases back: a later run makes them without a new call."""

    cases: tuple[Case, ...] = ()

    def finish(
        self, attempt: Attempt, cases: Sequence[Case], verdicts: Sequence[CheckResult], drops: Mapping[str, int]
    ) -> int:
        """Remember the cases for as long as this journal lives."""
        self.cases += tuple(cases)
        return len(cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a preview found."""

    items: tuple[Item, ...]
    """The cases with their passages."""
    report: GenerationReport
    """What was done, with the plan of the whole."""

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases."""
        return tuple(item.case for item in self.items)

    def lines(self, say: Words, width: int) -> Iterator[str]:
        """The cases as review shows them."""
        for item in self.items:
            yield from (*plain(item, say, width), "")


def preview(job: Job, count: int, budget: Budget, progress: Progress) -> Preview:
    """Ask about `count` chunks spread over the corpus and write nothing to the dataset."""
    material = job.material()
    planned = plan_items(job, material)
    journal = Glance(job.store, job.dataset)
    tasks = _spread(planned.calls, count)
    result = make_calls(job, material, tasks, job.writer, journal, budget, progress)
    rest: GenerationPlan = shown_plan(job, material, planned, ())
    report = shown_report(rest, result, journal.cases)
    passages = Passages(job.workspace, job.store)
    return Preview(items=tuple(_item(passages, case) for case in journal.cases), report=report)


def _spread(tasks: Sequence[Task], count: int) -> Sequence[Task]:
    """`count` tasks: the types in turns, each from its beginning, which goes in turns over documents and sections."""
    rows: dict[QuestionType | None, list[Task]] = {}
    for task in tasks:
        rows.setdefault(task.question_type, []).append(task)
    return in_turns(rows.values())[:count]


def _item(passages: Passages, case: Case) -> Item:
    return Item(
        case=case,
        passages=tuple(passages.of_evidence(evidence) for evidence in case.evidence),
        missing=missing(case),
    )
