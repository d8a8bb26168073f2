"""What the review of answers needs of the world: a protocol that `app` implements, and what passes through it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from builder.model.case import Case
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict


class Key(NamedTuple):
    """Which answer of a run."""

    case_id: str
    repeat: int


class Why(StrEnum):
    """Why an answer is laid before a person. The words are below `answers.why.`."""

    CRITICAL = "critical"
    RISK = "risk"
    UNSTABLE = "unstable"
    HIGH_FAILURE = "high_failure"
    LOW_PASS = "low_pass"
    UNKNOWN = "unknown"
    """Nothing is known of it."""
    SAMPLE = "sample"


class Place(StrEnum):
    """Where a cited passage is found. The words are below `answers.place.`."""

    CONTEXT = "context"
    RETRIEVED = "retrieved"
    """Among the candidates, but the model did not read it."""
    CORPUS = "corpus"
    """In the snapshot, but the system never retrieved it."""
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A stretch of a text: a piece of the evidence, or what the answer cites."""

    start: int
    end: int
    label: str
    """As in review, `[1]`; of citations `{1}`."""
    gold: bool
    """It is evidence of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One text that the model read."""

    title: str
    """What it is; empty for the context as a whole."""
    text: str
    marks: tuple[Marked, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPassage:
    """One citation of the answer."""

    label: str
    """As the marks say it."""
    id: str
    """The system's id of it."""
    title: str = ""
    """The document, where it is known."""
    place: Place = Place.NOWHERE
    gold: bool = False
    """It holds evidence of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A piece of evidence that is not in what the model read."""

    label: str
    title: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer and all that is needed to judge it."""

    record: RunRecord
    """What the system did."""
    case: Case
    """The case as it was frozen."""
    why: Why
    """Why it is shown."""
    repeats: int = 1
    """Answers that the run holds to this case."""
    unstable: bool = False
    """They differ."""
    checked: tuple[ClaimVerdict, ...] = ()
    """What the checks say: claims, then what must not be there."""
    context: tuple[Block, ...] = ()
    """What the model read."""
    cited: tuple[CitedPassage, ...] = ()
    """What the answer cites."""
    lost: tuple[Lost, ...] = ()
    """Evidence that the model did not read."""
    mine: AnswerVerdict | None = None
    """What this reviewer says of it now."""
    old: AnswerVerdict | None = None
    """What this reviewer said of another answer, or by another reference; it does not count."""
    others: tuple[AnswerVerdict, ...] = ()
    """What others say of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """All that a reviewer says of one answer."""

    verdict: Verdict | None = None
    claims: tuple[tuple[int, Judgement], ...] = ()
    """Place among all claims (first those that must be there), and right or wrong."""
    note: str = ""


class AnswerDesk(Protocol):
    """Where answers come from and verdicts go. Every call is committed when it returns."""

    @property
    def reviewer(self) -> str:
        """Who judges."""

    @property
    def run(self) -> str:
        """Name of the run."""

    def queue(self) -> tuple[Key, ...]:
        """Answers to walk, in order; those that the reviewer judged before are left out."""

    def load(self, key: Key) -> Answer:
        """One answer as it stands now.

        Raises:
            builder.errors.InputError: there is none.
        """

    def judge(self, answer: Answer, saying: Saying) -> Answer:
        """Write down what the reviewer says of an answer, in place of what was said before."""

    def undo(self) -> Key | None:
        """Take back this reviewer's last act, also of earlier sessions; its answer, or none where there is nothing."""

    def redo(self) -> Key | None:
        """Do again what was taken back last; its answer, or none where there is nothing."""
