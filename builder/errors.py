"""Errors that a user may see: one line that says what, where and what to do next.

BuilderError
├── UsageError        exit 2: wrong use of a command
├── InputError        exit 3: bad input or state
│   ├── WorkspaceError    no workspace, or a broken one
│   ├── Conflict          somebody else decided in between
│   └── Refused           the state of a case does not allow it
└── OutsideError      exit 4: an outside service failed; the same command resumes
"""

from enum import IntEnum

from builder.words import Words, words


class ExitCode(IntEnum):
    """What the exit code of every command means."""

    DONE = 0
    FAILURE = 1
    """The work shows a failure that the user asked to be told of."""
    USAGE = 2
    INPUT = 3
    """Bad input or state."""
    OUTSIDE = 4
    """An outside service failed, or a measurement is broken; resumable."""
    INTERRUPTED = 130


class BuilderError(Exception):
    """The base. `key` names a line of the word lists below `error.`; `values` fill its places."""

    exit_code = ExitCode.INPUT

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def line(self, say: Words) -> str:
        """The message in the user's language."""
        return say(f"error.{self.key}", **self.values)

    def __str__(self) -> str:
        return self.line(words("en"))


class UsageError(BuilderError):
    """Wrong use of a command."""

    exit_code = ExitCode.USAGE


class InputError(BuilderError):
    """Bad input or state."""


class WorkspaceError(InputError):
    """There is no workspace, or it is broken."""


class Conflict(InputError):
    """Somebody else decided about the same case in between."""


class Refused(InputError):
    """The state of a case does not allow this."""


class OutsideError(BuilderError):
    """An outside service failed. Nothing is lost; the same command resumes."""

    exit_code = ExitCode.OUTSIDE
