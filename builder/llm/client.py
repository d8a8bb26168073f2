"""One chat call over the OpenAI protocol. The SDK carries it (key, pool, status errors); body and reply are ours.

The bytes that go over the wire are `body_bytes(body_of(…))`, so that a batch file can hold the very same. Retries are
ours too (llm.retry): the SDK retries a spent quota.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from builder.llm.completion import error_message, read_body, read_completion, refuse_cut_prompt
from builder.llm.endpoint import Endpoint, is_loopback
from builder.llm.failures import CallFailed, Reason, one_line
from builder.llm.formats import Format, Formats, Habit, response_format
from builder.llm.limiter import Limiter
from builder.llm.shapes import Shape
from builder.llm.tokens import estimate_prompt
from builder.model.attempt import Reply

if TYPE_CHECKING:
    import openai

T = TypeVar("T")
__all__ = ["Client", "body_bytes", "body_of", "read_completion"]

_BY_STATUS = {
    401: Reason.REFUSED_KEY,
    402: Reason.NO_QUOTA,
    403: Reason.REFUSED_KEY,
    404: Reason.NOT_FOUND,
    408: Reason.SERVER_ERROR,
    409: Reason.SERVER_ERROR,
    429: Reason.RATE_LIMITED,
}
_QUOTA = ("insufficient_quota", "billing", "insufficient balance", "exceeded your current quota")


def body_of(
    model: str,
    messages: Sequence[Mapping[str, str]],
    max_tokens: int,
    temperature: float,
    shape: Shape,
    wanted: Format,
    habits: Collection[Habit] = (),
) -> dict[str, Any]:
    """The body of one request, keys in the order in which they are sent."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [dict(message) for message in messages],
        "max_completion_tokens" if "completion_tokens" in habits else "max_tokens": max_tokens,
    }
    if "own_temperature" not in habits:
        body["temperature"] = temperature
    asked = response_format(shape, messages, wanted)
    return body | {"response_format": asked} if asked else body


def body_bytes(body: Mapping[str, Any]) -> bytes:
    """The body as it goes over the wire: compact JSON, UTF-8; half of a surrogate pair, which has none, is a `?`."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


class Client:
    """Calls one endpoint in the best format that it takes; holds a connection pool."""

    def __init__(self, endpoint: Endpoint, *, formats: Formats | None = None, limiter: Limiter | None = None) -> None:
        self.endpoint = endpoint
        self.formats = formats or Formats(endpoint)
        self._limiter = limiter
        self._sdk: openai.AsyncOpenAI | None = None
        self._met = self.formats.known
        self._first = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give the connections back."""
        if self._sdk is not None:
            await self._sdk.close()
            self._sdk = None
        self._first = asyncio.Lock()  # a lock belongs to one event loop, and the next call may come from another

    async def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        max_tokens: int,
        temperature: float,
        shape: Shape = "items",
        expected: int | None = None,
    ) -> Reply:
        """One call, no retry. `expected`: tokens that the reply will have, as a rule.

        Raises:
            CallFailed: with reason and one line of detail.
        """
        prompt = estimate_prompt(message["content"] for message in messages)
        tokens = prompt + (max_tokens if expected is None else expected)

        def body(wanted: Format) -> dict[str, Any]:
            habits = self.formats.habits
            return body_of(self.endpoint.model, messages, max_tokens, temperature, shape, wanted, habits)

        reply = await self._met_first(lambda: self._in_best_format(body, tokens))
        self._within(lambda: refuse_cut_prompt(reply, prompt))
        return reply

    async def _met_first(self, call: Callable[[], Awaitable[Reply]]) -> Reply:
        """The reply of `call`; until it is known which format the server takes, or it fails, one call at a time."""
        if not self._met:
            async with self._first:
                if not self._met:
                    tried = self.formats.current
                    try:
                        return await call()
                    finally:
                        self._met = self.formats.current == tried
        return await call()

    async def _in_best_format(self, body: Callable[[Format], dict[str, Any]], tokens: int) -> Reply:
        tried = self.formats.current
        asked = body(tried)
        try:
            reply = await self._paced(asked, tokens)
            self.formats.taken()
            return reply
        except CallFailed as failure:
            if failure.reason is not Reason.BAD_REQUEST:
                raise
            learned = self.formats.learn(failure.detail)
            if not learned and (self.formats.fixed or "response_format" not in asked):
                raise
        if learned:
            return await self._in_best_format(body, tokens)
        # Was it the format? Only the same request without one can tell: servers word it in many ways.
        reply = await self._paced(body("text"), tokens)
        self.formats.refused(tried)
        return reply

    async def models(self) -> object:
        """What `GET /models` says, decoded; none where it is no JSON.

        Raises:
            CallFailed: as for a call.
        """
        content = await self._carried(lambda sdk: sdk.get("/models", cast_to=bytes))
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            return None

    async def _paced(self, body: Mapping[str, Any], tokens: int) -> Reply:
        async def send() -> Reply:
            content = await self._carried(
                lambda sdk: sdk.post("/chat/completions", content=body_bytes(body), cast_to=bytes)
            )
            return self._within(lambda: read_body(content))

        return await (self._limiter.call(tokens, send) if self._limiter else send())

    async def _carried(self, send: "Callable[[openai.AsyncOpenAI], Awaitable[bytes]]") -> bytes:
        """The bytes of an answer with status 200."""
        import openai

        try:
            return await send(self._client())
        except openai.APIStatusError as error:
            raise self._status(error) from error
        except openai.APITimeoutError as error:
            detail = f"{self.endpoint.host}: {self.endpoint.timeout:g} s"
            raise CallFailed(Reason.TIMEOUT, detail) from error
        except openai.APIConnectionError as error:
            cause = one_line(str(error.__cause__ or error), self.endpoint.api_key)
            raise CallFailed(Reason.CONNECTION, f"{self.endpoint.host}: {cause}") from error

    def _client(self) -> "openai.AsyncOpenAI":
        import openai

        if self._sdk is None:
            here = is_loopback(self.endpoint.host)
            self._sdk = openai.AsyncOpenAI(
                base_url=self.endpoint.base_url,
                api_key=self.endpoint.api_key or "none",
                timeout=self.endpoint.timeout,
                max_retries=0,
                # What is meant for this machine must not pass through a proxy of the environment.
                http_client=openai.DefaultAsyncHttpxClient(trust_env=False) if here else None,
            )
        return self._sdk

    def _status(self, error: "openai.APIStatusError") -> CallFailed:
        status = error.status_code
        detail = one_line(f"{self.endpoint.host}: HTTP {status} {error_message(error.body)}", self.endpoint.api_key)
        reason = _BY_STATUS.get(status, Reason.SERVER_ERROR if status >= 500 else Reason.BAD_REQUEST)
        if status == 429 and any(sign in f"{error.code} {error.body}".casefold() for sign in _QUOTA):
            reason = Reason.NO_QUOTA
        return CallFailed(reason, detail, retry_after=_seconds(error.response.headers))

    def _within(self, read: Callable[[], T]) -> T:
        """What `read` gives; its failure names the host and shows no key."""
        try:
            return read()
        except CallFailed as failure:
            detail = one_line(f"{self.endpoint.host}: {failure.detail}", self.endpoint.api_key)
            raise CallFailed(failure.reason, detail) from failure


def _seconds(headers: Mapping[str, str]) -> float | None:
    """What the server asks to wait; a date is not understood and waits like no header."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / scale)
        except (KeyError, ValueError):
            continue
    return None
