"""The limiter in virtual time: windows are exact, everybody waits when told to, concurrency falls and recovers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from builder.llm.failures import CallFailed, Reason
from builder.llm.limiter import MINUTE, Limiter
from builder.llm.retry import RetryPolicy, retried
from builder.model.attempt import Reply
from tests.llm import virtual

Make = Callable[[], Awaitable[Reply]]


def limiter(concurrency: int = 4, **more: int | float | None) -> Limiter:
    return Limiter(concurrency=concurrency, clock=virtual.clock, **more)  # type: ignore[arg-type]


def lasting(seconds: float, tokens: int = 10, began: list[float] | None = None) -> Make:
    """A call that takes so long and uses so many tokens."""

    async def make() -> Reply:
        if began is not None:
            began.append(virtual.clock())
        await asyncio.sleep(seconds)
        return Reply(text="{}", prompt_tokens=tokens)

    return make


def limited(retry_after: float | None = None) -> Make:
    async def make() -> Reply:
        await asyncio.sleep(0.5)
        raise CallFailed(Reason.RATE_LIMITED, "429", retry_after=retry_after)

    return make


def together(paced: Limiter, calls: Sequence[tuple[int, Make]]) -> None:
    async def go() -> None:
        await asyncio.gather(*(paced.call(tokens, make) for tokens, make in calls), return_exceptions=True)

    virtual.run(go())


def test_calls_a_minute() -> None:
    began: list[float] = []
    together(limiter(requests_per_minute=3), [(1, lasting(1.0, began=began))] * 8)
    assert began == [0, 0, 0, MINUTE, MINUTE, MINUTE, 2 * MINUTE, 2 * MINUTE]


def test_in_no_minute_are_there_more_calls_than_allowed() -> None:
    began: list[float] = []
    together(limiter(concurrency=3, requests_per_minute=5), [(1, lasting(7.0, began=began))] * 20)
    assert len(began) == 20
    assert all(sum(at <= other < at + MINUTE for other in began) <= 5 for at in began)


def test_tokens_a_minute_as_estimated() -> None:
    began: list[float] = []
    together(limiter(concurrency=9, tokens_per_minute=100), [(40, lasting(1.0, tokens=40, began=began))] * 5)
    assert began == [0, 0, MINUTE, MINUTE, 2 * MINUTE]


def test_the_usage_corrects_the_estimate_for_those_who_wait() -> None:
    cheap: list[float] = []
    together(limiter(concurrency=9, tokens_per_minute=100), [(50, lasting(1.0, tokens=10, began=cheap))] * 6)
    assert cheap == [0, 0, 1.0, 2.0, 3.0, 4.0], "each time 10 are used and 50 reckoned with for the next"
    dear: list[float] = []
    together(limiter(concurrency=1, tokens_per_minute=100), [(10, lasting(1.0, tokens=95, began=dear))] * 2)
    assert dear == [0, MINUTE], "what was used above the estimate counts"


def test_a_reply_without_usage_counts_as_estimated() -> None:
    began: list[float] = []
    together(limiter(concurrency=1, tokens_per_minute=100), [(60, lasting(1.0, tokens=0, began=began))] * 2)
    assert began == [0, MINUTE]


def test_a_call_above_the_limit_waits_for_an_empty_minute_not_for_ever() -> None:
    began: list[float] = []
    together(
        limiter(tokens_per_minute=100),
        [(30, lasting(1.0, 30, began)), (500, lasting(1.0, 500, began)), (30, lasting(1.0, 30, began))],
    )
    assert began == [0, MINUTE, 2 * MINUTE]


def test_retry_after_makes_everybody_wait() -> None:
    began: list[float] = []
    together(
        limiter(concurrency=1), [(1, limited(7.0)), (1, lasting(1.0, began=began)), (1, lasting(1.0, began=began))]
    )
    assert began == [7.5, 8.5]


def test_a_wait_beyond_the_cap_is_not_waited_for() -> None:
    began: list[float] = []
    together(limiter(concurrency=1, longest_pause=60.0), [(1, limited(600.0)), (1, lasting(1.0, began=began))])
    assert began == [0.5]
    with pytest.raises(CallFailed) as failed:
        virtual.run(retried(limited(600.0), RetryPolicy()))
    assert failed.value.reason is Reason.RATE_LIMITED and not failed.value.fatal


def test_where_no_wait_is_asked_for_everybody_waits_longer_each_time() -> None:
    """A minute's token limit that is used up must not fail call after call within seconds."""
    began: list[float] = []
    paced = limiter(concurrency=1)
    refusals = [(1, limited())] * 3
    together(paced, [*refusals, *[(1, lasting(1.0, began=began))] * 2, (1, limited()), (1, lasting(1.0, began=began))])
    assert began == [0.5 + 1 + 0.5 + 2 + 0.5 + 4, 9.5, 10.5 + 0.5 + 1]


def test_concurrency_halves_once_a_burst_and_never_below_one() -> None:
    paced = limiter(concurrency=8)
    together(paced, [(1, limited())] * 8)
    assert paced.allowed == 4, "eight refusals of calls that were on their way together are one sign"
    for left in (2, 1, 1):
        together(paced, [(1, limited())])
        assert paced.allowed == left


def test_concurrency_recovers_one_by_one_up_to_what_was_asked_for() -> None:
    paced = limiter(concurrency=4, recover_after=3)
    together(paced, [(1, limited())])
    seen = []
    for _ in range(9):
        together(paced, [(1, lasting(0.1))])
        seen.append(paced.allowed)
    assert seen == [2, 2, 3, 3, 3, 4, 4, 4, 4]


def test_fewer_are_on_their_way_after_a_refusal() -> None:
    paced = limiter(concurrency=4, recover_after=100)
    most: list[int] = []

    async def make() -> Reply:
        most.append(paced.active)
        await asyncio.sleep(1.0)
        return Reply(text="{}")

    together(paced, [(1, limited())])
    together(paced, [(1, make)] * 8)
    assert max(most) == 2 and paced.active == 0


@pytest.mark.parametrize("why", ["window", "pause", "slots"])
def test_a_wait_can_be_cancelled_and_the_next_in_line_goes_on(why: str) -> None:
    async def go() -> list[float]:
        began: list[float] = []
        paced = limiter(concurrency=1 if why == "slots" else 4, requests_per_minute=1 if why == "window" else None)
        first = asyncio.ensure_future(paced.call(1, limited(30.0) if why == "pause" else lasting(20.0)))
        await asyncio.sleep(1.0)
        given_up = asyncio.ensure_future(paced.call(1, lasting(1.0, began=began)))
        stays = asyncio.ensure_future(paced.call(1, lasting(1.0, began=began)))
        await asyncio.sleep(1.0)
        given_up.cancel()
        await asyncio.gather(first, given_up, stays, return_exceptions=True)
        assert given_up.cancelled() and virtual.clock() < 2 * MINUTE
        assert paced.active == 0
        return began

    assert virtual.run(go()) == {"window": [MINUTE], "pause": [30.5], "slots": [20.0]}[why]


def test_one_limiter_serves_several_event_loops() -> None:
    """A run to a target is several rounds, each with a loop of its own."""
    began: list[float] = []
    paced = limiter(concurrency=1)
    for _ in range(2):
        together(paced, [(1, lasting(1.0, began=began))] * 3)
    assert began == [0, 1, 2] * 2
