"""One answer as the layers look at it: which evidence stands where, and what is wrong with the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from builder.model.case import Evidence, Status
from builder.model.verdict import ClaimVerdict, Judgement, Verdict
from builder.score.compression import Loss
from builder.score.layers.known import Known
from builder.score.records import AnswerScore
from builder.score.sufficiency import losses, text_read
from builder.score.view import Place, Stage, Target, View


@dataclass(frozen=True, kw_only=True)
class Looked:
    """One answer with what is known beside it."""

    view: View
    known: Known = field(default_factory=Known)
    score: AnswerScore | None = None

    # Stages

    def told(self, stage: Stage) -> bool:
        """The system told what stood there."""
        return stage in self.view.stages

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """What stood there, best first."""
        return self.view.stages.get(stage, ())

    def rank(self, group: int, stage: Stage) -> int | None:
        """The best rank of a group of evidence in a stage."""
        wanted = frozenset(self.wanted[group])
        return min((place.rank for place in self.places(stage) if place.hits & wanted), default=None)

    @property
    def wanted(self) -> tuple[tuple[Target, ...], ...]:
        """Evidence that an answer needs, group by group; none where there is no answer."""
        return self.view.groups if self.view.case.answerable else ()

    @property
    def groups(self) -> range:
        """Numbers of these groups."""
        return range(len(self.wanted))

    def absent(self, stage: Stage) -> tuple[int, ...]:
        """Groups of evidence that do not stand in a stage."""
        return tuple(group for group in self.groups if self.rank(group, stage) is None)

    def evidence(self, target: Target) -> Evidence:
        """A piece of evidence."""
        return self.view.case.evidence_groups[target[0]][target[1]]

    def indexed(self, target: Target) -> bool:
        """One of the system's chunks holds it whole, as the map file tells."""
        index = self.known.index
        return index is not None and target in index.held.get(self.view.case.case_id, frozenset())

    def names(self, groups: tuple[int, ...]) -> str:
        """The documents that groups of evidence come from."""
        found = (self.evidence(target).doc_id for group in groups for target in self.wanted[group])
        return ", ".join(dict.fromkeys(found))

    # What the model read

    @cached_property
    def text(self) -> str | None:
        """The text that the model read, as far as it is told."""
        return text_read(self.view)

    @cached_property
    def losses(self) -> Mapping[int, Loss]:
        """By group: what the text that was read has lost of it, by the alternative that is best kept."""
        return {} if self.text is None or not self.wanted else losses(self.view, self.text)

    @cached_property
    def unread(self) -> tuple[int, ...] | None:
        """Groups that the model did not read; none where neither its text nor its passages are told."""
        if self.text is not None:
            return tuple(group for group in self.groups if self.losses[group])
        return self.absent(Stage.CONTEXT) if self.told(Stage.CONTEXT) else None

    @property
    def sufficient(self) -> bool | None:
        """The model read all that it needed; none where that is not told, or the case has no evidence."""
        return None if not self.wanted or self.unread is None else not self.unread

    # What it answered

    @property
    def answered(self) -> bool:
        """There is an answer text."""
        record = self.view.record
        return record is not None and record.error is None and bool((record.answer or "").strip())

    @property
    def status(self) -> Status | None:
        """What the system did; an answer to an answerable question without a status is an answer."""
        told = self.view.status or (self.view.record.status if self.view.record else None)
        return told or (Status.ANSWER if self.answered and self.view.case.answerable else None)

    @property
    def accepted(self) -> tuple[Status, ...]:
        """What it may rightly do."""
        case = self.view.case
        return case.acceptable_status or ((Status.ANSWER,) if case.answerable else (Status.REFUSE,))

    @property
    def _states(self) -> bool:
        """It is an answer, or nobody knows what it is."""
        return self.status in (None, Status.ANSWER)

    @property
    def misbehaved(self) -> bool:
        """It did what it may not do here: answered or refused wrongly. A person's word comes first."""
        if self.view.verdict in (Verdict.REFUSED_RIGHTLY, Verdict.REFUSED_WRONGLY, Verdict.CORRECT):
            return self.view.verdict is Verdict.REFUSED_WRONGLY
        return self.status is not None and self.status not in self.accepted

    @property
    def wrong(self) -> tuple[ClaimVerdict, ...]:
        """Claims that it says otherwise, and what it must not say and does. A refusal says nothing otherwise."""
        claims = (one for one in self.view.claims if one.verdict is Judgement.WRONG)
        return tuple(one for one in claims if one.must_not or self._states)

    @property
    def unstated(self) -> tuple[ClaimVerdict, ...]:
        """Claims of which a check finds nothing in the answer; one that counts for nothing may be left out."""
        if self.view.verdict is Verdict.CORRECT or not self._states:
            return ()
        return tuple(
            one
            for one in self.view.claims
            if one.verdict is Judgement.UNDECIDED
            and one.why == "not_found"
            and not one.must_not
            and self.view.case.claims[one.index].weight
        )

    @property
    def fails(self) -> bool:
        """The answer text is known to be wrong or incomplete."""
        return self.answered and (bool(self.wrong or self.unstated) or self.view.verdict is Verdict.WRONG)

    @property
    def shown_right(self) -> bool:
        """A person says so, or there are claims and all are shown to be right."""
        if self.view.verdict is not None:
            return self.view.verdict is Verdict.CORRECT
        return bool(self.view.claims) and all(one.verdict is Judgement.RIGHT for one in self.view.claims)
