"""Attempts: one model call each, written before it is made and after it came back."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from builder.model.case import QuestionType, Style
from builder.model.record import Record


class AttemptState(StrEnum):
    """How far a call has got."""

    CLAIMED = "claimed"
    """A process is about to make it, or is making it."""
    REPLIED = "replied"
    """The reply is stored; its items are not yet cases."""
    DONE = "done"
    """Its items are cases, or dropped by reason."""
    FAILED = "failed"
    """The call failed; it may be made again."""
    BATCHED = "batched"
    """Sent out with a batch: its reply is awaited, and nobody makes the call meanwhile."""


class Purpose(StrEnum):
    """What a call is for."""

    ITEMS = "items"
    """Questions and answers about passages."""
    STYLE = "style"
    """The question of a case in another style."""
    VERIFY = "verify"
    """An answer from the evidence, blind to the first one; of an unanswerable case, from the passages found for it."""
    CLOSED_BOOK = "closed_book"
    """An answer without any passage."""
    WITHOUT_GROUP = "without_group"
    """An answer without one of several evidence groups."""


class Task(Record):
    """What one call is for and what its prompt is made of: enough to make the request, and to read its reply, again."""

    purpose: Purpose = Purpose.ITEMS
    """What the call is for."""
    chunk_ids: tuple[str, ...] = ()
    """Chunks in the order of their numbers: number 1 is the first."""
    asked: int = 1
    """Items asked for."""
    question_type: QuestionType | None = None
    """The type asked for; none: what the passages give."""
    style: Style | None = None
    """The style asked for."""
    case_id: str = ""
    """The case that a style or verify call is about."""
    group: int | None = None
    """The evidence group that is left out, from 0."""
    facts: dict[str, str] = Field(default_factory=dict)
    """What the plan step of the type found, for its prompt and its acceptance test."""
    earlier: tuple[str, ...] = ()
    """Questions that these chunks have already."""
    audience: str = ""
    """Name of the audience in builder.toml."""
    outline: bool = False
    """The model sees neutral facts in place of the sentences."""
    turn: int = 1
    """2: asked once more, since the first reply fell short; higher: by --retry-failed."""


class Claimant(Record):
    """The process that makes a call. A dead process's claim is free at once."""

    host: str
    """Host name."""
    pid: int
    """Process id."""
    started: int
    """Process start, milliseconds since the epoch: a pid may be used again."""


class Reply(Record):
    """What came back from a writer."""

    text: str
    """The reply text, as it came."""
    finish_reason: str = "stop"
    """stop, length, content_filter, …"""
    prompt_tokens: int = 0
    """Tokens of the prompt, as the server counts."""
    completion_tokens: int = 0
    """Tokens of the reply, as the server counts."""
    cached_tokens: int = 0
    """Of the prompt: served from a cache."""
    model: str = ""
    """The model as the server names it."""


class Attempt(Record):
    """One model call."""

    request_hash: str
    """Hash of what is sent; the key."""
    dataset: str
    """The dataset that the items go to."""
    task: Task
    """What it is for."""
    writer: str
    """openai, local or extractive."""
    model: str
    """Model name."""
    prompt_hash: str
    """Hash of the prompt templates."""
    state: AttemptState
    """How far it has got."""
    claimant: Claimant | None = None
    """Who makes it."""
    batch: str = ""
    """Batched: the id of the server's batch; `tag:…` until the server gave one; `file:…` where a file was written."""
    reply: Reply | None = None
    """What came back."""
    kept: int = 0
    """Items that became cases."""
    drops: dict[str, int] = Field(default_factory=dict)
    """Items dropped, by reason."""
    error: str = ""
    """Why the call failed, in one line."""
    at: datetime
    """Last change, UTC."""
