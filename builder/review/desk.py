"""What the reviewer needs of the world: a protocol that `app` implements over the store, and what passes through it."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One case and all that is needed to decide about it."""

    case: Case
    """The case as it stands in the store."""
    passages: tuple[Passage, ...] = ()
    """One for each piece of evidence, in the order of `case.evidence`."""
    proposals: tuple[Passage, ...] = ()
    """Passages that may be the evidence; only where there is none."""
    missing: tuple[str, ...] = ()
    """Fields without which it cannot be approved: question, ground_truth. Evidence may be empty."""


class Desk(Protocol):
    """Where cases come from and decisions go. Every call is committed when it returns."""

    @property
    def reviewer(self) -> str:
        """Who decides."""

    def queue(self) -> tuple[str, ...]:
        """Case ids to walk, in order, undecided ones first."""

    def load(self, case_id: str) -> Item:
        """The case as it stands now.

        Raises:
            builder.errors.InputError: there is no such case.
        """

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        """Write `decisions` as one act, if `case` still has the revision that was shown.

        Raises:
            builder.errors.Conflict: somebody changed it in between.
            builder.errors.Refused: its state does not allow this.
        """

    def undo(self) -> str | None:
        """Take back this reviewer's last act, also of earlier sessions; the case id, or none where there is nothing."""

    def redo(self) -> str | None:
        """Do again what was taken back last; the case id, or none where there is nothing."""

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        """At most `limit` passages of all documents, best first."""
