"""Functions as targets: called with what their parameters name, plain or async."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from builder.errors import InputError
from builder.model.access import UserContext
from builder.model.case import Turn
from builder.model.run import RunRecord
from builder.progress import Silent
from builder.score.runner import Job, Rules, Tally, ask_all
from builder.score.targets.function import FunctionTarget, arguments, open_function
from builder.score.targets.question import Question

QUESTION = Question(
    question="质保多久？",
    conversation=(Turn(role="user", text="你好"),),
    user=UserContext(region="cn"),
    as_of="2026-01-01",
)
CONTEXT = {"region": "cn"}


def asked(function: Callable[..., Any], count: int = 1, **rules: Any) -> tuple[list[RunRecord], Tally]:
    done: list[RunRecord] = []

    def keep(records: Sequence[RunRecord]) -> None:
        done.extend(records)

    jobs = [Job(f"c{number}", 1, QUESTION) for number in range(count)]
    target = FunctionTarget(name="t:f", function=function, paths={})
    return done, ask_all(target, jobs, keep, Rules(**rules), Silent())


def test_what_a_function_names_is_what_it_gets() -> None:
    assert arguments(lambda question: 0, QUESTION) == ((), {"question": "质保多久？"})
    assert arguments(lambda text: 0, QUESTION) == (("质保多久？",), {})
    assert arguments(lambda q, user_context: 0, QUESTION) == (("质保多久？",), {"user_context": CONTEXT})
    assert arguments(lambda q, /, as_of=None: 0, QUESTION) == (("质保多久？",), {"as_of": "2026-01-01"})
    assert arguments(lambda *, as_of, question: 0, QUESTION)[1] == {"as_of": "2026-01-01", "question": "质保多久？"}
    everything = arguments(lambda **more: 0, QUESTION)[1]
    assert set(everything) == {"question", "conversation", "user_context", "as_of"}


@pytest.mark.parametrize("function", [lambda: 0, lambda question, other: 0, lambda *, colour: 0])
def test_a_function_that_takes_no_question_is_none(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        arguments(function, QUESTION)


def test_async_functions_and_objects_that_are_called() -> None:
    async def ask(question: str) -> str:
        await asyncio.sleep(0)
        return f"{question}!"

    class System:
        async def __call__(self, question: str) -> str:
            return "object"

    def late(question: str) -> Any:
        return ask(question)

    assert asked(ask)[0][0].answer == "质保多久？!"
    assert asked(System())[0][0].answer == "object"
    assert asked(late)[0][0].answer == "质保多久？!"


def test_whatever_a_function_raises_is_the_error_of_that_answer() -> None:
    def broken(question: str) -> str:
        raise ValueError("no index")

    def leaves(question: str) -> str:
        raise SystemExit(3)

    async def slow(question: str) -> str:
        await asyncio.sleep(60)
        return ""

    assert asked(broken)[0][0].error == "exception: ValueError: no index"
    assert asked(leaves)[0][0].error == "exception: SystemExit: 3"
    assert asked(slow, timeout=0.05)[0][0].error == "timeout: 0.05 s"
    assert asked(lambda question: None)[0][0].error == "bad_answer: None"
    assert asked(lambda question: {"colour": 1})[0][0].error == "bad_answer: dict: colour"
    wrong = asked(lambda question: {"answer": "x", "tool_calls": "none"})[0][0]
    assert wrong.error is not None and wrong.error.startswith("bad_answer: tool_calls")


def test_it_stops_only_where_the_first_calls_all_fail() -> None:
    def broken(question: str) -> str:
        raise ValueError

    numbers = iter(range(1000))

    def mostly(question: str) -> str:
        if next(numbers) > 0:
            raise ValueError
        return "once"

    records, tally = asked(broken, 100, concurrency=1)
    assert (len(records), tally.stopped) == (10, True)
    records, tally = asked(mostly, 100, concurrency=1)
    assert (len(records), tally.failed, tally.stopped) == (100, 99, False)
    assert asked(broken, 100, give_up=None)[1].asked == 100


def test_times_are_measured_and_those_told_are_kept() -> None:
    record = asked(lambda question: {"answer": "x", "latency_ms": {"total": 99999.0, "retrieval": 3.0}})[0][0]
    assert record.latency_ms is not None
    assert record.latency_ms["total"] < 5000
    assert (record.latency_ms["reported"], record.latency_ms["retrieval"]) == (99999.0, 3.0)


def test_a_file_that_cannot_be_written_ends_it_with_its_own_error() -> None:
    def full(records: Sequence[RunRecord]) -> None:
        if records:
            raise InputError("run_unwritable", file="x", detail="full")

    target = FunctionTarget(name="t:f", function=lambda question: "x", paths={})
    with pytest.raises(InputError, match="full"):
        ask_all(target, [Job("c", 1, QUESTION)], full, Rules(), Silent())


def test_modules_are_found_beside_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "my_rag_system.py").write_text("class A:\n    def ask(self, question):\n        return 1\n\na = A()\n")
    target = open_function("my_rag_system:a.ask", tmp_path)
    assert dict(target.facts) == {"target": "my_rag_system:a.ask"}
    for name in ("my_rag_system:b", "my_rag_system:a", "my_rag_systems:a"):
        with pytest.raises(InputError, match=name):
            open_function(name, tmp_path)
