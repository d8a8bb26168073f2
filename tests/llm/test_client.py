"""The client against a real server on loopback: each failure has its reason, and no key is ever shown."""

import asyncio
import socket

import pytest

from builder.errors import InputError
from builder.llm.client import Client, read_completion
from builder.llm.completion import refuse_cut_prompt
from builder.llm.endpoint import Endpoint, endpoint, is_loopback
from builder.llm.failures import CallFailed, Reason, one_line
from builder.llm.limiter import Limiter
from builder.llm.retry import RetryPolicy, retried
from builder.model.attempt import Reply
from tests.servers.openai_server import KEY, OpenAIServer

MESSAGES = [{"role": "user", "content": "[Passage 1]\n1) The warranty is 24 months.\nWrite 1 question."}]
QUICK = RetryPolicy(tries=3, base=0.001, longest=0.002, longest_asked=1.0)


def call(url: str, timeout: float = 10.0, retry: RetryPolicy | None = None) -> Reply:
    async def once() -> Reply:
        async with Client(Endpoint(base_url=url, model="m", api_key=KEY, timeout=timeout)) as client:

            async def chat() -> Reply:
                return await client.chat(MESSAGES, max_tokens=100, temperature=0.0)

            return await (retried(chat, retry) if retry else chat())

    return asyncio.run(once())


@pytest.mark.parametrize(
    ("kind", "reason", "calls", "fatal"),
    [
        ("unauthorized", Reason.REFUSED_KEY, 1, True),
        ("no_quota", Reason.NO_QUOTA, 1, True),
        ("not_found", Reason.NOT_FOUND, 1, True),
        ("rate_limit", Reason.RATE_LIMITED, 3, False),
        ("rate_limit_long", Reason.RATE_LIMITED, 1, False),
        ("server_error", Reason.SERVER_ERROR, 3, False),
        ("html", Reason.NOT_JSON, 3, True),
        ("no_choices", Reason.NO_CHOICES, 3, False),
        ("empty_choices", Reason.NO_CHOICES, 3, False),
        ("error_in_200", Reason.NO_CHOICES, 3, False),
        ("blank", Reason.BLANK, 3, False),
        ("cut_body", Reason.CONNECTION, 3, True),
        ("bad_request", Reason.BAD_REQUEST, 2, False),  # once with and once without response_format
    ],
)
def test_each_failure_has_its_reason(kind: str, reason: Reason, calls: int, fatal: bool) -> None:
    with OpenAIServer(kind) as server, pytest.raises(CallFailed) as failed:
        call(server.base_url, retry=QUICK)
    assert (failed.value.reason, failed.value.fatal) == (reason, fatal)
    assert len(server.bodies) == calls
    assert KEY not in str(failed.value) + repr(failed.value.__cause__) and "\n" not in failed.value.detail


