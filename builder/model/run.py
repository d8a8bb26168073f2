"""Runs: what one RAG system answered for one snapshot, with its trace. One JSON line a case and repeat, header first.

Everything but the case id is optional: what a system does not tell is None, what it tells to be empty is empty. Fields
that this version does not know are kept.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from builder.model.case import Split, Status
from builder.model.record import Record

SCHEMA_VERSION = 1
WHOLE = "total"
"""The stage of a figure that was given for the whole answer."""


class OpenRecord(Record):
    """A record that somebody else's program may have written: unknown fields are kept as they are."""

    model_config = ConfigDict(frozen=True, extra="allow", coerce_numbers_to_str=True)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with `changes`; unknown fields stay.

        Raises:
            pydantic.ValidationError: the result would not be a legal record.
        """
        return super().replace(**((self.model_extra or {}) | changes))


def _named(value: Any) -> Any:
    """A bare id stands for an item that has only an id."""
    return {"id": value} if isinstance(value, str | int) and not isinstance(value, bool) else value


def _staged(value: Any) -> Any:
    """A bare number stands for the whole answer."""
    return {WHOLE: value} if isinstance(value, int | float) else value


def _counted(value: Any) -> Any:
    """Tokens without stages stand for the whole answer."""
    flat = isinstance(value, Mapping) and any(isinstance(value.get(name), int) for name in ("input", "output"))
    return {WHOLE: value} if flat else value


class ItemSpan(OpenRecord):
    """Which characters of a document or page."""

    start: int = Field(ge=0)
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""
    page: int | None = None
    """The page whose characters are counted; none where those of the whole document are."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"no such span: {self.start}:{self.end}")
        return self


class RetrievedItem(OpenRecord):
    """One passage on its way through the system."""

    id: str = ""
    """The system's own id of it; empty only where the text is all that is known."""
    doc_id: str | None = None
    """The document."""
    doc_version: str | None = None
    """Which version of it."""
    span: ItemSpan | None = None
    """Where in the document it stands."""
    score: float | None = None
    """How well it fits, as the system says."""
    text: str | None = None
    """Its text."""

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.id and self.text is None:
            raise ValueError("an item has an id or a text")
        return self


class Citation(OpenRecord):
    """What the answer names as its source."""

    id: str
    """The passage, as the system's own id."""
    doc_id: str | None = None
    """The document."""
    doc_version: str | None = None
    """Which version of it."""
    span: ItemSpan | None = None
    """Where in the document it stands."""
    quote: str | None = None
    """What is quoted of it."""
    marker: str | None = None
    """How the answer writes it, for instance [1]."""


class ToolCall(OpenRecord):
    """A tool that the system called."""

    name: str
    """The tool."""
    arguments: Any = None
    """What it was called with."""
    side_effect: bool | None = None
    """It changed something in the world."""
    error: str | None = None
    """Why it failed."""


class Tokens(OpenRecord):
    """Tokens of one stage."""

    input: int | None = Field(default=None, ge=0)
    """Tokens sent, cached ones included."""
    cached: int | None = Field(default=None, ge=0)
    """Of these: taken from a cache."""
    output: int | None = Field(default=None, ge=0)
    """Tokens received."""


Item = Annotated[RetrievedItem, BeforeValidator(_named, json_schema_input_type=RetrievedItem | str | int)]
Cited = Annotated[Citation, BeforeValidator(_named, json_schema_input_type=Citation | str | int)]
Figures = Annotated[dict[str, float], BeforeValidator(_staged, json_schema_input_type=dict[str, float] | float)]
Counts = Annotated[dict[str, Tokens], BeforeValidator(_counted, json_schema_input_type=dict[str, Tokens] | Tokens)]


class RunHeader(OpenRecord):
    """The first line of a run."""

    schema_version: int = SCHEMA_VERSION
    """Version of the file format."""
    snapshot: str
    """Name of the snapshot that was asked."""
    snapshot_hash: str | None = None
    """Its content hash."""
    config: dict[str, Any] = Field(default_factory=dict)
    """The user's facts about the system: model, index, prompt, chunking, temperature, …"""
    seed: int | None = None
    """Seed of everything random."""
    concurrency: int | None = None
    """Questions asked at once."""
    repeats: int = Field(default=1, ge=1)
    """How often each case was to be asked."""
    splits: tuple[Split, ...] = ()
    """Only cases of these splits were to be asked; empty: all."""
    limit: int | None = Field(default=None, ge=1)
    """Only so many of them were to be asked, drawn by the seed; see score.scope."""


class RunRecord(OpenRecord):
    """One answer."""

    schema_version: int = SCHEMA_VERSION
    """Version of the file format."""
    case_id: str
    """The case."""
    repeat: int = Field(default=1, ge=1)
    """Which time it was asked, from 1."""
    question: str | None = None
    """The question as sent."""
    rewritten_query: str | None = None
    """What was searched for."""
    filters: dict[str, Any] | None = None
    """Filters of the search."""
    retrieved: tuple[Item, ...] | None = None
    """Candidates, best first."""
    reranked: tuple[Item, ...] | None = None
    """The same after ranking, best first."""
    context: tuple[Item, ...] | None = None
    """What was put into the prompt, in its order."""
    context_text: str | None = None
    """The text that the model really read."""
    answer: str | None = None
    """What the system answered."""
    status: Status | None = None
    """What it did."""
    status_derived: bool = False
    """The status was told from the words of the answer, not by the system."""
    refusal_reason: str | None = None
    """Why it refused."""
    citations: tuple[Cited, ...] | None = None
    """What the answer cites."""
    tool_calls: tuple[ToolCall, ...] | None = None
    """Tools that were called."""
    latency_ms: Figures | None = None
    """Milliseconds by stage."""
    ttft_ms: float | None = None
    """Milliseconds to the first token."""
    tokens: Counts | None = None
    """Tokens by stage."""
    cost: Figures | None = None
    """Cost by stage."""
    downgraded: bool | None = None
    """It fell back to less: another model, no reranker, fewer passages."""
    error: str | None = None
    """Why there is no answer."""
