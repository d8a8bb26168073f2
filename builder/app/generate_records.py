"""What a generate run is asked for, plans and reports."""

from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, ValidationError

from builder.errors import UsageError
from builder.model.case import QuestionType, Style
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
    styles: dict[Style, int] = Field(default_factory=dict)
    """Styles in which accepted questions are worded anew, with their weights; `formal` is the questions' own part."""
    mode: Literal["text", "outline"] = "text"
    """outline: the model sees headings and neutral facts in place of the sentences."""
    verify: bool = False
    """Let a second call answer from the evidence, blind to the first answer."""
    verify_model: str | None = None
    """Who answers then; else that of builder.toml, else the model that writes."""
    budget_tokens: int | None = Field(default=None, ge=1)
    """Stop before more tokens than this are spent, of prompts and replies."""
    budget_cost: Decimal | None = Field(default=None, gt=0)
    """Stop before more than this is spent, by the prices of builder.toml."""
    max_calls: int | None = Field(default=None, ge=1)
    """At most so many calls."""
    retry_failed: bool = False
    """Ask once more about what fell short too often, and about what was sent out as a batch and never came back."""
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


class PlanRow(Record):
    """What is planned of one type or style."""

    name: str
    """A question type, a style, or empty for what the passages give."""
    have: int
    """Cases of it that the dataset has."""
    target: int
    """Cases of it that the dataset shall have."""
    calls: int
    """Calls to be made for it."""
    items: int
    """Cases asked for."""


class KeptRow(Record):
    """New cases of one type in one style."""

    question_type: QuestionType
    """The type."""
    style: Style
    """The style."""
    kept: int
    """New cases."""
    warned: int
    """Of these: with a check that warns or fails."""


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
    rows: tuple[PlanRow, ...] = ()
    """By type and style, where any was asked for."""


class GenerationReport(Record):
    """What a run did."""

    plan: GenerationPlan
    """What it was about to do."""
    kept: int = 0
    """New cases."""
    rows: tuple[KeptRow, ...] = ()
    """New cases by type and style."""
    verified: int = 0
    """Calls that verified a case."""
    unverified: int = 0
    """Cases that may not be sent to who verifies."""
    duplicates: int = 0
    """Cases whose verdict on duplicates changed."""
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
