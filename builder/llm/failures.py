"""Why a model call failed, in one word that the run counts and the user reads."""

import re
from enum import StrEnum

_KEYS = re.compile(r"\b(?:sk|pk|key|api)[-_][\w*.-]{6,}", re.IGNORECASE)
_LOGIN = re.compile(r"//[^/@\s]+@")
_LONGEST = 300


class Reason(StrEnum):
    """Each has a line in the word lists below `generate.failure`."""

    REFUSED_KEY = "refused_key"
    """401 or 403."""
    NO_QUOTA = "no_quota"
    """429 with a spent quota, or 402: waiting does not help."""
    RATE_LIMITED = "rate_limited"
    """429: waiting helps."""
    NOT_FOUND = "not_found"
    """404: no such model or path."""
    SERVER_ERROR = "server_error"
    """408, 409, 5xx."""
    TIMEOUT = "timeout"
    """No reply in time."""
    CONNECTION = "connection"
    """Nobody listens, or the line broke."""
    NOT_JSON = "not_json"
    """Status 200 and a body that is no JSON: a login page, as a rule."""
    NO_CHOICES = "no_choices"
    """JSON without a choice to read."""
    BLANK = "blank"
    """A choice without text."""
    BAD_REQUEST = "bad_request"
    """400, 413 or 422: this request, and as a rule only this one."""
    PROMPT_CUT = "prompt_cut"
    """The server counts far fewer prompt tokens than were sent: it cut the prompt at its context length."""


FATAL = frozenset({Reason.REFUSED_KEY, Reason.NO_QUOTA, Reason.NOT_FOUND})
"""The next call would fail likewise."""
FATAL_WHEN_LASTING = frozenset({Reason.CONNECTION, Reason.NOT_JSON})
"""Fatal once the retries are spent."""
TRANSIENT = frozenset(Reason) - FATAL - {Reason.BAD_REQUEST, Reason.PROMPT_CUT}
"""Worth another try."""


class CallFailed(Exception):
    """One model call failed. `detail` is one line without secrets; `retry_after` is in seconds."""

    def __init__(self, reason: Reason, detail: str, *, fatal: bool = False, retry_after: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.fatal = fatal or reason in FATAL
        self.retry_after = retry_after

    @property
    def transient(self) -> bool:
        """True where another try may help."""
        return self.reason in TRANSIENT and not self.fatal

    def lasting(self) -> "CallFailed":
        """The same failure after the last try."""
        fatal = self.fatal or self.reason in FATAL_WHEN_LASTING
        return CallFailed(self.reason, self.detail, fatal=fatal, retry_after=self.retry_after)


def one_line(text: str, secret: str = "") -> str:
    """`text` on one line, without control characters, shortened; `secret` and what looks like a key made unreadable."""
    bare = text.replace(secret, "***") if secret else text
    bare = _LOGIN.sub("//***@", _KEYS.sub("***", bare))
    line = " ".join("".join(ch if ch.isprintable() else " " for ch in bare).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
