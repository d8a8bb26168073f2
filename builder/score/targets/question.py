"""What a target is given, and what a target is."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from builder.model.access import UserContext
from builder.model.case import Case, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question: nothing of the answer, nothing of the evidence."""

    question: str
    """What is asked."""
    conversation: tuple[Turn, ...] = ()
    """Earlier turns, oldest first."""
    user: UserContext = field(default_factory=UserContext)
    """Who asks."""
    as_of: str | None = None
    """The day on which it is asked, as YYYY-MM-DD."""

    @classmethod
    def of(cls, case: Case) -> "Question":
        """What a case asks."""
        return cls(
            question=case.question,
            conversation=case.conversation,
            user=case.user_context,
            as_of=case.as_of.isoformat() if case.as_of else None,
        )

    def values(self) -> dict[str, Any]:
        """The same as plain JSON values, under the names that targets know them by.

        Turns are `{role, content}`, as chat endpoints take them; of the user only what is known.
        """
        return {
            "question": self.question,
            "conversation": [{"role": turn.role, "content": turn.text} for turn in self.conversation],
            "user_context": self.user.model_dump(mode="json", exclude_defaults=True),
            "as_of": self.as_of,
        }


class Failed(Exception):
    """A call that gave no answer. `kind` is a short word for counting, `detail` what was said."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


Ask = Callable[[Question], Awaitable[Mapping[str, Any]]]
"""Asks one question; the fields of a run record come back. Whatever it raises is the error of this one answer."""


class Target(Protocol):
    """A system that can be asked."""

    @property
    def name(self) -> str:
        """How reports and run names call it."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the header of a run says of it; never a secret."""

    def session(self) -> AbstractAsyncContextManager[Ask]:
        """Opens what is needed for asking, and closes it."""
