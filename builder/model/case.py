"""Cases: question, reference answer, exact evidence, origin, state."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from builder.model.access import UserContext
from builder.model.claim import Claim
from builder.model.parts import Parts
from builder.model.record import Record


class Source(StrEnum):
    """Where a case came from."""

    MANUAL = "manual"
    GENERATED = "generated"
    FEEDBACK = "feedback"


class ReviewState(StrEnum):
    """How far people have decided."""

    NEEDS_ANSWER = "needs_answer"
    UNREVIEWED = "unreviewed"
    APPROVED = "approved"
    REJECTED = "rejected"


class DisabledReason(StrEnum):
    """Why a complete case does not count for now."""

    BY_HAND = "by_hand"
    STALE_CHANGED = "stale_changed"
    STALE_GONE = "stale_gone"
    STALE_CHECK = "stale_check"
    """A key press must confirm it again."""


class RejectReason(StrEnum):
    """Why a person rejected; the slugs are stable data."""

    WRONG_ANSWER = "wrong_answer"
    UNSUPPORTED = "unsupported"
    UNCLEAR = "unclear"
    CLOSED_BOOK = "closed_book"
    DUPLICATE = "duplicate"
    OUT_OF_SCOPE = "out_of_scope"
    PRIVATE = "private"
    BAD_OCR = "bad_ocr"
    OTHER = "other"


class Status(StrEnum):
    """What a system may rightly do with a question."""

    ANSWER = "answer"
    REFUSE = "refuse"
    CLARIFY = "clarify"
    HANDOFF = "handoff"


class QuestionType(StrEnum):
    """What a question demands."""

    SINGLE_FACT = "single_fact"
    MULTI_CONDITION = "multi_condition"
    CONDITION_PAIR = "condition_pair"
    COMPOUND = "compound"
    MULTI_HOP = "multi_hop"
    COMPARISON = "comparison"
    EXACT_TERM = "exact_term"
    UNANSWERABLE = "unanswerable"
    CONFLICT = "conflict"
    PERMISSION = "permission"
    INJECTION = "injection"


class Style(StrEnum):
    """How a question is worded."""

    FORMAL = "formal"
    COLLOQUIAL = "colloquial"
    TYPO = "typo"
    ASR = "asr"
    FOLLOW_UP = "follow_up"


class Split(StrEnum):
    """What a case may be used for."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"
    CHALLENGE = "challenge"


class NegativeReason(StrEnum):
    """Why a passage that looks right is wrong."""

    WRONG_VERSION = "wrong_version"
    WRONG_TIME = "wrong_time"
    WRONG_REGION = "wrong_region"
    WRONG_TENANT = "wrong_tenant"
    WRONG_ENTITY = "wrong_entity"
    MISSING_EXCEPTION = "missing_exception"
    OPPOSITE = "opposite"
    TITLE_ONLY = "title_only"
    LOW_AUTHORITY = "low_authority"
    OTHER = "other"


class CheckOutcome(StrEnum):
    """What a check says."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"


class Turn(Record):
    """One earlier turn of the conversation."""

    role: str
    """`user` or `assistant`."""
    text: str
    """What was said."""


class Evidence(Record):
    """A verbatim quote and where it stands. The chunk id is derived from it (curate.references), never stored."""

    doc_id: str
    """The document."""
    reading_id: str
    """The reading whose pages the parts count."""
    quote: str
    """Verbatim text, as assembled from `parts`."""
    parts: Parts
    """Spans and glue of the quote."""


class Grade(Record):
    """A passage that helps to some degree."""

    evidence: Evidence
    """The passage."""
    grade: int = Field(ge=0, le=3)
    """0 does not help, 3 answers fully."""


class HardNegative(Record):
    """A passage that looks right and is not."""

    evidence: Evidence
    """The passage."""
    reason: NegativeReason
    """Why it is wrong."""


class Origin(Record):
    """The record that a feedback or imported case leads back to."""

    system: str
    """The system or file that it came from."""
    record_ids: tuple[str, ...] = ()
    """All records that say the same."""
    comments: tuple[str, ...] = ()
    """What users wrote, redacted."""
    count: int = 1
    """How many complaints."""
    link: str | None = None
    """Where the record can be seen."""


class Provenance(Record):
    """What made a generated case."""

    writer: str
    """openai, local or extractive."""
    model: str
    """Model name, or the writer's version."""
    prompt_hash: str
    """Hash of the prompt templates."""
    request_hash: str
    """Hash of the request; names the attempt with the raw reply."""
    position: int
    """Place of the item in the reply before any drop, from 0."""
    tokens: int = 0
    """Tokens of the call, shared out over its items."""


class CheckResult(Record):
    """The verdict of one check."""

    name: str
    """Name of the check, as in its registry."""
    outcome: CheckOutcome
    """pass, warn or fail."""
    detail: str = ""
    """A key of the word lists below `check.`, or empty."""
    values: dict[str, str] = Field(default_factory=dict)
    """What the detail speaks of."""


