"""What a run may spend: held back before, settled after, never passed, and never left unused while calls are out."""

import asyncio
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import InputError
from builder.llm.budget import Budget, Hold, Price, read_prices
from builder.model.attempt import Reply
from tests.llm import virtual

PRICES = read_prices({"m.input": "0.15", "m.output": "0.60", "m.cached": "0.075", "half.input": "1"})


def reply(prompt: int, completion: int, cached: int = 0) -> Reply:
    return Reply(text="x" * 400, prompt_tokens=prompt, completion_tokens=completion, cached_tokens=cached)


def held(budget: Budget, prompt: int, completion: int, model: str = "m") -> Hold | str:
    return asyncio.run(budget.hold(model, prompt, completion))


def test_money_is_exact_and_cached_tokens_cost_less() -> None:
    budget = Budget(prices=PRICES)
    hold = held(budget, 1000, 2000)
    assert isinstance(hold, Hold)
    budget.settle(hold, reply(1_000_000, 100_000, cached=400_000))
    assert budget.cost == Decimal("0.15") * Decimal("0.6") + Decimal("0.075") * Decimal("0.4") + Decimal("0.060")
    assert (budget.tokens, budget.calls, budget.left()) == (1_100_000, 1, {})


def test_without_a_price_for_cached_tokens_they_cost_like_others() -> None:
    price = Price(input=Decimal(2), output=Decimal(8))
    assert price.cost(1_000_000, 500_000, cached=900_000) == Decimal(6)


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(tokens=1000), "budget_tokens"),
        (Budget(cost=Decimal("0.0004"), prices=PRICES), "budget_cost"),
        (Budget(calls=1), "max_calls"),
    ],
)
def test_each_limit_stops_where_the_next_call_could_pass_it(budget: Budget, limit: str) -> None:
    first = held(budget, 400, 500)
    assert isinstance(first, Hold)
    budget.settle(first, reply(400, 300))
    assert held(budget, 400, 500) == limit
    assert set(budget.left()) == {limit} and all(left >= 0 for left in budget.left().values())


def test_what_fits_exactly_is_made() -> None:
    budget = Budget(tokens=1000, calls=1)
    assert isinstance(held(budget, 500, 500), Hold)


def test_a_failed_call_counts_as_a_call_and_costs_nothing() -> None:
    budget = Budget(tokens=1000, calls=2)
    hold = held(budget, 500, 500)
    assert isinstance(hold, Hold)
    budget.settle(hold, None)
    assert (budget.tokens, budget.calls) == (0, 1) and budget.left() == {"budget_tokens": 1000, "max_calls": 1}


def test_where_the_server_does_not_count_it_is_estimated() -> None:
    budget = Budget()
    hold = held(budget, 700, 500)
    assert isinstance(hold, Hold)
    budget.settle(hold, Reply(text="x" * 400))
    assert budget.tokens == 700 + 100


@given(costs=st.lists(st.tuples(st.integers(1, 90), st.integers(0, 100)), max_size=30), limit=st.integers(0, 3000))
@settings(max_examples=50, deadline=None)
def test_never_passed_and_never_stopped_early(costs: list[tuple[int, int]], limit: int) -> None:
    """Four workers; what a call takes is at most what was held back for it (100 of prompt and reply)."""
    budget = Budget(tokens=limit)
    left = list(costs)
    stops: list[int] = []

    async def work() -> None:
        while left and not stops:
            prompt, completion = left.pop()
            hold = await budget.hold("m", prompt, 100)
            if not isinstance(hold, Hold):
                stops.append(budget.tokens + prompt + 100)
                return
            await asyncio.sleep(prompt)
            budget.settle(hold, reply(prompt, max(1, completion)))

    async def all_four() -> None:
        await asyncio.gather(*(work() for _ in range(4)))

    virtual.run(all_four())
    assert budget.tokens <= limit
    assert all(would_be > limit for would_be in stops), "with nothing on its way the next call could pass it"


def test_a_cost_limit_wants_a_price_and_prices_are_numbers() -> None:
    assert set(PRICES) == {"m"}, "half a price is none"
    Budget(prices=PRICES).check(["unknown"])
    with pytest.raises(InputError) as missing:
        Budget(cost=Decimal(1), prices=PRICES).check(["m", "unknown"])
    assert "unknown" in str(missing.value)
    for text in ("cheap", "-1", "NaN", "Infinity"):
        with pytest.raises(InputError):
            read_prices({"m.input": text, "m.output": "1"})
