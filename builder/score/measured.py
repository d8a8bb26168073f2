"""One run with all that gates and comparisons ask of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from builder.model.case import Case
from builder.model.verdict import Verdict
from builder.score.gold import Level
from builder.score.grid import Measure
from builder.score.records import AnswerScore, Scores
from builder.score.view import View
from builder.text.canonical import canonical
from builder.text.ids import digest

_SHOWN = {
    "case_id", "dataset", "source", "origin", "rejected_output", "family", "audience", "split", "tags", "note", "style",
    "question_type", "risk",
    "review_state", "disabled_reason", "reject_reason", "provenance", "checks", "revision",
}  # fmt: skip
"""Fields of a case that change nothing of what an answer is measured by."""

_FAILED = frozenset({"missing_run", "error"})
"""Flags of an answer that is none."""


def measured_hash(case: Case) -> str:
    """Hash of all that an answer to a case is measured by: only cases that are equal in it are compared."""
    return digest(canonical(case.model_dump(mode="json", exclude=_SHOWN)), length=16)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A scored run. `gates.judge` and `compare` look at nothing else."""

    scores: Scores
    """Names of run and snapshot, and the figures by slice."""
    answers: tuple[AnswerScore, ...]
    """The figures by answer; one also for an answer that is missing."""
    cases: Mapping[str, Case]
    """The cases that were to be asked."""
    metrics: Mapping[str, Measure]
    """The metrics, by name."""
    families: Mapping[str, str]
    """Cases that are resampled as one; `cuts.families`."""
    cuts: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The slices of each case; `cuts.cuts_of`."""
    views: tuple[View, ...] = ()
    """The answers as metrics saw them: hard gates look at these."""
    verdicts: Mapping[tuple[str, int], Verdict] = field(default_factory=dict)
    """What people say of whole answers, where it still holds."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The user's facts about the system."""
    level: Level = "passage"
    """What counted as found: the passage, or any of its document."""

    @property
    def name(self) -> str:
        """The run."""
        return self.scores.run

    @cached_property
    def hashes(self) -> dict[str, str]:
        """What each case is measured by."""
        return {case_id: measured_hash(case) for case_id, case in self.cases.items()}

    @cached_property
    def failed(self) -> tuple[tuple[str, int], ...]:
        """Calls without an answer: missing, or an error."""
        flagged = {(answer.case_id, answer.repeat) for answer in self.answers if answer.flags & _FAILED}
        seen = {
            (view.case.case_id, view.repeat)
            for view in self.views
            if view.record is None or view.record.error is not None
        }
        return tuple(sorted(flagged | seen))
