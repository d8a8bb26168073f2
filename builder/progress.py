"""How long work says how far it is: a protocol, and the one that says nothing."""

from typing import Protocol


class Progress(Protocol):
    """Told by app functions; shown by the CLI."""

    def begin(self, task: str, total: int | None) -> None:
        """A task (a key of the word lists below `task.`) begins; `total` steps, none where unknown."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """`steps` more are done; `note` names the thing at hand."""

    def end(self) -> None:
        """The task is over."""

    def say(self, line: str) -> None:
        """One line of talk beside the bar."""


class Silent:
    """Says nothing."""

    def begin(self, task: str, total: int | None) -> None:
        """Nothing."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""

    def say(self, line: str) -> None:
        """Nothing."""
