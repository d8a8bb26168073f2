"""generate --batch and --collect: the same requests, sent out together and read when they are back."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import Field

from builder.app.files import write_whole
from builder.app.formats import StoreFormats
from builder.app.generate_job import Job, gather, open_corpus
from builder.app.journal import StoreJournal
from builder.errors import InputError, OutsideError
from builder.generate.run import attempt_for
from builder.generate.tasks import call_of, outcome_of
from builder.llm.batches import BatchServer, Result, State, read_results, request_line, shards
from builder.llm.client import body_bytes, body_of
from builder.llm.failures import CallFailed
from builder.llm.formats import Format, Formats, Habit
from builder.model.attempt import Attempt, AttemptState, Task
from builder.model.record import Record
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import Store
from builder.text.ids import digest


class Collected(Record):
    """What came back of batches."""

    kept: int = 0
    """New cases."""
    replies: int = 0
    """Replies that came in."""
    read: int = 0
    """Replies that were made into cases."""
    known: int = 0
    """Replies that had been read before."""
    unknown: int = 0
    """Results of requests that this dataset never made."""
    unreadable: int = 0
    """Lines that are no result."""
    gone: int = 0
    """Replies about chunks or cases that are gone."""
    waiting: int = 0
    """Requests that are still out."""
    dropped: dict[str, int] = Field(default_factory=dict)
    """Items dropped, by reason."""
    failed: dict[str, int] = Field(default_factory=dict)
    """Requests that failed, by what was said; the same command asks again."""


class Sent(Record):
    """What went out."""

    requests: int
    """Requests that went out now."""
    file: str = ""
    """The file that was written."""
    batches: tuple[str, ...] = ()
    """Ids of the server's batches."""


def write_requests(job: Job, tasks: Sequence[Task], file: Path) -> Sent:
    """Write the requests of `tasks` to a file; they are waited for until their results are collected.

    Raises:
        InputError: the file is there already, or cannot be written.
    """
    if file.exists():
        raise InputError("file_exists", file=file)
    lines = dict(_lines(job, tasks))
    name = f"file:{file.name}"
    sent = job.store.attempts.batch((attempt for attempt, _ in lines.values()), name)
    try:
        write_whole(file, b"".join(lines[attempt.request_hash][1] for attempt in sent))
    except InputError:
        give_up(job.store, job.dataset, name, "not_written")
        raise
    return Sent(requests=len(sent), file=str(file))


def send(job: Job, tasks: Sequence[Task]) -> Sent:
    """Send the requests of `tasks` to the server's batch endpoint, in shards; each is noted before it goes.

    Raises:
        OutsideError: the server refuses; the same command goes on.
    """
    lines = dict(_lines(job, tasks))
    started: list[str] = []
    with _server(job) as server:
        for shard in shards((key, line) for key, (_, line) in lines.items()):
            tag = digest(job.dataset, *shard, length=24)
            sent = job.store.attempts.batch((lines[key][0] for key in shard), f"tag:{tag}")
            content = b"".join(lines[attempt.request_hash][1] for attempt in sent)
            if sent:
                started.append(_start(job, server, tag, content))
    return Sent(requests=len(lines), batches=tuple(started))


