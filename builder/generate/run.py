"""The run: claim, call, keep the reply, make cases. Nothing that was paid for is lost, nothing is paid twice."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import ParamSpec, TypeVar

from builder.generate.tasks import Call, Outcome
from builder.generate.writer import Writer, request_hash
from builder.llm.budget import Budget, Hold, Limit
from builder.llm.failures import CallFailed
from builder.llm.journal import Journal
from builder.llm.tokens import estimate_prompt
from builder.model.attempt import Attempt, AttemptState, Reply
from builder.progress import Progress

P = ParamSpec("P")
T = TypeVar("T")
LASTING = 5
"""So many calls that failed one after the other, each after its own tries, stop a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCalls:
    """Calls that failed for one reason."""

    count: int
    """How many."""
    detail: str
    """What the first one said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run did."""

    kept: int = 0
    """New cases."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Items dropped, by reason."""
    failed: Mapping[str, FailedCalls] = field(default_factory=dict)
    """Failed calls, by reason."""
    calls: int = 0
    """Replies that came in."""
    reused: int = 0
    """Replies that were there already: no call was made."""
    skipped_claimed: int = 0
    """Calls that another living process has."""
    not_started: int = 0
    """Calls that were left when the run stopped."""
    prompt_tokens: int = 0
    """As the server counts."""
    completion_tokens: int = 0
    """As the server counts."""
    stopped: str | None = None
    """Why the run stopped before its end: the reason of a failure, or the limit of the budget (llm.budget.Limit)."""

    def __add__(self, later: "RunResult") -> "RunResult":
        """Both runs as one; of failures for one reason the first detail stays."""
        failed = dict(self.failed)
        for reason, calls in later.failed.items():
            before = failed.get(reason, FailedCalls(count=0, detail=calls.detail))
            failed[reason] = FailedCalls(count=before.count + calls.count, detail=before.detail)
        return RunResult(
            kept=self.kept + later.kept,
            dropped=dict(Counter(self.dropped) + Counter(later.dropped)),
            failed=failed,
            calls=self.calls + later.calls,
            reused=self.reused + later.reused,
            skipped_claimed=self.skipped_claimed + later.skipped_claimed,
            not_started=later.not_started,
            prompt_tokens=self.prompt_tokens + later.prompt_tokens,
            completion_tokens=self.completion_tokens + later.completion_tokens,
            stopped=later.stopped,
        )


def attempt_for(call: Call, writer: Writer, *, dataset: str) -> Attempt:
    """The attempt to be claimed for `call`; the journal puts in who claims it."""
    return Attempt(
        request_hash=request_hash(writer, call.request),
        dataset=dataset,
        task=call.task,
        writer=writer.name,
        model=writer.model,
        prompt_hash=call.prompt_hash,
        state=AttemptState.CLAIMED,
        at=datetime.now(UTC),
    )


async def run(
    calls: Iterable[Call],
    writer: Writer,
    journal: Journal,
    read: Callable[[Call, Attempt, Reply], Outcome],
    *,
    dataset: str,
    concurrency: int,
    progress: Progress,
    budget: Budget | None = None,
) -> RunResult:
    """Make `calls`, at most `concurrency` at a time, read their replies, and close the writer.

    `calls` may be a generator: each is made ready just before it is sent. A failure that would hit every call, several
    failures in a row, and a call that could pass the budget stop the launching; what is on its way comes in. Replies
    that are there already cost nothing. Cancelled (Ctrl-C): replies that have come in are kept, then
    asyncio.CancelledError goes on.
    """
    # One thread beside the event loop reads replies and writes the journal, so that the next calls go out meanwhile.
    beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
    desk = _Desk(
        calls=iter(calls),
        writer=writer,
        journal=journal,
        read=read,
        dataset=dataset,
        progress=progress,
        budget=budget or Budget(),
        beside=beside,
    )
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(desk.work())
    except ExceptionGroup as group_error:
        raise group_error.exceptions[0] from group_error
    finally:
        beside.shutdown()
        await writer.close()
    return desk.result()


