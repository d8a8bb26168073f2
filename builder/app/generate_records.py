"""What a generate run is asked for, plans and reports."""

from typing import Any, Literal

from pydantic import Field, ValidationError

from builder.errors import UsageError
from builder.model.case import QuestionType
from builder.model.record import Record

DEFAULT_CASES = 200


class Asked(Record):
    """What the user asks of a run."""

    per_chunk: int = 2
    """Generated cases that a chunk shall have."""
    limit: int | None = None
    """At most so many chunks."""
    cases: int = DEFAULT_CASES
    """Generated cases that the dataset shall have in all."""
    docs: tuple[str, ...] = ()
    """Only documents whose id begins so; empty: all."""
    window: int = 1
    """Chunks a call."""
    seed: int = 0
    """Changes which chunks come first."""
    writer: str | None = None
    """openai, local or extractive."""
    model: str | None = None
    """Model name, or a .gguf file."""
    dataset: str | None = None
    """The dataset; else that of builder.toml."""
    concurrency: int | None = None
    """Calls at a time."""
    types: dict[QuestionType, int] = Field(default_factory=dict)
    """Types of questions with their weights; empty: what the passages give."""
    retry_failed: bool = False
    """Ask once more about what fell short too often."""
    resume: Literal["if-same", "always", "never"] = "if-same"
    """if-same, always or never: what to do about a run that did not come to its end."""


def asked(**options: Any) -> Asked:
    """What the command line asks for.

    Raises:
        UsageError: a word that is none of the choices.
    """
    try:
        return Asked(**options)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError("option_value", option=f"--{first['loc'][0]}", detail=first["msg"]) from error


class GenerationPlan(Record):
    """What a run is about to do."""

    writer: str
    """Who writes."""
    model: str
    """Model name."""
    calls: int
    """Calls to be made."""
    items: int
    """Items asked for."""
    chunks: int
    """Chunks asked about."""
    bound_by: str
    """The tightest of per_chunk, cases and limit."""
    prompt_tokens: int
    """Estimate."""
    completion_tokens: int
    """Estimate."""
    cost: str | None
    """Estimate from the prices of builder.toml; none where they are not known."""
    review_seconds: int
    """Time that a person needs to review what is asked for."""
    held_back: dict[str, int]
    """Chunks of restricted documents that are not sent, by doc_id."""
    have: int
    """Generated cases that the dataset has already."""


class GenerationReport(Record):
    """What a run did."""

    plan: GenerationPlan
    """What it was about to do."""
    kept: int = 0
    """New cases."""
    dropped: dict[str, int] = Field(default_factory=dict)
    """Items dropped, by reason."""
    failed: dict[str, tuple[int, str]] = Field(default_factory=dict)
    """Failed calls, by reason: how many, and what the first said."""
    calls: int = 0
    """Calls that were made and answered."""
    reused: int = 0
    """Replies that were there already."""
    skipped_claimed: int = 0
    """Calls that another process makes."""
    not_started: int = 0
    """Calls left when the run stopped."""
    prompt_tokens: int = 0
    """As the server counts."""
    completion_tokens: int = 0
    """As the server counts."""
    stopped: str | None = None
    """Why the run stopped early."""

    @property
    def every_call_failed(self) -> bool:
        """Calls failed and none was answered."""
        return bool(self.failed) and not self.calls and not self.reused
