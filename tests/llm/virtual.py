"""Virtual time: an event loop whose clock jumps to the next thing that is waited for. Exact, and quick."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """Never waits: hands the waiting time to the loop's clock."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("nothing is left to wait for")
        self.now += timeout
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def clock() -> float:
    """Seconds of virtual time."""
    return asyncio.get_running_loop().time()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in virtual time; fails where it would wait for ever."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)
