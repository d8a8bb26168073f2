"""Which response format a server takes: tried once an endpoint and model, then remembered."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from builder.llm.endpoint import Endpoint
from builder.llm.shapes import Shape, schema_of
from builder.text.ids import digest

Format = Literal["json_schema", "json_object", "text"]
"""What is asked of the server, best first; `text` asks for nothing."""
Wanted = Literal["auto", "json_schema", "json_object", "text"]
"""auto: the best that the server takes."""
Habit = Literal["completion_tokens", "own_temperature"]
"""Models that reason (OpenAI's, of late) want the limit as `max_completion_tokens`, and take no temperature."""
_HABITS: Mapping[Habit, str] = {"completion_tokens": "max_completion_tokens", "own_temperature": "temperature"}
"""The word by which a refusal tells of each habit."""
FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")


class FormatMemory(Protocol):
    """Remembers formats; `app` implements it over the store."""

    def get(self, key: str) -> str | None:
        """What is remembered under `key`."""

    def put(self, key: str, value: str) -> None:
        """Remember `value` under `key`."""


class Formats:
    """The format of one endpoint and model: the remembered one, and one lower each time that the server refuses it."""

    def __init__(self, endpoint: Endpoint, wanted: Wanted = "auto", memory: FormatMemory | None = None) -> None:
        self._memory = memory
        self._key = format_key(endpoint)
        self.fixed = wanted != "auto"
        known = memory.get(self._key) if memory and not self.fixed else None
        self.current: Format = next((name for name in FORMATS if name in (wanted, known)), FORMATS[0])
        self._kept = known == self.current
        told = (memory.get(f"{self._key}:habits") or "").split(",") if memory else []
        self.habits: tuple[Habit, ...] = tuple(name for name in _HABITS if name in told)
        self.known = self.fixed or self._kept
        """True where it was known from the start what the server takes."""

    def refused(self, tried: Format) -> None:
        """The server took the same request without `tried`: the next call asks for one format lower."""
        if tried == self.current != "text" and not self.fixed:
            self.current = FORMATS[FORMATS.index(tried) + 1]
            self._keep()

    def learn(self, said: str) -> bool:
        """Whether a refusal tells of a habit that was not known; then the same request is worth another try."""
        known = self.habits
        self.habits = tuple(name for name, sign in _HABITS.items() if name in known or sign in said)
        if self.habits != known and self._memory is not None:
            self._memory.put(f"{self._key}:habits", ",".join(self.habits))
        return self.habits != known

    def taken(self) -> None:
        """The server answered."""
        if not self.fixed and not self._kept:
            self._keep()

    def _keep(self) -> None:
        self._kept = True
        if self._memory is not None:
            self._memory.put(self._key, self.current)


def format_key(endpoint: Endpoint) -> str:
    """Key of what is remembered of an endpoint and model; short, and without the address."""
    return "response_format:" + digest(endpoint.base_url.rstrip("/"), endpoint.model, length=16)


def response_format(shape: Shape, messages: Sequence[Mapping[str, str]], wanted: Format) -> dict[str, Any] | None:
    """What stands under `response_format` in a request body; none: nothing does.

    Servers refuse `json_object`, or answer white space, where the prompt does not speak of JSON (OpenAI, DeepSeek).
    """
    if wanted == "json_schema":
        schema = schema_of(shape, messages)
        named = {"name": shape, "strict": True, "schema": schema}
        return {"type": "json_schema", "json_schema": named} if schema else None
    if wanted == "json_object" and any("json" in message["content"].casefold() for message in messages):
        return {"type": "json_object"}
    return None
