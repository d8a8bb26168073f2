"""A session without a terminal: keys go to the real session through a scripted door."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from builder.review.rows import Row
from builder.review.session import Session, run
from builder.review.summary import Summary
from builder.words import words
from tests.review.desk import DictDesk


class Clock:
    """Seconds that pass only when told."""

    def __init__(self, step: float = 1.0) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@dataclass
class ScriptedTerminal:
    """Gives keys and lines from lists, keeps what was painted, and leaves when the keys are used up."""

    keys: list[str]
    lines: list[str | None] = field(default_factory=list)
    columns: int = 80
    rows: int = 24
    screens: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    state: str = "closed"

    def open(self) -> None:
        self.state = "open"

    def close(self) -> None:
        self.state = "closed"

    def size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def paint(self, rows: tuple[Row, ...]) -> None:
        assert self.state == "open"
        self.screens.append("\n".join(row.text().plain.rstrip() for row in rows))

    def read(self) -> str:
        return self.keys.pop(0) if self.keys else "q"

    def ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.lines.pop(0) if self.lines else None

    @contextmanager
    def suspended(self) -> Iterator[None]:
        self.state = "suspended"
        yield
        self.state = "open"


@dataclass(frozen=True)
class Walk:
    """What a session left behind."""

    summary: Summary
    screens: list[str]
    prompts: list[str]

    @property
    def last(self) -> str:
        return self.screens[-1]


def walk(
    desk: DictDesk,
    *keys: str,
    lines: tuple[str | None, ...] = (),
    edit: Callable[[str], str | None] = lambda text: text,
    guard: float = 0.0,
    clock: Callable[[], float] | None = None,
    size: tuple[int, int] = (80, 24),
    **more: Any,
) -> Walk:
    """Run a session with these keys, then leave."""
    terminal = ScriptedTerminal(list(keys), list(lines), *size)
    session = Session(desk=desk, terminal=terminal, say=words("zh"), edit=edit, clock=clock or Clock(), **more)
    summary = run(session, guard)
    assert terminal.state == "closed"
    return Walk(summary, terminal.screens, terminal.prompts)
