"""What the reviewer needs of the world: a protocol that `app` implements over the store, and what passes through it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from builder.model.case import Case, Evidence
from builder.model.decision import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of evidence, or a proposal for one, with the text around it."""

    evidence: Evidence
    """What is pinned, or would be."""
    title: str
    """Title of the document."""
    pages: tuple[int, ...] = ()
    """Pages that it touches, ascending."""
    section: tuple[str, ...] = ()
    """Heading path, outermost first."""
    text: str
    """Text of the chunk."""
    marks: tuple[tuple[int, int], ...] = ()
    """Offsets in `text` of the quote, or of the words that were searched; empty: the quote was not found there."""
    score: int | None = None
    """How well it fits, 0-100; only proposals have one."""
    group: int | None = None
    """Siblings: place of the evidence group that it would join."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One case and all that is needed to decide about it."""

    case: Case
    """The case as it stands in the store."""
    passages: tuple[Passage, ...] = ()
    """One for each piece of evidence, in the order of `case.evidence`."""
    proposals: tuple[Passage, ...] = ()
    """Passages that may be the evidence; only where there is none."""
    siblings: tuple[Passage, ...] = ()
    """Other passages that hold the answer too, proposed as alternatives."""
    unsought: bool = False
    """Siblings have not been looked for: `Desk.siblings_of` does, which takes its time when it is asked first."""
    missing: tuple[str, ...] = ()
    """Fields without which it cannot be approved: question, ground_truth. Evidence may be empty."""
    note_by: str = ""
    """Who wrote the note; empty where nobody did, or where it is not known."""
    held_by: str = ""
    """Somebody else who looks at it right now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What somebody did to a case."""

    who: str
    """Who."""
    action: str
    """As in Revision.action."""
    at: datetime
    """When, UTC."""
    after: Mapping[str, object]
    """The changed fields as they are now, as JSON values."""
    reason: str = ""
    """Why, in words or as a reason code."""


class Desk(Protocol):
    """Where cases come from and decisions go. Every call is committed when it returns."""

    @property
    def reviewer(self) -> str:
        """Who decides."""

    def queue(self, expression: str = "") -> tuple[str, ...]:
        """Ids of the cases to walk, in order; with an expression those that fit it, decided ones too where it asks.

        Raises:
            builder.errors.InputError: the expression is none.
        """

    def held(self) -> tuple[str, ...]:
        """Ids of the cases that others look at right now."""

    def waiting(self) -> int:
        """How many cases lack their answer."""

    def load(self, case_id: str) -> Item:
        """The case as it stands now; from here on it is this reviewer's to look at, for some minutes.

        Raises:
            builder.errors.InputError: there is no such case.
        """

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        """Write `decisions` as one act, if `case` still has the revision that was shown.

        Raises:
            builder.errors.Conflict: somebody changed it in between.
            builder.errors.Refused: its state does not allow this.
        """

    def siblings_of(self, case: Case) -> tuple[Passage, ...]:
        """Other passages that hold the answer of the case too, each with its group."""

    def original(self, case_id: str) -> Case:
        """The case as it was first written."""

    def sweep(self, expression: str, case_ids: tuple[str, ...], decision: Decision) -> tuple[str, ...]:
        """Write `decision` about all these cases as one act; the ids of those that still fitted the expression.

        Raises:
            builder.errors.Refused: the state of one does not allow this.
        """

    def since(self, case: Case) -> tuple[Deed, ...]:
        """What was done to the case since the revision that was shown, oldest first."""

    def picture(self, evidence: Evidence) -> Path:
        """A picture of the page that holds `evidence`, with boxes around it.

        Raises:
            builder.errors.InputError: there is none; the line says why.
        """

    def undo(self) -> tuple[str, ...]:
        """Take back this reviewer's last act, also of earlier sessions; its case ids, none where there is nothing.

        Raises:
            builder.errors.Conflict: others have changed all its cases since.
        """

    def redo(self) -> tuple[str, ...]:
        """Do again what was taken back last; its case ids, none where there is nothing."""

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        """At most `limit` passages of all documents, best first."""
