"""The one door to what writes items: numbered passages in; reply text, usage and finish reason out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from builder.errors import InputError
from builder.llm.endpoint import Endpoint
from builder.llm.formats import FormatMemory, Wanted
from builder.llm.limiter import Limiter
from builder.llm.retry import RetryPolicy
from builder.llm.shapes import Shape
from builder.model.attempt import Reply
from builder.model.chunk import ChunkKind
from builder.text.canonical import canonical
from builder.text.ids import digest

WRITERS: Mapping[str, str] = {
    "openai": "builder.generate.writers.openai",
    "local": "builder.generate.writers.local",
    "extractive": "builder.generate.writers.extractive",
}
"""Modules by writer name; each has `make(options) -> Writer` and is imported when its writer is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a prompt."""

    role: str
    """system or user."""
    content: str
    """Its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedPassage:
    """A passage as it is sent."""

    number: int
    """From 1, within the request."""
    chunk_id: str
    """The chunk; never sent, but part of the request's hash: passages of like text are asked about each."""
    text: str
    """Text of the chunk."""
    sentences: tuple[tuple[int, int], ...]
    """Spans of its sentences in `text`; sentence 1 is the first."""
    heading: str = ""
    """Document title and heading path, outermost first, joined by ` › `."""
    kind: ChunkKind = ChunkKind.TEXT
    """What the passage is."""
    language: str = "en"
    """zh or en."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call."""

    messages: tuple[Message, ...]
    """The prompt; the extractive writer reads the passages instead."""
    passages: tuple[NumberedPassage, ...]
    """What the prompt shows."""
    asked: int
    """Items asked for."""
    max_tokens: int = 2000
    """Tokens of the reply."""
    temperature: str = "0.3"
    """Decimal as text: part of the hash."""
    earlier: tuple[str, ...] = ()
    """Questions that the passages have already."""
    turn: int = 1
    """2: the same asked once more."""
    shape: Shape = "items"
    """What JSON is asked for: see llm.shapes."""


class Writer(Protocol):
    """Writes items about passages."""

    @property
    def name(self) -> str:
        """openai, local or extractive."""

    @property
    def model(self) -> str:
        """Model name, or the writer's version."""

    async def write(self, request: Request) -> Reply:
        """The reply to one request.

        Raises:
            CallFailed: after the writer's own retries.
        """

    async def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterOptions:
    """What a writer may need."""

    endpoint: Endpoint | None = None
    """openai: where to call."""
    model: str = ""
    """local: the .gguf file."""
    timeout: float = 120.0
    """Seconds a call."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    """Tries a call."""
    limiter: Limiter | None = None
    """The one of the run, shared by all of its writers; none: nothing is paced."""
    response_format: Wanted = "auto"
    """What is asked of the server."""
    formats: FormatMemory | None = None
    """Where it is remembered what a server takes; none: for the life of the writer."""


def open_writer(name: str, options: WriterOptions) -> Writer:
    """The writer called `name`.

    Raises:
        InputError: no such writer, or it lacks something (an extra, a file, an endpoint).
    """
    if name not in WRITERS:
        raise InputError("no_writer", name=name, names=", ".join(WRITERS))
    writer: Writer = import_module(WRITERS[name]).make(options)
    return writer


def request_hash(writer: Writer, request: Request) -> str:
    """Hash of what is sent, by whom it is answered, and about which chunks."""
    return digest(
        writer.name,
        writer.model,
        canonical(
            {
                "messages": [[message.role, message.content] for message in request.messages],
                "passages": [_passage(passage) for passage in request.passages],
                "asked": request.asked,
                "max_tokens": request.max_tokens,
                "temperature": request.temperature,
                "earlier": request.earlier,
                "turn": request.turn,
            }
        ),
        length=32,
    )


def _passage(passage: NumberedPassage) -> list[object]:
    spans = [list(span) for span in passage.sentences]
    return [passage.number, passage.chunk_id, passage.heading, passage.text, spans, passage.kind, passage.language]
