"""Runs against the scripted server, and writers that do not need one."""

import asyncio
from collections.abc import Iterable, Sequence

from builder.generate.run import RunResult, run
from builder.generate.tasks import Call
from builder.generate.writer import Request, Writer, WriterOptions, open_writer
from builder.llm.budget import Budget
from builder.llm.endpoint import Endpoint
from builder.llm.limiter import Limiter
from builder.llm.retry import RetryPolicy
from builder.model.attempt import Reply
from builder.progress import Silent
from tests.generate.journal import MemoryJournal
from tests.generate.make import HANDBOOK, WARRANTY, call, chunk, read
from tests.servers.openai_server import KEY, OpenAIServer

QUICK = RetryPolicy(tries=2, base=0.001, longest=0.002, longest_asked=1.0)


def calls(count: int = 3, asked: int = 2) -> list[Call]:
    return [call([chunk(WARRANTY if n % 2 else HANDBOOK, ordinal=n)], asked) for n in range(count)]


def openai_writer(url: str, timeout: float = 10.0, tries: int = 2, limiter: Limiter | None = None) -> Writer:
    place = Endpoint(base_url=url, model="scripted", api_key=KEY, timeout=timeout)
    retry = RetryPolicy(tries=tries, base=QUICK.base, longest=QUICK.longest, longest_asked=QUICK.longest_asked)
    return open_writer("openai", WriterOptions(endpoint=place, retry=retry, limiter=limiter))


def go(
    jobs: Iterable[Call],
    writer: Writer,
    journal: MemoryJournal,
    concurrency: int = 2,
    budget: Budget | None = None,
) -> RunResult:
    return asyncio.run(
        run(
            jobs,
            writer,
            journal,
            read,
            dataset="main",
            concurrency=concurrency,
            progress=Silent(),
            budget=budget,
        )
    )


def served(kind: str, jobs: Sequence[Call]) -> tuple[RunResult, MemoryJournal, int]:
    journal = MemoryJournal()
    with OpenAIServer(kind) as server:
        result = go(jobs, openai_writer(server.base_url), journal)
    return result, journal, len(server.bodies)


class HangingWriter:
    """Answers the first call, then never again; says so."""

    name = "extractive"
    model = "hanging"

    def __init__(self) -> None:
        self.waiting = asyncio.Event()
        self.closed = False

    async def write(self, request: Request) -> Reply:
        if self.waiting.is_set():
            await asyncio.Event().wait()
        self.waiting.set()
        return Reply(text='{"items":[{"question":"q?","ground_truth":"a","source_index":1,"sentences":[1]}]}')

    async def close(self) -> None:
        self.closed = True
