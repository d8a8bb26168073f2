"""What a run may spend: tokens, money, calls. What a call may cost is held back before it is made.

A call that does not fit beside those on their way waits until one of them has come in: as a rule it costs less than was
held back for it. Only when nothing is on its way is the budget spent.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from builder.errors import InputError
from builder.llm.tokens import estimate_tokens
from builder.model.attempt import Reply

Limit = Literal["budget_tokens", "budget_cost", "max_calls"]
"""What stopped a run; each has a line in the word lists below `generate.stopped`."""
_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost."""

    input: Decimal
    """Of the prompt."""
    output: Decimal
    """Of the reply."""
    cached: Decimal | None = None
    """Of the prompt, served from a cache; none: like the rest of it."""

    def cost(self, prompt: int, completion: int, cached: int = 0) -> Decimal:
        """The cost of one call; `cached` is a part of `prompt`."""
        cheap = min(cached, prompt) if self.cached is not None else 0
        total = self.input * (prompt - cheap) + (self.cached or 0) * cheap + self.output * completion
        return total / _MILLION


@dataclass(frozen=True, slots=True)
class Hold:
    """What is held back for one call."""

    model: str
    prompt: int
    completion: int


def read_prices(settings: Mapping[str, str]) -> dict[str, Price]:
    """Prices by model, from `MODEL.input`, `MODEL.output` and, where there is one, `MODEL.cached`.

    Raises:
        InputError: a price that is no number of 0 or more.
    """
    values = {name: _amount(name, text) for name, text in settings.items()}
    models = [name.removesuffix(".input") for name in values if name.endswith(".input")]
    return {
        model: Price(
            input=values[f"{model}.input"], output=values[f"{model}.output"], cached=values.get(f"{model}.cached")
        )
        for model in models
        if f"{model}.output" in values
    }


def _amount(name: str, text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise InputError("price", name=name, value=text)
    return amount


class Budget:
    """Lives as long as the run, over all its event loops. Without limits it only counts."""

    def __init__(
        self,
        *,
        tokens: int | None = None,
        cost: Decimal | None = None,
        calls: int | None = None,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.token_limit, self.cost_limit, self.call_limit = tokens, cost, calls
        self.tokens = 0
        """Tokens of the replies that came in."""
        self.cost = Decimal(0)
        """What they cost, as far as prices are known."""
        self.calls = 0
        """Calls that were made, failed ones too; the tries of one call count once."""
        self._prices = dict(prices or {})
        self._holds: list[Hold] = []
        self._changed = asyncio.Event()

    def check(self, models: Iterable[str]) -> None:
        """See that what is limited can be counted.

        Raises:
            InputError: cost is limited, and a model has no price.
        """
        missing = [model for model in models if model not in self._prices]
        if self.cost_limit is not None and missing:
            raise InputError("no_price", model=missing[0])

    async def hold(self, model: str, prompt: int, completion: int) -> Hold | Limit:
        """Hold back what a call may cost at most; or which limit it could pass, with nothing on its way any more."""
        wanted = Hold(model, prompt, completion)
        while (limit := self._passed(wanted)) is not None:
            if not self._holds:
                return limit
            if self._changed.is_set():
                self._changed = asyncio.Event()  # a new one: the old may belong to an event loop that is gone
            await self._changed.wait()
        self._holds.append(wanted)
        return wanted

    def settle(self, held: Hold, reply: Reply | None) -> None:
        """The call has come in with `reply`, or failed. Where the server does not count tokens, they are estimated."""
        self.calls += 1
        if reply is not None:
            prompt = reply.prompt_tokens or held.prompt
            completion = reply.completion_tokens or estimate_tokens(reply.text)
            self.tokens += prompt + completion
            self.cost += self._cost(held.model, prompt, completion, reply.cached_tokens)
        self.release(held)

    def release(self, held: Hold) -> None:
        """Give back what was held for a call that is not made."""
        self._holds.remove(held)
        self._changed.set()

    def left(self) -> dict[Limit, int | Decimal]:
        """What is left below each limit that is set; never less than 0."""
        left: dict[Limit, int | Decimal] = {}
        if self.token_limit is not None:
            left["budget_tokens"] = max(0, self.token_limit - self.tokens)
        if self.cost_limit is not None:
            left["budget_cost"] = max(Decimal(0), self.cost_limit - self.cost)
        if self.call_limit is not None:
            left["max_calls"] = max(0, self.call_limit - self.calls)
        return left

    def _passed(self, wanted: Hold) -> Limit | None:
        """The first limit that the wanted call could pass, with all that are on their way."""
        held = [*self._holds, wanted]
        if self.call_limit is not None and self.calls + len(held) > self.call_limit:
            return "max_calls"
        tokens = self.tokens + sum(one.prompt + one.completion for one in held)
        if self.token_limit is not None and tokens > self.token_limit:
            return "budget_tokens"
        cost = self.cost + sum(self._cost(one.model, one.prompt, one.completion) for one in held)
        return "budget_cost" if self.cost_limit is not None and cost > self.cost_limit else None

    def _cost(self, model: str, prompt: int, completion: int, cached: int = 0) -> Decimal:
        price = self._prices.get(model)
        return price.cost(prompt, completion, cached) if price else Decimal(0)
