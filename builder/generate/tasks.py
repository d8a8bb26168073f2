"""Tasks become calls, replies become outcomes: one module a purpose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from builder.generate.material import Material
from builder.generate.writer import Request
from builder.model.attempt import Attempt, Purpose, Reply, Task
from builder.model.case import Case, CheckResult
from builder.model.chunk import Chunk

PURPOSES: Mapping[Purpose, str] = {
    Purpose.ITEMS: "builder.generate.asking",
    Purpose.STYLE: "builder.generate.styling",
    Purpose.VERIFY: "builder.generate.verifying",
    Purpose.CLOSED_BOOK: "builder.generate.verifying",
    Purpose.WITHOUT_GROUP: "builder.generate.verifying",
}
"""Modules by purpose; each has `call(task, material)` and `outcome(call, attempt, reply, material)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request, and what its reply is read against."""

    task: Task
    """What it is for."""
    request: Request
    """What is sent."""
    prompt_hash: str
    """Hash of the templates that made it."""
    chunks: tuple[Chunk, ...] = ()
    """Chunks in the order of their numbers."""
    case: Case | None = None
    """The case that a style or verify call is about, as it was when the request was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a reply became. The same reply always gives the same outcome."""

    cases: tuple[Case, ...] = ()
    """New cases, unreviewed."""
    verdicts: tuple[CheckResult, ...] = ()
    """What a model says of the case that the task is about."""
    drops: Mapping[str, int] = field(default_factory=dict)
    """What was dropped, by reason: keys of the word lists below `generate.drop`."""


class Handler(Protocol):
    """One module of PURPOSES."""

    def call(self, task: Task, material: Material) -> Call:
        """The call of a task."""

    def outcome(self, call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
        """What its reply becomes."""


def call_of(task: Task, material: Material) -> Call:
    """The call of a task.

    Raises:
        LookupError: a chunk or case of the task is gone.
        InputError: a broken prompt template.
    """
    return _handler(task).call(task, material)


def outcome_of(call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
    """What the reply to a call becomes."""
    return _handler(call.task).outcome(call, attempt, reply, material)


def _handler(task: Task) -> Handler:
    handler: Handler = import_module(PURPOSES[task.purpose])
    return handler