@dataclass(slots=True, kw_only=True)
class _Desk:
    """What the workers of one run share; lives as long as the run."""

    calls: Iterator[Call]
    writer: Writer
    journal: Journal
    read: Callable[[Call, Attempt, Reply], Outcome]
    dataset: str
    progress: Progress
    budget: Budget
    beside: Executor
    counts: Counter[str] = field(default_factory=Counter)
    drops: Counter[str] = field(default_factory=Counter)
    failures: dict[str, FailedCalls] = field(default_factory=dict)
    row: list[str] = field(default_factory=list)
    """Reasons of the calls that failed since the last reply."""
    stopped: str | None = None

    async def work(self) -> None:
        """Make calls until there is none left or the run is stopped."""
        while self.stopped is None and (call := next(self.calls, None)) is not None:
            await self._one(call)
            self.progress.advance(1, call.chunks[0].doc_id if call.chunks else "")
            await asyncio.sleep(0)  # a writer that never waits must still let Ctrl-C in

    async def _one(self, call: Call) -> None:
        attempt = await self._claim(attempt_for(call, self.writer, dataset=self.dataset))
        if attempt is None:
            self.counts["skipped"] += 1
            return
        reply = attempt.reply
        if reply is not None and attempt.state in (AttemptState.REPLIED, AttemptState.DONE):
            self.counts["reused"] += 1
        else:
            reply = await self._held(call, attempt)
        if reply is not None:
            kept, drops = await self._off(self._settle, call, attempt, reply)
            self.counts["kept"] += kept
            self.drops.update(drops)

    async def _claim(self, wanted: Attempt) -> Attempt | None:
        """The claimed attempt; one that is claimed just when the run is cancelled is freed again."""
        claiming = self._begin(self.journal.claim, wanted)
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            attempt = await claiming
            if attempt is not None and attempt.reply is None:
                self.journal.failed(attempt.request_hash, "interrupted")
            raise

    def _settle(self, call: Call, attempt: Attempt, reply: Reply) -> tuple[int, Mapping[str, int]]:
        """What a reply becomes, stored: new cases, and what was dropped."""
        outcome = self.read(call, attempt, reply)
        held = attempt.replace(task=call.task)
        return self.journal.finish(held, outcome.cases, outcome.verdicts, outcome.drops), outcome.drops

    async def _off(self, work: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> T:
        """The result of `work`, done beside the event loop; what has begun comes to its end, also when cancelled."""
        return await asyncio.shield(self._begin(work, *arguments, **more))

    def _begin(self, work: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self.beside, partial(work, *arguments, **more))

    async def _held(self, call: Call, attempt: Attempt) -> Reply | None:
        """The reply of a call that the budget allows; none where it does not, or where the call failed."""
        prompt = estimate_prompt(message.content for message in call.request.messages)
        try:
            held = await self.budget.hold(self.writer.model, prompt, call.request.max_tokens)
        except asyncio.CancelledError:
            self.journal.failed(attempt.request_hash, "interrupted")
            raise
        if not isinstance(held, Hold) or self.stopped is not None:
            self._put_back(attempt, held)
            return None
        reply = None
        try:
            reply = await self._call(call, attempt)
            return reply
        finally:
            self.budget.settle(held, reply)

    def _put_back(self, attempt: Attempt, held: Hold | Limit) -> None:
        """Free a claim whose call is not made, since the run stops."""
        self.journal.failed(attempt.request_hash, "not made")
        self.counts["put back"] += 1
        if isinstance(held, Hold):
            self.budget.release(held)
        else:
            self.stopped = self.stopped or held

    async def _call(self, call: Call, attempt: Attempt) -> Reply | None:
        """The reply, kept in the journal before anything else happens; none where the call failed."""
        task = asyncio.ensure_future(self.writer.write(call.request))
        try:
            reply = await asyncio.shield(task)
        except CallFailed as failure:
            self._note(failure, attempt)
            return None
        except asyncio.CancelledError:
            await self._interrupted(task, attempt)
            raise
        await self._off(self.journal.replied, attempt.request_hash, reply)
        self.row.clear()
        self.counts["calls"] += 1
        self.counts["prompt"] += reply.prompt_tokens
        self.counts["completion"] += reply.completion_tokens
        return reply

    async def _interrupted(self, task: asyncio.Future[Reply], attempt: Attempt) -> None:
        """Keep a reply that came in at the moment of the cancellation; else free the claim."""
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
        if task.cancelled() or task.exception() is not None:
            self.journal.failed(attempt.request_hash, "interrupted")
        else:
            self.journal.replied(attempt.request_hash, task.result())

    def _note(self, failure: CallFailed, attempt: Attempt) -> None:
        self.journal.failed(attempt.request_hash, str(failure))
        before = self.failures.get(failure.reason, FailedCalls(count=0, detail=failure.detail))
        self.failures[failure.reason] = FailedCalls(count=before.count + 1, detail=before.detail)
        self.row.append(failure.reason.value)
        if self.stopped is None and failure.fatal:
            self.stopped = failure.reason.value
        elif self.stopped is None and len(self.row) >= LASTING:
            self.stopped = self.row[0]

    def result(self) -> RunResult:
        """What was done."""
        return RunResult(
            kept=self.counts["kept"],
            dropped=dict(self.drops),
            failed=dict(self.failures),
            calls=self.counts["calls"],
            reused=self.counts["reused"],
            skipped_claimed=self.counts["skipped"],
            not_started=sum(1 for _ in self.calls) + self.counts["put back"],
            prompt_tokens=self.counts["prompt"],
            completion_tokens=self.counts["completion"],
            stopped=self.stopped,
        )
