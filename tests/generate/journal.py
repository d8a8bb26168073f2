"""A journal in memory: a real implementation of the door, with what the store promises."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.model.attempt import Attempt, AttemptState, Reply
from builder.model.case import Case, CheckResult


@dataclass(slots=True)
class MemoryJournal:
    """Attempts by request hash, cases by id."""

    attempts: dict[str, Attempt] = field(default_factory=dict)
    cases: dict[str, Case] = field(default_factory=dict)
    held_elsewhere: set[str] = field(default_factory=set)

    def claim(self, attempt: Attempt) -> Attempt | None:
        if attempt.request_hash in self.held_elsewhere:
            return None
        known = self.attempts.get(attempt.request_hash)
        if known is not None and known.state in (AttemptState.REPLIED, AttemptState.DONE):
            return known
        self.attempts[attempt.request_hash] = attempt
        return attempt

    def replied(self, request_hash: str, reply: Reply) -> None:
        self._set(request_hash, state=AttemptState.REPLIED, reply=reply)

    def failed(self, request_hash: str, error: str) -> None:
        self._set(request_hash, state=AttemptState.FAILED, error=error)

    def finish(
        self, attempt: Attempt, cases: Sequence[Case], verdicts: Sequence[CheckResult], drops: Mapping[str, int]
    ) -> int:
        new = {case.case_id: case for case in cases if case.case_id not in self.cases}
        self.cases |= new
        about = self.cases.get(attempt.task.case_id)
        if verdicts and about is not None:
            names = {verdict.name for verdict in verdicts}
            rest = tuple(check for check in about.checks if check.name not in names)
            self.cases[about.case_id] = about.replace(checks=(*rest, *verdicts))
        self._set(attempt.request_hash, state=AttemptState.DONE, kept=len(cases), drops=dict(drops))
        return len(new)

    def states(self) -> list[AttemptState]:
        return sorted(attempt.state for attempt in self.attempts.values())

    def _set(self, request_hash: str, **changes: object) -> None:
        self.attempts[request_hash] = self.attempts[request_hash].replace(**changes)
