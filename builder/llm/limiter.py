"""One limiter for all calls of a run: calls and tokens a minute, pauses that a server asks for, calls at a time.

Calls at a time follow what the server takes: halved when it says 429, one more after every few replies, up to what was
asked for (additive increase, multiplicative decrease). Clock and sleep come from outside.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from builder.llm.failures import CallFailed, Reason
from builder.model.attempt import Reply

MINUTE = 60.0


@dataclass(slots=True)
class _Sent:
    """One call within the last minute."""

    at: float
    tokens: int
    round: int
    """How often calls at a time had been halved when it was sent."""


class Limiter:
    """Lives as long as the run, over all its event loops; every try of every call goes through `call`."""

    def __init__(
        self,
        *,
        concurrency: int = 4,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        longest_pause: float = 60.0,
        recover_after: int = 10,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.concurrency = concurrency
        self.allowed = concurrency
        """Calls at a time, now."""
        self.active = 0
        """Calls on their way."""
        self._requests = requests_per_minute
        self._tokens = tokens_per_minute
        self._longest_pause = longest_pause
        self._recover_after = recover_after
        self._clock = clock
        self._sleep = sleep
        self._sent: deque[_Sent] = deque()
        self._paused_until = float("-inf")
        self._good = self._round = self._refusals = self._waiting = 0
        self._turn, self._freed = asyncio.Lock(), asyncio.Event()

    async def call(self, tokens: int, make: Callable[[], Awaitable[Reply]]) -> Reply:
        """The reply of `make`, called when it may be. `tokens`: estimate for prompt and reply; the usage corrects it.

        A wait in here can be cancelled like any other.

        Raises:
            CallFailed: as `make` raises it; a 429 slows everybody down.
        """
        sent = await self._enter(tokens)
        try:
            reply = await make()
            sent.tokens = reply.prompt_tokens + reply.completion_tokens or tokens
            self._answered()
            return reply
        except CallFailed as failure:
            if failure.reason is Reason.RATE_LIMITED:
                self._refused(sent, failure.retry_after)
            raise
        finally:
            self.active -= 1
            self._freed.set()

    async def _enter(self, tokens: int) -> _Sent:
        if not self.active and not self._waiting:  # locks belong to one event loop; an idle limiter takes new ones
            self._turn, self._freed = asyncio.Lock(), asyncio.Event()
        self._waiting += 1
        try:
            async with self._turn:
                await self._until_allowed(tokens)
        finally:
            self._waiting -= 1
        self.active += 1
        sent = _Sent(self._clock(), tokens, self._round)
        self._sent.append(sent)
        return sent

    async def _until_allowed(self, tokens: int) -> None:
        while True:
            if self.active >= self.allowed:
                self._freed.clear()
                await self._freed.wait()
            elif (wait := self._wait(tokens)) > 0:
                await self._sleep_or_change(wait)
            else:
                return

    async def _sleep_or_change(self, seconds: float) -> None:
        """Sleep, but wake up when a call comes in: it may have taken fewer tokens than were reckoned with."""
        self._freed.clear()
        tasks = [asyncio.ensure_future(waiting) for waiting in (self._sleep(seconds), self._freed.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    def _wait(self, tokens: int) -> float:
        """Seconds until a call of so many tokens may be sent, as far as is known now."""
        now = self._clock()
        while self._sent and self._sent[0].at <= now - MINUTE:
            self._sent.popleft()
        until = max(self._paused_until, self._room_for_call(), self._room_for_tokens(tokens))
        return until - now

    def _room_for_call(self) -> float:
        if self._requests is None or len(self._sent) < self._requests:
            return float("-inf")
        return self._sent[-self._requests].at + MINUTE

    def _room_for_tokens(self, tokens: int) -> float:
        """When enough of the last minute's tokens have run out; a call above the limit waits for an empty minute."""
        if self._tokens is None:
            return float("-inf")
        over = sum(sent.tokens for sent in self._sent) + tokens - self._tokens
        until = float("-inf")
        for sent in self._sent:
            if over <= 0:
                break
            over -= sent.tokens
            until = sent.at + MINUTE
        return until

    def _refused(self, sent: _Sent, retry_after: float | None) -> None:
        """Slow down: once for all calls that were on their way together."""
        self._good = 0
        pause = retry_after
        if sent.round == self._round:
            self._round += 1
            self.allowed = max(1, self.allowed // 2)
            if pause is None:  # nothing is said: a second, and twice as long each time until a reply comes in
                pause = min(self._longest_pause, 2.0 ** min(self._refusals, 10))
            self._refusals += 1
        if pause is not None and pause <= self._longest_pause:
            self._paused_until = max(self._paused_until, self._clock() + pause)

    def _answered(self) -> None:
        self._good += 1
        self._refusals = 0
        if self._good >= self._recover_after and self.allowed < self.concurrency:
            self._good = 0
            self.allowed += 1
