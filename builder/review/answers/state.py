"""What the review of answers knows at one moment, and what it may ask the session to do. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from builder.model.claim import Claim
from builder.model.verdict import Verdict
from builder.review.answers.desk import Answer, Key, Saying
from builder.review.state import Message, Times

NINE = 9
"""Claims that the digits reach at a time."""


class Pane(StrEnum):
    """What the scroll keys move."""

    CONTEXT = "context"
    FIELDS = "fields"


class Question(StrEnum):
    """What is asked on the bottom line. The words are below `answers.ask.`."""

    JUMP = "jump"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything that the view needs."""

    reviewer: str
    run: str
    order: tuple[Key, ...]
    """Answers of the queue."""
    times: Times
    """Clock readings."""
    guard: float
    """Seconds after a new answer in which keys that decide are dropped."""
    index: int = 0
    item: Answer | None = None
    """The answer at hand; none where nothing is left."""
    helping: bool = False
    """All keys are shown."""
    pane: Pane = Pane.CONTEXT
    focus: int = -1
    """The mark that the context opens at; -1: the first piece of evidence."""
    context_top: int | None = None
    """First line of the context; none: where the mark in focus is."""
    fields_top: int = 0
    page: int = 10
    """Lines of a page, as last painted."""
    claims_from: int = 0
    """The claim that the digit 1 stands for."""
    message: Message | None = None
    verdicts: Mapping[Key, Verdict]
    """What this session decided and did not take back."""
    skipped: tuple[Key, ...] = ()
    over: bool = False

    @property
    def saying(self) -> Saying:
        """What the reviewer says of the answer at hand so far."""
        mine = self.item.mine if self.item else None
        if mine is None or self.item is None:
            return Saying()
        shift = len(self.item.case.claims)
        claims = tuple((one.index + shift * one.must_not, one.verdict) for one in mine.claims)
        return Saying(verdict=mine.verdict, claims=claims, note=mine.note)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims of the answer at hand: those that must be there, then those that must not."""
        return (*self.item.case.claims, *self.item.case.must_not_claims) if self.item else ()


@dataclass(frozen=True, slots=True)
class Open:
    """Load the answer at this place of the queue."""

    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Write what is said of the answer at hand."""

    saying: Saying
    said: Message
    """Said when it is written."""
    onward: bool = False
    """Then go to the next one."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last act."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for one line of text."""

    question: Question


Effect = Open | Judge | Undo | Redo | Ask
Step = tuple[State, Effect | None]
