"""Functions that block, stream, leave or print: each call is its own affair."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from builder.model.run import RunRecord
from tests.score.targets.test_function import asked


def only(function: Callable[..., Any], **rules: Any) -> RunRecord:
    (record,), _ = asked(function, **rules)
    return record


async def blocks(question: str) -> str:
    threading.Event().wait(3600)
    return ""


async def leaves(question: str) -> str:
    sys.exit(3)


async def gives_up(question: str) -> str:
    raise asyncio.CancelledError


async def own_limit(question: str) -> str:
    raise TimeoutError("index: 1 s")


def own_limit_too(question: str) -> str:
    raise TimeoutError("index: 1 s")


async def hears_nothing(question: str) -> str:
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await asyncio.sleep(3600)


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (blocks, "timeout: 0.2 s"),
        (hears_nothing, "timeout: 0.2 s"),
        (leaves, "exception: SystemExit: 3"),
        (gives_up, "exception: CancelledError: "),
        (own_limit, "exception: TimeoutError: index: 1 s"),
        (own_limit_too, "exception: TimeoutError: index: 1 s"),
    ],
)
def test_what_ends_a_call_ends_this_call_only(function: Callable[..., Any], error: str) -> None:
    records, tally = asked(function, 3, timeout=0.2)
    assert [record.error for record in records] == [error] * 3
    assert (tally.asked, tally.failed) == (3, 3)


def test_async_calls_share_one_loop_and_run_at_once() -> None:
    loops, at_once, most = set(), 0, 0
    together = asyncio.Event()

    async def ask(question: str) -> str:
        nonlocal at_once, most
        loops.add(id(asyncio.get_running_loop()))
        at_once, most = at_once + 1, max(most, at_once + 1)
        together.set() if at_once == 3 else None
        await together.wait()
        at_once -= 1
        return "x"

    records, _ = asked(ask, 3, concurrency=3, timeout=10)
    assert [record.answer for record in records] == ["x"] * 3
    assert (len(loops), most) == (1, 3)


def words(question: str) -> Iterator[str]:
    time.sleep(0.02)
    yield from ("", "24 ", "个月")


async def late_words(question: str) -> AsyncIterator[str]:
    await asyncio.sleep(0.02)
    for word in words(question):
        yield word


async def gives_words(question: str) -> Iterator[str]:
    return words(question)


async def gives_late_words(question: str) -> AsyncIterator[str]:
    return late_words(question)


@pytest.mark.parametrize("function", [words, late_words, gives_words, gives_late_words, lambda q: late_words(q)])
def test_a_stream_of_texts_is_an_answer_with_a_first_token(function: Callable[..., Any]) -> None:
    record = only(function)
    assert (record.answer, record.error) == ("24 个月", None)
    assert record.ttft_ms is not None and record.latency_ms is not None
    assert 20 <= record.ttft_ms <= record.latency_ms["total"]


def test_a_stream_that_breaks_or_hangs_is_an_error() -> None:
    def breaks(question: str) -> Iterator[str]:
        yield "24"
        raise ValueError("cut off")

    def hangs(question: str) -> Iterator[str]:
        yield "24"
        threading.Event().wait(3600)

    async def objects(question: str) -> AsyncIterator[dict[str, str]]:
        yield {"delta": "24"}

    assert only(breaks).error == "exception: ValueError: cut off"
    assert only(hangs, timeout=0.2).error == "timeout: 0.2 s"
    assert only(objects).error == "bad_answer: a stream of dict, not of texts"


def test_what_is_printed_never_stands_among_results(capfd: pytest.CaptureFixture[str]) -> None:
    def loud(question: str) -> str:
        sys.stdout.write("python\n")
        os.write(1, b"descriptor\n")
        subprocess.run([sys.executable, "-c", "print('program')"], check=True)
        return "x"

    assert only(loud).answer == "x"
    os.write(1, b"after\n")
    said = capfd.readouterr()
    assert said.out == "after\n"
    assert {"python", "descriptor", "program"} <= set(said.err.split())
