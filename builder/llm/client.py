"""One chat call over the OpenAI protocol. The SDK carries it (key, pool, status errors); we read the body ourselves.

Servers differ in what they answer, see each function. Retries are ours (llm.retry): the SDK retries a spent quota.
"""

import json as json_text
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from builder.llm.endpoint import Endpoint, is_loopback
from builder.llm.failures import CallFailed, Reason, one_line
from builder.llm.reply import read_items
from builder.model.attempt import Reply

if TYPE_CHECKING:
    import openai

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


class Client:
    """Calls one endpoint. Remembers whether the endpoint takes `response_format`; holds a connection pool."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.takes_json_mode = True
        self._sdk: openai.AsyncOpenAI | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give the connections back."""
        if self._sdk is not None:
            await self._sdk.close()
            self._sdk = None

    async def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        max_tokens: int,
        temperature: float,
        json: bool = True,
    ) -> Reply:
        """One call, no retry. With `json` the server is asked for a JSON object where it can.

        Raises:
            CallFailed: with reason and one line of detail.
        """
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [dict(message) for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        if not (json and self.takes_json_mode):
            return await self._send(body)
        try:
            return await self._send(body | {"response_format": {"type": "json_object"}})
        except CallFailed as failure:
            if failure.reason is not Reason.BAD_REQUEST:
                raise
        reply = await self._send(body)
        self.takes_json_mode = False
        return reply

    async def _send(self, body: Mapping[str, Any]) -> Reply:
        import openai

        try:
            raw = await self._client().chat.completions.with_raw_response.create(**body)
            content = raw.http_response.content
        except openai.APIStatusError as error:
            raise self._status(error) from error
        except openai.APITimeoutError as error:
            detail = f"{self.endpoint.host}: {self.endpoint.timeout:g} s"
            raise CallFailed(Reason.TIMEOUT, detail) from error
        except openai.APIConnectionError as error:
            cause = one_line(str(error.__cause__ or error), self.endpoint.api_key)
            raise CallFailed(Reason.CONNECTION, f"{self.endpoint.host}: {cause}") from error
        return self._read(content)

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
        detail = one_line(f"{self.endpoint.host}: HTTP {status} {_message(error.body)}", self.endpoint.api_key)
        reason = _BY_STATUS.get(status, Reason.SERVER_ERROR if status >= 500 else Reason.BAD_REQUEST)
        if status == 429 and any(sign in f"{error.code} {error.body}".casefold() for sign in _QUOTA):
            reason = Reason.NO_QUOTA
        return CallFailed(reason, detail, retry_after=_seconds(error.response.headers))

    def _read(self, content: bytes) -> Reply:
        text = content.decode("utf-8", "replace")
        try:
            body = json_text.loads(text)
        except ValueError as error:
            kind = "HTML" if "<html" in text[:2000].casefold() or "<!doctype" in text[:200].casefold() else text[:80]
            detail = one_line(f"{self.endpoint.host}: {kind}", self.endpoint.api_key)
            raise CallFailed(Reason.NOT_JSON, detail) from error
        try:
            return read_completion(body)
        except CallFailed as failure:
            detail = one_line(f"{self.endpoint.host}: {failure.detail}", self.endpoint.api_key)
            raise CallFailed(failure.reason, detail) from failure


def read_completion(body: object) -> Reply:
    """The reply in a chat completion body, read leniently.

    The text is `content`. Servers with a reasoning parser may leave it blank and put the JSON into
    `reasoning_content`: taken only if items can be read there.

    Raises:
        CallFailed: no choices (null, missing, or an error with status 200), or a blank reply.
    """
    values = body if isinstance(body, dict) else {}
    choices = values.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise CallFailed(Reason.NO_CHOICES, _message(values) or f"choices: {json_text.dumps(choices)[:60]}")
    finish = str(choice.get("finish_reason") or "stop")
    text = _text(message.get("content"))
    if not text.strip():
        thought = _text(message.get("reasoning_content") or message.get("reasoning"))
        text = thought if read_items(thought, finish == "stop").items else ""
    if not text:
        raise CallFailed(Reason.BLANK, f"finish_reason: {finish}")
    return Reply(text=text, finish_reason=finish, model=str(values.get("model") or ""), **_usage(values.get("usage")))


def _text(content: object) -> str:
    """Content as text; some servers send a list of typed parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: object) -> dict[str, int]:
    values = usage if isinstance(usage, dict) else {}
    details = values.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else values.get("prompt_cache_hit_tokens")
    counts = {
        "prompt_tokens": values.get("prompt_tokens"),
        "completion_tokens": values.get("completion_tokens"),
        "cached_tokens": cached,
    }
    return {name: count if isinstance(count, int) else 0 for name, count in counts.items()}


def _message(body: object) -> str:
    """What the server says went wrong."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        return str(inner.get("message") or "") if isinstance(inner, dict) else str(inner or "")
    return body if isinstance(body, str) else ""


def _seconds(headers: Mapping[str, str]) -> float | None:
    """What the server asks to wait; a date is not understood and waits like no header."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / scale)
        except (KeyError, ValueError):
            continue
    return None
