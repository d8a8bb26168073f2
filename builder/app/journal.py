"""The journal of model calls, over the store."""

from collections.abc import Mapping, Sequence

from builder.app.people import PROGRAM
from builder.model.attempt import Attempt, Reply
from builder.model.case import Case
from builder.store import Store


class StoreJournal:
    """Keeps the attempts of one dataset; see llm.journal."""

    def __init__(self, store: Store, dataset: str) -> None:
        self._attempts = store.attempts
        self._dataset = dataset

    def claim(self, attempt: Attempt) -> Attempt | None:
        """Claim a call before it is made."""
        return self._attempts.claim(attempt)

    def replied(self, request_hash: str, reply: Reply) -> None:
        """Keep what came back."""
        self._attempts.replied(self._dataset, request_hash, reply)

    def failed(self, request_hash: str, error: str) -> None:
        """Keep why it failed."""
        self._attempts.failed(self._dataset, request_hash, error)

    def finish(self, request_hash: str, cases: Sequence[Case], drops: Mapping[str, int]) -> int:
        """Store the cases and mark the attempt as done."""
        return len(self._attempts.finish(self._dataset, request_hash, cases, drops, PROGRAM))
