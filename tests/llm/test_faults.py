"""A run that never loses paid work: failures in a row, budgets, and a server that fails a third of the calls."""

import asyncio
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from builder.generate.run import run
from builder.generate.writer import Request
from builder.llm.budget import Budget, Price
from builder.llm.failures import CallFailed, Reason
from builder.llm.limiter import Limiter
from builder.model.attempt import AttemptState, Reply
from builder.progress import Silent
from tests.generate.journal import MemoryJournal
from tests.generate.make import HANDBOOK, WARRANTY, call, chunk, read
from tests.generate.runs import HangingWriter, calls, go, openai_writer, served
from tests.servers.openai_server import KINDS, Answer, OpenAIServer, faulty


class Failing(HangingWriter):
    """Fails by plan: one reason a call, none where it answers."""

    def __init__(self, plan: Sequence[Reason | None]) -> None:
        super().__init__()
        self.plan = list(plan)

    async def write(self, request: Request) -> Reply:
        reason = self.plan.pop(0)
        if reason is not None:
            raise CallFailed(reason, f"first of {len(self.plan)}").lasting()
        return Reply(text="{}", prompt_tokens=100, completion_tokens=50)


MIXED = [Reason.TIMEOUT, Reason.BLANK, Reason.SERVER_ERROR, Reason.TIMEOUT]


def test_five_failures_in_a_row_stop_the_run_with_the_first_cause() -> None:
    result = go(calls(9), Failing([*MIXED, Reason.BAD_REQUEST, None]), MemoryJournal(), concurrency=1)
    assert (result.stopped, result.not_started) == ("timeout", 4)
    assert {reason: failed.count for reason, failed in result.failed.items()} == {
        **{"timeout": 2, "blank": 1, "server_error": 1, "bad_request": 1}
    }


def test_a_reply_between_failures_lets_the_run_go_on() -> None:
    result = go(calls(9), Failing([*MIXED, None, *MIXED]), MemoryJournal(), concurrency=1)
    assert (result.stopped, result.not_started, result.calls) == (None, 0, 1)


def test_a_fatal_failure_stops_before_the_fifth() -> None:
    result = go(calls(9), Failing([Reason.TIMEOUT, Reason.REFUSED_KEY]), MemoryJournal(), concurrency=1)
    assert (result.stopped, result.not_started) == ("refused_key", 7)


def test_a_server_that_cuts_every_prompt_stops_the_run() -> None:
    jobs = [call([chunk(WARRANTY * 20, ordinal=n)], 1) for n in range(7)]
    result, journal, made = served("prompt_cut", jobs)
    assert result.stopped == "prompt_cut" and not journal.cases and made <= 6, "cut prompts are not asked again"


# Budgets


@pytest.mark.parametrize(
    ("limits", "stopped", "made"),
    [
        ({"calls": 4}, "max_calls", 4),
        ({"tokens": 3000}, "budget_tokens", None),
        ({"cost": Decimal("0.003")}, "budget_cost", None),
        ({"calls": 9}, None, 9),
    ],
)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_stops_cleanly_and_the_next_run_goes_on(
    limits: dict[str, Any], stopped: str | None, made: int | None, concurrency: int
) -> None:
    prices = {"scripted": Price(input=Decimal(1), output=Decimal(1))}
    budget = Budget(**limits, prices=prices)
    journal = MemoryJournal()
    with OpenAIServer() as server:
        result = go(calls(9), openai_writer(server.base_url), journal, concurrency, budget)
        assert result.stopped == stopped and not result.failed
        assert result.calls + result.not_started == 9 and result.calls == len(server.bodies) == budget.calls
        assert made is None or result.calls == made
        assert result.calls >= 4 and budget.tokens == result.prompt_tokens + result.completion_tokens
        assert budget.tokens <= limits.get("tokens", budget.tokens) and budget.cost <= limits.get("cost", budget.cost)
        assert AttemptState.CLAIMED not in journal.states(), "what was not made is free for the next run"
        rest = go(calls(9), openai_writer(server.base_url), journal, concurrency, Budget(calls=9 - result.calls))
        assert (rest.reused, rest.calls, rest.stopped) == (result.calls, 9 - result.calls, None)
        assert len(server.bodies) == 9
    with OpenAIServer() as server:
        clean = MemoryJournal()
        go(calls(9), openai_writer(server.base_url), clean)
    assert clean.cases == journal.cases


def test_replies_that_are_there_cost_nothing() -> None:
    journal = MemoryJournal()
    with OpenAIServer() as server:
        go(calls(), openai_writer(server.base_url), journal)
        budget = Budget(tokens=0, calls=0, cost=Decimal(0))
        again = go(calls(), openai_writer(server.base_url), journal, budget=budget)
    assert (again.reused, again.stopped, budget.tokens, budget.calls) == (3, None, 0, 0)


def test_an_interruption_gives_back_what_was_held() -> None:
    budget = Budget(calls=3)
    journal = MemoryJournal()

    async def interrupted() -> None:
        task = asyncio.create_task(
            run(
                calls(8),
                HangingWriter(),
                journal,
                read,
                dataset="main",
                concurrency=5,
                progress=Silent(),
                budget=budget,
            )
        )
        while len(journal.attempts) < 6:  # one answered, two hang, three wait for the budget
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    assert asyncio.run(Budget(calls=1).hold("m", 1, 1)) and asyncio.run(budget.hold("m", 1, 1)) == "max_calls"


# A server that fails often


def test_a_server_that_fails_a_third_of_the_calls_gives_the_same_cases() -> None:
    """429, 500, stalls, broken lines, broken JSON, blank replies: 30 % of the tries, in an order that never changes."""
    jobs = [
        call([chunk(text * 2, doc_id=f"{n}.pdf", ordinal=n)], 2) for n, text in enumerate([WARRANTY, HANDBOOK] * 15)
    ]
    clean, journal = MemoryJournal(), MemoryJournal()
    with OpenAIServer() as server:
        go(jobs, openai_writer(server.base_url), clean, concurrency=4)
        needed = len(server.bodies)
    began = time.monotonic()
    failed: list[int] = []

    def counted(body: dict[str, Any], number: int) -> Answer:
        answer = faults(body, number)
        good = KINDS["good"](body, number)
        if (answer.status, answer.body, answer.delay, answer.cut) != (good.status, good.body, 0.0, False):
            failed.append(number)
        return answer

    faults = faulty(30, stall=0.4)
    with OpenAIServer(counted) as server:
        writer = openai_writer(server.base_url, timeout=0.25, tries=8, limiter=Limiter(concurrency=4))
        result = go(jobs, writer, journal, concurrency=4)
        made = len(server.bodies)
    assert time.monotonic() - began < 10
    assert not result.failed and result.stopped is None
    assert journal.cases == clean.cases and len(clean.cases) == 60
    assert made == needed + len(failed) and len(failed) >= needed * 0.2
