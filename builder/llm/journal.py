"""The journal of model calls: written before a call and after it, so that nothing paid for is lost or paid twice."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from builder.model.attempt import Attempt, Reply
from builder.model.case import Case, CheckResult


class Journal(Protocol):
    """`app` implements it over the store."""

    def claim(self, attempt: Attempt) -> Attempt | None:
        """Claim the call before it is made.

        None: another living process has it. An attempt that is replied or done: its reply is there, no call is to be
        made. Else the claimed attempt.
        """

    def replied(self, request_hash: str, reply: Reply) -> None:
        """Keep the reply, before anything is made of it."""

    def failed(self, request_hash: str, error: str) -> None:
        """The call failed; it may be made again."""

    def finish(
        self, attempt: Attempt, cases: Sequence[Case], verdicts: Sequence[CheckResult], drops: Mapping[str, int]
    ) -> int:
        """Store the cases, put the verdicts on the case that the task is about, and mark the attempt done.

        Done twice it changes nothing more. A verdict on a case that was changed or decided since is left out. Returns
        how many cases were new.
        """
