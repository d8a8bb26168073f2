"""Isolated workers: a task that crashes, hangs or eats memory costs one item and never the run.

A 3 KB file can make a PDF library abort its process. So each task runs in a spawned process with an address space
limit, a CPU limit and a wall clock limit; whatever happens to it comes back as a `Problem`.
"""

import gc
import os
import resource
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Generic, TypeVar

from pebble import ProcessExpired, ProcessPool

from builder.model.document import Problem

Job = TypeVar("Job")
Answer = TypeVar("Answer")

WATCH_SECONDS = 0.5
"""How often a worker looks whether its parent is still there."""
_BROKEN_TRIES = 3
_MIB = 1024 * 1024
_CPU_MARGIN = 2
_GARBAGE_EVERY = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one task may use."""

    workers: int
    """Processes; 0: one a core."""
    memory_mib: int
    """Address space of a process."""
    timeout: int
    """Seconds a task, by the clock and on the CPU."""


def run_isolated(
    task: Callable[[Job], Answer], jobs: Sequence[Job], limits: Limits
) -> Iterator[tuple[Job, Answer | Problem]]:
    """Run `task` (a function of a module, or a partial of one) on each job; answers come as they are ready.

    A task that raises gives `unreadable`, one that runs out of memory `memory`, one that is too slow `timeout`, one
    whose process dies `crashed`. Workers end when this process is killed, or when the caller stops asking.
    """
    todo, breaks = deque(jobs), 0
    while todo:
        before = len(todo)
        yield from _one_pool(task, todo, limits)
        breaks = breaks + 1 if len(todo) == before else 0
        if todo and breaks >= _BROKEN_TRIES:
            yield todo.popleft(), Problem(code="crashed", detail="the worker does not start")
            breaks = 0


def _one_pool(
    task: Callable[[Job], Answer], todo: deque[Job], limits: Limits
) -> Iterator[tuple[Job, Answer | Problem]]:
    """Work `todo` off with one pool; a pool that breaks puts its unfinished jobs back and ends."""
    workers = min(limits.workers or os.cpu_count() or 1, len(todo))
    pool = ProcessPool(
        max_workers=workers,
        context=get_context("spawn"),
        initializer=_begin,
        initargs=(os.getpid(), limits.memory_mib),
    )
    running: dict[Future[Answer], Job] = {}
    try:
        while todo or running:
            while todo and len(running) < workers + 1:
                job = todo.popleft()
                running[pool.schedule(_Limited(task, limits.timeout), args=(job,), timeout=limits.timeout)] = job
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                todo.extendleft(running.values())
                return
            for future in done:
                answer = _answer(future)
                yield running.pop(future), answer
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


class _Limited(Generic[Job, Answer]):
    """A task that may use so many CPU seconds more than its process has used already."""

    def __init__(self, task: Callable[[Job], Answer], seconds: int) -> None:
        self._task = task
        self._seconds = seconds

    def __call__(self, job: Job) -> Answer:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + self._seconds + _CPU_MARGIN)
        return self._task(job)


def _answer(future: Future[Answer]) -> Answer | Problem:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, TimeoutError):
        return Problem(code="timeout")
    if isinstance(error, MemoryError):
        return Problem(code="memory")
    if isinstance(error, ProcessExpired):
        return _death(error.exitcode)
    return Problem(code="unreadable", detail=f"{type(error).__name__}: {error}".splitlines()[0][:200])


def _death(code: int | None) -> Problem:
    if code == -signal.SIGXCPU:
        return Problem(code="timeout")
    if code is not None and code < 0:
        return Problem(code="crashed", detail=signal.Signals(-code).name)
    return Problem(code="crashed", detail=f"exit {code}")


def _begin(parent: int, memory_mib: int) -> None:
    """First thing in a worker: its limits, and the thread that ends it with its parent.

    What a task makes is mostly kept until its end: looking for garbage as often as usual finds little and costs a lot.
    """
    gc.set_threshold(_GARBAGE_EVERY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, memory_mib * _MIB)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _limit(kind: int, value: int) -> None:
    """Set a soft limit, within the hard one that this process was given."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)