_ALLOWED: dict[ReviewState, frozenset[DisabledReason | None]] = {
    ReviewState.NEEDS_ANSWER: frozenset({None}),
    ReviewState.REJECTED: frozenset({None}),
    ReviewState.UNREVIEWED: frozenset(
        {None, DisabledReason.BY_HAND, DisabledReason.STALE_CHANGED, DisabledReason.STALE_GONE}
    ),
    ReviewState.APPROVED: frozenset({None, *DisabledReason}),
}


class Case(Record):
    """One evaluation case."""

    case_id: str
    """g, f or m and 12 hex; see text.ids."""
    dataset: str = "main"
    """The set that it belongs to."""
    question: str
    """What is asked."""
    conversation: tuple[Turn, ...] = ()
    """Earlier turns, oldest first."""
    user_context: UserContext = Field(default_factory=UserContext)
    """Who asks."""
    as_of: date | None = None
    """The day on which it is asked."""
    answerable: bool = True
    """False: the documents do not hold the answer."""
    acceptable_status: tuple[Status, ...] = ()
    """What a system may rightly do; empty means answer (or refuse where not answerable)."""
    ground_truth: str = ""
    """The reference answer. Without one (and not marked unanswerable) a case never counts."""
    claims: tuple[Claim, ...] = ()
    """The facts that an answer must hold."""
    must_not_claims: tuple[Claim, ...] = ()
    """What an answer must not say."""
    required_citations: tuple[Evidence, ...] = ()
    """Passages that must be cited."""
    evidence_groups: tuple[tuple[Evidence, ...], ...] = ()
    """Outer: all needed. Inner: any one is enough."""
    grades: tuple[Grade, ...] = ()
    """Passages that help to some degree."""
    hard_negatives: tuple[HardNegative, ...] = ()
    """Passages that look right and are not."""
    source: Source
    """Where it came from."""
    origin: Origin | None = None
    """The record that it leads back to."""
    rejected_output: str = ""
    """The answer that was voted down; never offered as the reference."""
    question_type: QuestionType = QuestionType.SINGLE_FACT
    """What the question demands."""
    style: Style = Style.FORMAL
    """How it is worded."""
    family: str = ""
    """Joins cases that belong together: a condition pair, one question in several styles. Empty: its own id."""
    audience: str = ""
    """Who asks: a name from builder.toml; empty: nobody in particular."""
    risk: str | None = None
    """A high-risk topic from builder.toml."""
    split: Split | None = None
    """What it may be used for."""
    tags: tuple[str, ...] = ()
    """Free labels."""
    note: str = ""
    """A reviewer's note."""
    review_state: ReviewState
    """How far people have decided."""
    disabled_reason: DisabledReason | None = None
    """Why it does not count for now."""
    reject_reason: RejectReason | None = None
    """Why it was rejected."""
    valid_from: date | None = None
    """First day on which the answer holds."""
    valid_to: date | None = None
    """Last day on which the answer holds."""
    provenance: Provenance | None = None
    """What made a generated case."""
    checks: tuple[CheckResult, ...] = ()
    """Verdicts of the checks."""
    revision: int = 1
    """Counts decisions and edits, from 1."""

    @property
    def complete(self) -> bool:
        """It has a question and an answer, or is known to have none."""
        return bool(self.question.strip()) and (bool(self.ground_truth.strip()) or not self.answerable)

    @property
    def enabled(self) -> bool:
        """Unreviewed or approved, and nothing speaks against it. Derived, never stored."""
        return self.review_state in (ReviewState.UNREVIEWED, ReviewState.APPROVED) and self.disabled_reason is None

    @property
    def kin(self) -> str:
        """What it has in common with the cases of its family: of one question in several styles, the first one's id."""
        return self.family or self.case_id

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence, group by group."""
        return tuple(evidence for group in self.evidence_groups for evidence in group)

    @model_validator(mode="after")
    def _legal(self) -> "Case":
        if self.disabled_reason not in _ALLOWED[self.review_state]:
            raise ValueError(f"state {self.review_state} does not go with disabled_reason {self.disabled_reason}")
        if self.review_state in (ReviewState.UNREVIEWED, ReviewState.APPROVED) and not self.complete:
            raise ValueError(f"state {self.review_state} needs a question and an answer, or answerable = false")
        if self.review_state is ReviewState.NEEDS_ANSWER and self.complete:
            raise ValueError("state needs_answer does not go with a complete case")
        if (self.review_state is ReviewState.REJECTED) != (self.reject_reason is not None):
            raise ValueError("a rejected case, and only such a one, has a reject_reason")
        if any(not group for group in self.evidence_groups):
            raise ValueError("an evidence group is never empty")
        return self


class Revision(Record):
    """One change of one case. Append-only; undo is a new revision."""

    case_id: str
    """The case."""
    number: int
    """The case's revision after the change, from 1."""
    act: str
    """Joins revisions of one act: one step for undo."""
    at: datetime
    """When, UTC."""
    who: str
    """Who."""
    action: str
    """create, approve, reject, restore, edit, fill, pin, enable, disable, stale, remap, undo, …"""
    before: dict[str, Any] = Field(default_factory=dict)
    """The changed fields as they were; empty for create."""
    after: dict[str, Any] = Field(default_factory=dict)
    """The changed fields as they are."""
    reason: str = ""
    """Why, in words or as a reason code."""
    undoes: str | None = None
    """The act that this one takes back."""
