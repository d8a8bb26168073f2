"""Attempts: one model call each, written before it is made and after it came back."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

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
    chunk_ids: tuple[str, ...]
    """Chunks in the order of their numbers: number 1 is the first."""
    asked: int
    """Items asked for."""
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