def test_slow_server_is_a_timeout() -> None:
    with OpenAIServer("slow") as server, pytest.raises(CallFailed) as failed:
        call(server.base_url, timeout=0.2)
    assert failed.value.reason is Reason.TIMEOUT and failed.value.transient


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refused for certain
        with pytest.raises(CallFailed) as failed:
            call(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", retry=QUICK)
    assert failed.value.reason is Reason.CONNECTION and failed.value.fatal


@pytest.mark.parametrize("kind", ["rate_limit_once", "server_error_once"])
def test_a_passing_failure_is_tried_again(kind: str) -> None:
    with OpenAIServer(kind) as server:
        reply = call(server.base_url, retry=QUICK)
    assert "24 months" in reply.text and len(server.bodies) == 2


def test_usage_and_finish_reason_come_through() -> None:
    with OpenAIServer("truncated") as server:
        reply = call(server.base_url)
    assert reply.finish_reason == "length" and reply.model == "m"
    assert reply.prompt_tokens > 0 and reply.completion_tokens > 0


def test_reasoning_content_counts_only_where_content_is_blank_and_it_parses() -> None:
    for kind in ("reasoning", "null_content"):
        with OpenAIServer(kind) as server:
            assert "24 months" in call(server.base_url).text
    with pytest.raises(CallFailed):
        read_completion({"choices": [{"message": {"content": "", "reasoning_content": "Let me think."}}]})


LONG = [{"role": "user", "content": "自签收之日起七日内可以退货。The warranty is 24 months. " * 120}]
"""About 2,500 tokens."""


def chat_long(url: str, messages: list[dict[str, str]]) -> Reply:
    async def once() -> Reply:
        async with Client(Endpoint(base_url=url, model="m", api_key=KEY)) as client:
            return await client.chat(messages, max_tokens=100, temperature=0.0)

    return asyncio.run(once())


def test_a_prompt_that_the_server_cut_is_no_reply() -> None:
    with OpenAIServer("prompt_cut") as server:
        with pytest.raises(CallFailed) as failed:
            chat_long(server.base_url, LONG)
        assert chat_long(server.base_url, MESSAGES).text, "of a short prompt the usage says nothing"
    assert failed.value.reason is Reason.PROMPT_CUT and "256" in failed.value.detail
    assert not failed.value.transient and not failed.value.fatal and not failed.value.lasting().fatal
    with OpenAIServer() as server:
        assert chat_long(server.base_url, LONG).prompt_tokens > 1000


def test_what_came_from_the_cache_is_no_cut_prompt() -> None:
    refuse_cut_prompt(Reply(text="x", prompt_tokens=100, cached_tokens=1900), 2000)
    refuse_cut_prompt(Reply(text="x", prompt_tokens=0), 2000)
    refuse_cut_prompt(Reply(text="x", prompt_tokens=800), 2000)
    with pytest.raises(CallFailed):
        refuse_cut_prompt(Reply(text="x", prompt_tokens=799), 2000)


def test_a_limiter_sees_every_try() -> None:
    limiter = Limiter(concurrency=4)

    async def go(url: str) -> Reply:
        async with Client(Endpoint(base_url=url, model="m"), limiter=limiter) as client:
            return await retried(lambda: client.chat(MESSAGES, max_tokens=9, temperature=0.0), QUICK)

    with OpenAIServer("rate_limit_once") as server:
        assert "24 months" in asyncio.run(go(server.base_url)).text
    assert (limiter.allowed, limiter.active) == (2, 0)


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with OpenAIServer() as server:
        assert "24 months" in call(server.base_url).text


def test_the_wait_that_a_server_asks_for_is_honoured() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def limited() -> Reply:
        raise CallFailed(Reason.RATE_LIMITED, "x", retry_after=7.5)

    with pytest.raises(CallFailed):
        asyncio.run(retried(limited, RetryPolicy(tries=3), sleep=sleep))
    assert waits == [7.5, 7.5]


def test_waits_without_a_header_are_bounded_and_jittered() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def broken() -> Reply:
        raise CallFailed(Reason.SERVER_ERROR, "x")

    with pytest.raises(CallFailed):
        asyncio.run(
            retried(broken, RetryPolicy(tries=5, base=1.0, longest=3.0), sleep=sleep, spread=lambda low, high: high)
        )
    assert waits == [1.0, 2.0, 3.0, 3.0]


def test_endpoint_from_the_environment() -> None:
    found = endpoint({"OPENAI_BASE_URL": "http://localhost:1/v1"}, "m", 5)
    assert (found.host, found.api_key) == ("localhost", "")
    assert "secret-key" not in repr(endpoint({"OPENAI_API_KEY": "secret-key"}, "m", 5))
    faults: list[tuple[dict[str, str], str | None, str]] = [
        ({"OPENAI_API_KEY": "k"}, None, "no_model"),
        ({}, "m", "no_key"),
        ({"OPENAI_BASE_URL": "ftp://user:pw@x"}, "m", "endpoint_url"),
    ]
    for environ, model, key in faults:
        with pytest.raises(InputError) as error:
            endpoint(environ, model, 5)
        assert error.value.key == key and "pw" not in str(error.value.values)


def test_loopback() -> None:
    assert all(map(is_loopback, ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]"]))
    assert not any(map(is_loopback, ["localhost.evil.example", "10.0.0.1", "example.com", "127.0.0.1.nip.io", ""]))


def test_details_are_one_harmless_line() -> None:
    assert one_line("a\nb\x1b[31m c") == "a b [31m c"
    assert one_line("https://me:pw@host/v1 key=sk-abcdefgh12345") == "https://***@host/v1 key=***"
    assert len(one_line("x" * 9999)) == 300
