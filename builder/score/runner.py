"""Asking a target all questions: so many at a time, each within its time, every answer written once it is there."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

from builder.logs.answers import Guard
from builder.model.run import WHOLE, RunRecord
from builder.progress import Progress
from builder.score.targets.question import Ask, Failed, Question, Target

Write = Callable[[Sequence[RunRecord]], None]
"""Keeps records; they are on disk when it returns."""
REPORTED = "reported"
"""Stage of the whole time as the system itself tells it; `total` is what was measured here."""
_KIND = 40
"""Characters of a kind of error, as what a system calls it may be long."""
_SAID = 500
"""Characters of an error that are kept."""


class Job(NamedTuple):
    """One call."""

    case_id: str
    repeat: int
    question: Question


@dataclass(slots=True)
class Tally:
    """What became of the calls so far."""

    asked: int = 0
    """Calls made."""
    failed: int = 0
    """Of these: without an answer."""
    errors: Counter[str] = field(default_factory=Counter)
    """Failed calls by kind."""
    last: str = ""
    """What the last failed call said."""
    redacted: Counter[str] = field(default_factory=Counter)
    """What was taken out of the answers, by kind."""
    stopped: bool = False
    """The first calls all failed, and the others were not made."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How calls are made."""

    concurrency: int = 4
    """Calls at a time."""
    timeout: float = 60.0
    """Seconds a call."""
    give_up: int | None = 10
    """Stop where so many first calls all fail; none: never."""
    guard: Guard = field(default_factory=Guard)
    """What may not be stored."""


def ask_all(target: Target, jobs: Iterable[Job], write: Write, rules: Rules, progress: Progress) -> Tally:
    """Ask, and write every answer; a call without an answer is a record with its error.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        return asyncio.run(_Asking(rules, write, progress).all(target, iter(jobs)))
    except BaseExceptionGroup as group:
        raise _first(group) from group


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


class _Asking:
    """One loop of workers over one row of jobs."""

    def __init__(self, rules: Rules, write: Write, progress: Progress) -> None:
        self._rules, self._write, self._progress = rules, write, progress
        self._tally = Tally()
        self._waiting: list[RunRecord] = []
        self._writing = False

    async def all(self, target: Target, jobs: Iterator[Job]) -> Tally:
        try:
            async with target.session() as ask, asyncio.TaskGroup() as group:
                for _ in range(self._rules.concurrency):
                    group.create_task(self._work(ask, jobs))
        finally:
            self._write(self._waiting)  # interrupted: what was answered is kept
        return self._tally

    async def _work(self, ask: Ask, jobs: Iterator[Job]) -> None:
        for job in jobs:
            if self._tally.stopped:
                return
            self._count(record := await self._answer(ask, job))
            await self._keep(record)

    async def _answer(self, ask: Ask, job: Job) -> RunRecord:
        begun, limit = time.perf_counter(), asyncio.timeout(self._rules.timeout)
        try:
            async with limit:
                given = dict(await ask(job.question))
        except Failed as error:
            given = {"error": str(error)}
        except Exception as error:  # a target is somebody else's code: whatever it raises is this answer's error
            late = isinstance(error, TimeoutError) and limit.expired()  # it has time limits of its own, too
            said = f"timeout: {self._rules.timeout:g} s" if late else f"exception: {type(error).__name__}: {error}"
            given = {"error": said}
        return self._record(job, given, 1000 * (time.perf_counter() - begun))

    def _record(self, job: Job, given: dict[str, Any], took: float) -> RunRecord:
        stages = {
            REPORTED if name == WHOLE else name: value
            for name, value in (given.get("latency_ms") or {}).items()
            if value is not None
        }
        head = {"case_id": job.case_id, "repeat": job.repeat, "question": job.question.question}
        clean, counts = self._rules.guard.clean(head | given | {"latency_ms": {WHOLE: round(took, 3)} | stages})
        self._tally.redacted.update(counts)
        if isinstance(clean.get("error"), str):  # cut only now: half a secret is one, too
            clean["error"] = clean["error"][:_SAID]
        try:
            return RunRecord(**clean)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            detail = f"bad_answer: {'.'.join(map(str, first['loc']))}: {first['msg']}"
            return RunRecord(**head | {"question": clean["question"], "error": detail, "latency_ms": round(took, 3)})

    def _count(self, record: RunRecord) -> None:
        tally = self._tally
        tally.asked += 1
        if record.error is not None:
            tally.failed += 1
            tally.errors[record.error.partition(":")[0][:_KIND]] += 1
            tally.last = record.error
        limit = self._rules.give_up
        tally.stopped = tally.stopped or (limit is not None and tally.asked == tally.failed >= limit)

    async def _keep(self, record: RunRecord) -> None:
        """Whoever comes while nobody writes writes for all: a slow disk makes larger bites, not a slower run."""
        self._waiting.append(record)
        if self._writing:
            return
        self._writing = True
        try:
            while self._waiting:
                bite, self._waiting = self._waiting, []
                await asyncio.shield(asyncio.to_thread(self._write, bite))
                self._progress.advance(len(bite), bite[-1].case_id)
        finally:
            self._writing = False
