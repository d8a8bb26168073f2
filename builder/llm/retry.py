"""A few more tries for failures that pass by: bounded, with full jitter, Retry-After honoured up to a cap."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from builder.llm.failures import CallFailed
from builder.model.attempt import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long."""

    tries: int = 4
    """Calls in all."""
    base: float = 0.5
    """Seconds: the first wait lies between 0 and this, each further one between 0 and twice as much."""
    longest: float = 8.0
    """Seconds: no jittered wait is longer."""
    longest_asked: float = 60.0
    """Seconds: a server that asks for a longer wait is not waited for; the call fails and can be made later."""


async def retried(
    call: Callable[[], Awaitable[Reply]],
    policy: RetryPolicy,
    *,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    spread: Callable[[float, float], float] = random.uniform,
) -> Reply:
    """The reply of `call`, tried again while its failures are transient.

    Raises:
        CallFailed: the last failure; fatal where it will hit every other call too.
    """
    for number in range(1, policy.tries + 1):
        try:
            return await call()
        except CallFailed as failure:
            wait = _wait(failure, number, policy, spread)
            if wait is None:
                raise failure.lasting() from failure
        await sleep(wait)
    raise AssertionError("tries is at least 1")


def _wait(
    failure: CallFailed, number: int, policy: RetryPolicy, spread: Callable[[float, float], float]
) -> float | None:
    """Seconds until the next try; none where there is no next one."""
    if not failure.transient or number >= policy.tries:
        return None
    if failure.retry_after is None:
        return spread(0.0, min(policy.longest, policy.base * 2.0 ** (number - 1)))
    return failure.retry_after if failure.retry_after <= policy.longest_asked else None