def await_batches(
    job: Job,
    progress: Progress,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> Collected:
    """Wait for the batches that are out and read their results; batches of an earlier, interrupted command too.

    Raises:
        OutsideError: the server is not there; the same command goes on.
    """
    with _server(job) as server:
        waiting = {batch for a in job.store.attempts.batched(job.dataset) if not (batch := a.batch).startswith("file:")}
        total = Collected()
        progress.begin("batch", None)
        try:
            for batch in sorted(waiting):
                state = _until_ended(job, server, batch, progress, sleep)
                if state is None:  # it was noted, but never started
                    give_up(job.store, job.dataset, batch, "never_started")
                    continue
                total = _added(total, take_in(job.store, job.dataset, server.lines(state.files)))
                give_up(job.store, job.dataset, state.batch_id, state.status)
        except CallFailed as failure:
            raise OutsideError("batch_failed", detail=failure.detail) from failure
        finally:
            progress.end()
    return _added(total, finish(job.workspace, job.store, job.dataset))


def collect(workspace: Workspace, store: Store, file: Path, dataset: str) -> Collected:
    """Read the results of a file and make cases of them.

    Raises:
        InputError: no such file, or it holds no result of this dataset.
    """
    try:
        with file.open(encoding="utf-8-sig") as lines:
            found = take_in(store, dataset, lines)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("unreadable", file=file, detail=error) from error
    if not (found.replies or found.known or found.failed):
        raise InputError("no_results", file=file, dataset=dataset)
    return _added(found, finish(workspace, store, dataset))


def take_in(store: Store, dataset: str, lines: Iterable[str]) -> Collected:
    """Store the replies of a result file; nothing is made of them yet."""
    counts: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for result in read_results(lines):
        if isinstance(result, str):
            counts["unreadable"] += 1
            continue
        counts[_take_in_one(store, dataset, result, failed)] += 1
    return Collected(
        replies=counts["reply"],
        known=counts["known"],
        unknown=counts["unknown"],
        unreadable=counts["unreadable"],
        failed=dict(failed),
    )


def _take_in_one(store: Store, dataset: str, result: Result, failed: Counter[str]) -> str:
    attempt = store.attempts.get(dataset, result.custom_id)
    if attempt is None:
        return "unknown"
    if attempt.state in (AttemptState.DONE, AttemptState.REPLIED):
        return "known"
    if result.reply is None:
        store.attempts.failed(dataset, result.custom_id, result.error)
        failed[result.error.partition(":")[0]] += 1
        return "failed"
    store.attempts.replied(dataset, result.custom_id, result.reply)
    return "reply"


def finish(workspace: Workspace, store: Store, dataset: str) -> Collected:
    """Make cases of all replies that are there and were not read yet."""
    attempts = store.attempts.list(dataset)
    waiting = sum(attempt.state is AttemptState.BATCHED for attempt in attempts)
    unread = [attempt for attempt in attempts if attempt.state is AttemptState.REPLIED]
    if not unread:
        return Collected(waiting=waiting)
    journal = StoreJournal(store, dataset)
    material = gather(workspace, store, dataset, open_corpus(workspace, store))
    kept = gone = 0
    dropped: Counter[str] = Counter()
    for attempt in unread:
        if attempt.reply is None:
            continue
        try:
            call = call_of(attempt.task, material)
        except LookupError:
            gone += 1
            continue
        outcome = outcome_of(call, attempt, attempt.reply, material)
        kept += journal.finish(attempt, outcome.cases, outcome.verdicts, outcome.drops)
        dropped.update(outcome.drops)
    return Collected(kept=kept, gone=gone, dropped=dict(dropped), waiting=waiting, read=len(unread))


def _lines(job: Job, tasks: Sequence[Task]) -> Iterator[tuple[str, tuple[Attempt, bytes]]]:
    """The requests by their hash, each with its attempt and its line."""
    material = job.material()
    wanted, habits = _format(job)
    for task in tasks:
        call = call_of(task, material)
        attempt = attempt_for(call, job.writer, dataset=job.dataset)
        messages = [{"role": message.role, "content": message.content} for message in call.request.messages]
        request = call.request
        body = body_of(
            job.writer.model, messages, request.max_tokens, float(request.temperature), request.shape, wanted, habits
        )
        yield attempt.request_hash, (attempt, request_line(attempt.request_hash, body_bytes(body)))


def _format(job: Job) -> tuple[Format, tuple[Habit, ...]]:
    """The format and the habits of the online path; where there is no server to ask, what most servers take."""
    wanted = job.workspace.settings.generate.response_format
    if job.options.endpoint is not None:
        formats = Formats(job.options.endpoint, wanted, StoreFormats(job.store))
        return formats.current, formats.habits
    return ("json_object" if wanted == "auto" else wanted), ()


def _server(job: Job) -> BatchServer:
    if job.options.endpoint is None:
        raise InputError("batch_needs_endpoint")
    return BatchServer(job.options.endpoint)


def _start(job: Job, server: BatchServer, tag: str, content: bytes) -> str:
    try:
        state = server.find(tag) or server.send(content, tag)
    except CallFailed as failure:
        raise OutsideError("batch_failed", detail=failure.detail) from failure
    job.store.attempts.rename_batch(job.dataset, f"tag:{tag}", state.batch_id)
    return state.batch_id


def _until_ended(
    job: Job, server: BatchServer, batch: str, progress: Progress, sleep: Callable[[float], None]
) -> State | None:
    """The batch in its end state; none where it was noted but the server does not know it."""
    tag = batch.removeprefix("tag:")
    state = server.find(tag) if tag != batch else server.get(batch)
    if state is None:
        return None
    if tag != batch:
        job.store.attempts.rename_batch(job.dataset, batch, state.batch_id)
    while not state.ended:
        progress.advance(0, f"{state.batch_id} {state.status} {state.done}/{state.total}")
        sleep(job.workspace.settings.generate.batch_poll)
        state = server.get(state.batch_id)
    return state


def free_files(store: Store, dataset: str) -> None:
    """What went out in files and was never collected may be asked again."""
    for name in {attempt.batch for attempt in store.attempts.batched(dataset)}:
        if name.startswith("file:"):
            give_up(store, dataset, name, "given_up")


def give_up(store: Store, dataset: str, batch: str, status: str) -> None:
    """What an ended batch did not bring may be asked again."""
    for attempt in store.attempts.batched(dataset):
        if attempt.batch == batch:
            store.attempts.failed(dataset, attempt.request_hash, f"batch_{status}: {batch}")


def _added(one: Collected, other: Collected) -> Collected:
    counts = ("kept", "replies", "read", "known", "unknown", "unreadable", "gone")
    return Collected(
        **{name: getattr(one, name) + getattr(other, name) for name in counts},
        waiting=other.waiting,
        dropped=dict(Counter(one.dropped) + Counter(other.dropped)),
        failed=dict(Counter(one.failed) + Counter(other.failed)),
    )
