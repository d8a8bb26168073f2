"""Somebody else's function, called so that it holds nobody up: neither other calls, nor a timeout, nor Ctrl-C."""

import asyncio
import inspect
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

from builder.score.targets.question import Failed

_PATIENCE = 1.0
"""Seconds for what async code of the user still has to tidy up."""


@contextmanager
def stdout_on_stderr() -> Iterator[None]:
    """What is printed goes to stderr, also by programs that the function starts: stdout is for results."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no stdout
        kept = None
    try:
        with redirect_stdout(sys.stderr):
            if kept is not None:
                os.dup2(sys.__stderr__.fileno() if sys.__stderr__ else 1, 1)
            yield
    finally:
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)


@contextmanager
def own_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own, for async functions; many of them block, and then only this loop waits."""
    made: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def live() -> None:
        end = asyncio.Event()
        made.set_result((asyncio.get_running_loop(), end))
        await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(live()), daemon=True)
    thread.start()
    loop, end = made.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(_PATIENCE)


async def called(call: Callable[[], Any], function: Callable[..., Any], loop: asyncio.AbstractEventLoop) -> Any:
    """The result of a call of `function`, plain or async; of a generator the answer that its texts make.

    Raises:
        Failed: whatever it raises, also `SystemExit`: it ends this call only.
    """
    begun = time.perf_counter()
    given = call() if _is_async(function) else await _in_thread(call)
    if inspect.isawaitable(given) or isinstance(given, AsyncIterator):
        given = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_finished(given, begun), loop))
    if isinstance(given, Iterator):
        pieces = given
        given = await _in_thread(lambda: _joined(pieces, begun))
    return given


def _is_async(function: Callable[..., Any]) -> bool:
    kinds = (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    return any(is_one(called) for is_one in kinds for called in (function, type(function).__call__))


async def _finished(given: Any, begun: float) -> Any:
    try:
        found = await given if inspect.isawaitable(given) else given
        if isinstance(found, AsyncIterator):
            stream = _Stream(begun)
            async for piece in found:
                stream.add(piece)
            return stream.answer()
        return found
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise  # its time is over
        raise _failed(error) from error


def _joined(pieces: Iterator[Any], begun: float) -> dict[str, Any]:
    stream = _Stream(begun)
    for piece in pieces:
        stream.add(piece)
    return stream.answer()


@dataclass(slots=True)
class _Stream:
    """An answer that comes in pieces."""

    begun: float
    texts: list[str] = field(default_factory=list)
    first: float | None = None

    def add(self, piece: Any) -> None:
        if not isinstance(piece, str):
            raise Failed("bad_answer", f"a stream of {type(piece).__name__}, not of texts")
        if piece and self.first is None:
            self.first = round(1000 * (time.perf_counter() - self.begun), 3)
        self.texts.append(piece)

    def answer(self) -> dict[str, Any]:
        return {"answer": "".join(self.texts), "ttft_ms": self.first}


def _failed(error: BaseException) -> Failed:
    return error if isinstance(error, Failed) else Failed("exception", f"{type(error).__name__}: {error}")


async def _in_thread(call: Callable[[], Any]) -> Any:
    """A thread of its own, not of a pool: a call that hangs keeps neither others nor the program's end waiting."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: Failed | None) -> None:
        if not done.done():
            done.set_result(value) if error is None else done.set_exception(error)

    def run() -> None:
        value, failure = None, None
        try:
            value = call()
        except BaseException as error:
            failure = _failed(error)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=run, daemon=True).start()
    return await done
