"""The journal of model calls, over the store."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from builder.app.people import PROGRAM
from builder.errors import Conflict
from builder.generate.verifying import content_of
from builder.model.attempt import Attempt, AttemptState, Reply, Task
from builder.model.case import Case, CheckResult, ReviewState
from builder.store import Store
from builder.store.cases import Change


class StoreJournal:
    """Keeps the attempts of one dataset; see llm.journal."""

    def __init__(self, store: Store, dataset: str) -> None:
        self._attempts = store.attempts
        self._cases = store.cases
        self._dataset = dataset
        self._mine: dict[str, Attempt] = {}
        """Attempts claimed here: nobody else writes them, so they need not be read again."""

    def claim(self, attempt: Attempt) -> Attempt | None:
        """Claim a call before it is made."""
        found = self._attempts.claim(attempt)
        if found is not None:
            self._mine[attempt.request_hash] = found
        return found

    def replied(self, request_hash: str, reply: Reply) -> None:
        """Keep what came back."""
        self._change(request_hash, state=AttemptState.REPLIED, reply=reply, claimant=None, error="")

    def failed(self, request_hash: str, error: str) -> None:
        """Keep why it failed."""
        self._change(request_hash, state=AttemptState.FAILED, claimant=None, error=error)

    def _change(self, request_hash: str, **changes: Any) -> None:
        self._mine[request_hash] = self._attempts.change(self._mine[request_hash], **changes)

    def finish(
        self, attempt: Attempt, cases: Sequence[Case], verdicts: Sequence[CheckResult], drops: Mapping[str, int]
    ) -> int:
        """Store cases and verdicts, then mark the attempt as done; done twice it changes nothing more."""
        if verdicts:
            self._note(attempt.task, verdicts)
        held = self._mine.pop(attempt.request_hash, attempt)
        return len(self._attempts.finish(held.replace(task=attempt.task), cases, drops, PROGRAM))

    def _note(self, task: Task, verdicts: Sequence[CheckResult]) -> None:
        """Put verdicts on a case that nobody has decided or changed since it was asked about."""
        case = self._cases.get(task.case_id)
        if task.facts.get("of", content_of(case)) != content_of(case):
            return
        given = {_key(verdict) for verdict in verdicts}
        after = case.replace(checks=(*(check for check in case.checks if _key(check) not in given), *verdicts))
        if case.review_state is ReviewState.UNREVIEWED and after.checks != case.checks:
            with suppress(Conflict):  # somebody decides it right now: a person goes before a model
                self._cases.apply([Change(case, after, "check")], PROGRAM)


def _key(verdict: CheckResult) -> tuple[str, str]:
    """What may stand once on a case: a check, and of a check by evidence group one a group."""
    return verdict.name, verdict.values.get("group", "")
