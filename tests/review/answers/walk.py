"""A session of the review of answers without a terminal."""

from collections.abc import Callable

from builder.review.answers.desk import AnswerDesk
from builder.review.answers.session import Session, run
from builder.review.answers.summary import Summary
from builder.words import words
from tests.review.walk import Clock, ScriptedTerminal


class Walk:
    """What a session left behind."""

    def __init__(self, summary: Summary, terminal: ScriptedTerminal) -> None:
        self.summary = summary
        self.screens = terminal.screens
        self.prompts = terminal.prompts

    @property
    def last(self) -> str:
        return self.screens[-1]


def walk(
    desk: AnswerDesk,
    *keys: str,
    lines: tuple[str | None, ...] = (),
    guard: float = 0.0,
    clock: Callable[[], float] | None = None,
    size: tuple[int, int] = (100, 30),
) -> Walk:
    """Run a session with these keys, then leave."""
    terminal = ScriptedTerminal(list(keys), list(lines), *size)
    summary = run(Session(desk=desk, terminal=terminal, say=words("zh"), clock=clock or Clock()), guard)
    assert terminal.state == "closed"
    return Walk(summary, terminal)
