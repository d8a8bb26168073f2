"""What a chat completion body says, read leniently: servers differ, see each function."""

import json
from typing import Any

from builder.llm.failures import CallFailed, Reason
from builder.llm.reply import read_items
from builder.model.attempt import Reply

_LONG_PROMPT = 1000
"""Tokens: of shorter prompts the estimate is too rough to say anything."""
_CUT_BELOW = 40
"""Per cent of the estimate."""


def read_body(content: bytes) -> Reply:
    """The reply in the bytes of a chat completion.

    Raises:
        CallFailed: no JSON (an HTML login page, as a rule), no choices, or a blank reply.
    """
    text = content.decode("utf-8-sig", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        html = "<html" in text[:2000].casefold() or "<!doctype" in text[:200].casefold()
        raise CallFailed(Reason.NOT_JSON, "HTML" if html else text[:80]) from error
    return read_completion(body)


def read_completion(body: object) -> Reply:
    """The reply in a chat completion body.

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
        raise CallFailed(Reason.NO_CHOICES, error_message(values) or f"choices: {json.dumps(choices)[:60]}")
    finish = str(choice.get("finish_reason") or "stop")
    text = _text(message.get("content"))
    if not text.strip():
        thought = _text(message.get("reasoning_content") or message.get("reasoning"))
        text = thought if read_items(thought, finish == "stop").items else ""
    if not text:
        raise CallFailed(Reason.BLANK, f"finish_reason: {finish}")
    return Reply(text=text, finish_reason=finish, model=str(values.get("model") or ""), **_usage(values.get("usage")))


def refuse_cut_prompt(reply: Reply, estimate: int) -> None:
    """See that the server read the whole prompt: some (Ollama) cut it silently at their context length.

    Args:
        reply: what came back.
        estimate: tokens of the prompt as we count.

    Raises:
        CallFailed: the server counts far fewer. Some leave out what came from their cache, so that is added.
    """
    counted = reply.prompt_tokens + reply.cached_tokens
    if reply.prompt_tokens and estimate > _LONG_PROMPT and counted * 100 < estimate * _CUT_BELOW:
        raise CallFailed(Reason.PROMPT_CUT, f"{counted} < {estimate}")


def error_message(body: object) -> str:
    """What the server says went wrong."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        return str(inner.get("message") or "") if isinstance(inner, dict) else str(inner or "")
    return body if isinstance(body, str) else ""


def _text(content: object) -> str:
    """Content as text; some servers send a list of typed parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: object) -> dict[str, int]:
    values: dict[str, Any] = usage if isinstance(usage, dict) else {}
    details = values.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else values.get("prompt_cache_hit_tokens")
    counts = {
        "prompt_tokens": values.get("prompt_tokens"),
        "completion_tokens": values.get("completion_tokens"),
        "cached_tokens": cached,
    }
    return {name: count if isinstance(count, int) else 0 for name, count in counts.items()}
