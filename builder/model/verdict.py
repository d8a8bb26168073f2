"""Verdicts on the answers of a run: by deterministic checks, and by people."""

from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from builder.model.record import Record

SCHEMA_VERSION = 1


class Verdict(StrEnum):
    """What a person says of a whole answer."""

    CORRECT = "correct"
    WRONG = "wrong"
    REFUSED_RIGHTLY = "refused_rightly"
    REFUSED_WRONGLY = "refused_wrongly"


class Judgement(StrEnum):
    """What is said of one claim."""

    RIGHT = "right"
    """The answer says so; of what must not be there: the answer does not say so."""
    WRONG = "wrong"
    """The answer says otherwise; of what must not be there: the answer says so."""
    UNDECIDED = "undecided"
    """Nobody can tell yet."""


class ClaimVerdict(Record):
    """The verdict on one claim."""

    index: int = Field(ge=0)
    """Place among `claims`, or among `must_not_claims`, from 0."""
    must_not: bool = False
    """It is one of `must_not_claims`."""
    text: str
    """The claim as it was judged."""
    verdict: Judgement
    """What is said of it."""
    why: str = ""
    """How a check came to it; a key of the word lists below `answers.because.`; empty where a person says it."""


class AnswerVerdict(Record):
    """One line of runs/NAME.verdicts.jsonl: all that one person says of one answer, or an undo of such a line.

    Append-only: the last line of a person about an answer holds, unless a later line undoes it.
    """

    schema_version: int = SCHEMA_VERSION
    """Version of the file format."""
    id: str
    """Names this line."""
    run: str
    """The run's name."""
    case_id: str
    """The case."""
    repeat: int = Field(default=1, ge=1)
    """Which of the run's answers to it."""
    verdict: Verdict | None = None
    """Of the whole answer; none where only claims or a note are there."""
    claims: tuple[ClaimVerdict, ...] = ()
    """Claims that the person decided; the others are undecided."""
    note: str = ""
    """In the person's words."""
    who: str
    """Who says it."""
    at: datetime
    """When, UTC."""
    answer_hash: str = ""
    """Hash of the answer that was judged; another answer has no verdict."""
    case_hash: str = ""
    """Hash of question, reference and claims that it was judged by."""
    undoes: str | None = None
    """The line that this one takes back; it then says nothing of its own."""

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        if self.undoes is not None and (self.verdict or self.claims or self.note):
            raise ValueError("a line that undoes another says nothing of its own")
        return self

    @property
    def act(self) -> str:
        """Its id, as undo asks for it."""
        return self.id

    @property
    def says_something(self) -> bool:
        """There is a verdict, a claim or a note in it."""
        return bool(self.verdict or self.claims or self.note)
