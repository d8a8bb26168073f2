"""A scripted OpenAI-compatible server on loopback: real sockets, replies made from the passages of the request.

The same request always gets the same reply, whatever came before. Every request is kept, and written as one JSON line
before it is answered, so that a killed client's calls can be counted.

    with OpenAIServer() as server: ... server.base_url ... server.bodies
    python -m tests.servers.openai_server PORT LOGFILE [KIND] [DELAY_SECONDS]
"""

import hashlib
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from tests.servers.loopback import Loopback

_PASSAGE = re.compile(r"^\[(?:片段|Passage )(\d+)\]")
_SENTENCE = re.compile(r"^(\d+)\) (.+)$")
_ASKED = re.compile(r"(?:出|Write) (\d+)")
KEY = "sk-loopback-secret-0123456789"


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes over the wire."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    cut: bool = False
    """Close the connection in the middle of the body."""


Kind = Callable[[dict[str, Any], int], Answer]
"""(request body, number of this request from 1) -> answer."""


def items_for(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Good items for a request: the sentences of its passages in turn, as question and answer, after earlier ones."""
    chinese, user = _user(body)
    sentences = _sentences(user)
    found = _ASKED.search(user)
    items = []
    earlier = sum(line.startswith("- ") for line in user.splitlines())
    for number in range(earlier, earlier + (int(found.group(1)) if found else 1)):
        passage, place, text = sentences[number % len(sentences)]
        about = text[:24].rstrip("，。：；、,.:; ")
        question = (
            f"关于“{about}”是怎么规定的（{number + 1}）？"
            if chinese
            else f"What is said about “{about}” ({number + 1})?"
        )
        items.append({"question": question, "ground_truth": text, "source_index": passage, "sentences": [place]})
    return items


def _user(body: dict[str, Any]) -> tuple[bool, str]:
    user = str(body["messages"][-1]["content"])
    return "片段" in user, user


def _sentences(user: str) -> list[tuple[int, int, str]]:
    """(passage number, sentence number, text) of all sentences, first of each passage first."""
    rows, passage = [], 0
    for line in user.splitlines():
        if found := _PASSAGE.match(line):
            passage = int(found.group(1))
        elif (found := _SENTENCE.match(line)) and passage:
            rows.append((int(found.group(1)), passage, found.group(2)))
    return [(passage, number, text) for number, passage, text in sorted(rows, key=lambda row: row[:2])] or [(0, 0, "-")]


def completion(text: str, body: dict[str, Any], finish: str = "stop", **message: Any) -> Answer:
    """A chat completion that says `text`."""
    prompt = sum(len(str(part["content"])) for part in body["messages"]) // 3
    usage = {"prompt_tokens": prompt, "completion_tokens": len(text) // 3, "total_tokens": prompt + len(text) // 3}
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text} | message,
    }
    return _json(
        200, {"id": "c1", "object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}
    )


def _json(status: int, value: object, **headers: str) -> Answer:
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value, ensure_ascii=False).encode(), names)


def _error(status: int, message: str, code: str, **headers: str) -> Answer:
    return _json(status, {"error": {"message": message, "type": code, "code": code, "param": None}}, **headers)


def _compact(items: Sequence[object]) -> str:
    return json.dumps({"items": items}, ensure_ascii=False, separators=(",", ":"))


def _good(body: dict[str, Any], _: int) -> Answer:
    return completion(_compact(items_for(body)), body)


def _half(body: dict[str, Any], _: int) -> Answer:
    broken = [
        {"question": "Half a question?"},
        {"ground_truth": "half an answer"},
        {"question": "", "ground_truth": "x"},
    ]
    return completion(_compact([broken[0], *items_for(body), *broken[1:], "no object"]), body)


def _truncated(body: dict[str, Any], _: int) -> Answer:
    text = _compact(items_for(body))
    return completion(text[: text.rindex('"source_index"')], body, finish="length")


def _fenced(body: dict[str, Any], _: int) -> Answer:
    draft = '<think>Perhaps {"question":"draft?","ground_truth":"draft","source_index":1} …</think>\n'
    pretty = json.dumps(items_for(body), ensure_ascii=False, indent=2)
    return completion(f"{draft}Here you are:\n```json\n{pretty}\n```\nDone.", body)


def _wrong_number(body: dict[str, Any], _: int) -> Answer:
    return completion(_compact([item | {"source_index": 99} for item in items_for(body)]), body)


def _reasoning(body: dict[str, Any], _: int) -> Answer:
    return completion("", body, reasoning_content=_compact(items_for(body)))


_WIDE = str.maketrans({"{": "｛", "}": "｝", "[": "［", "]": "］", ":": "：", ",": "，"})


def _wide(body: dict[str, Any], _: int) -> Answer:
    """JSON's signs full-width, its strings in Chinese quotation marks."""
    parts = re.split(r'"((?:[^"\\]|\\.)*)"', _compact(items_for(body)))
    text = "".join(f"“{part}”" if place % 2 else part.translate(_WIDE) for place, part in enumerate(parts))
    return completion(text, body)


def _several(body: dict[str, Any], _: int) -> Answer:
    return completion("\n".join(_compact([item]) for item in items_for(body)), body)


def _bare(body: dict[str, Any], _: int) -> Answer:
    return completion(json.dumps(items_for(body), ensure_ascii=False), body)


def _wrapped(body: dict[str, Any], _: int) -> Answer:
    return completion(json.dumps({"count": 2, "data": {"qa_pairs": items_for(body)}}, ensure_ascii=False), body)


def _prose(body: dict[str, Any], _: int) -> Answer:
    return completion(
        f"好的，以下是题目 [共 2 题]：\n{_compact(items_for(body))}\n希望有帮助 {{如需修改请告知}}。", body
    )


def _thinking(body: dict[str, Any], _: int) -> Answer:
    """The opening tag is in the prompt; the draft within the thoughts is no reply."""
    return completion(
        f'草稿 {{"question":"draft?","ground_truth":"draft"}}\n</think>\n\n{_compact(items_for(body))}', body
    )


def _numbers(body: dict[str, Any], _: int) -> Answer:
    return completion(_compact([item | {"ground_truth": 12.50, "source_index": 1.0} for item in items_for(body)]), body)


def _lists(body: dict[str, Any], _: int) -> Answer:
    lists = [item | {"ground_truth": [item["ground_truth"], "b"], "source_index": ["1"]} for item in items_for(body)]
    return completion(_compact(lists), body)


def _null_content(body: dict[str, Any], _: int) -> Answer:
    return completion("", body, content=None, reasoning_content=_compact(items_for(body)))


def _prompt_cut(body: dict[str, Any], number: int) -> Answer:
    """Ollama: the prompt is cut at the context length, and only the usage shows it."""
    answer = json.loads(_good(body, number).body)
    answer["usage"]["prompt_tokens"] = min(256, answer["usage"]["prompt_tokens"])
    return _json(200, answer)


def _takes(*formats: str) -> Kind:
    """A server that takes these formats alone; json_object only where the prompt speaks of JSON (DeepSeek, OpenAI)."""

    def answer(body: dict[str, Any], number: int) -> Answer:
        wanted = body.get("response_format", {}).get("type", "text")
        if wanted not in formats:
            return _error(400, f"'response_format.type' must be one of {formats}", "invalid_request_error")
        if wanted == "json_object" and "json" not in str(body["messages"]).casefold():
            return _error(400, "'messages' must contain the word 'json' in some form", "invalid_request_error")
        return _good(body, number)

    return answer


def faulty(share: int, *, stall: float = 0.3) -> Kind:
    """A server that fails `share` per cent of the calls; which ones follows from body and number of its try alone.

    A passing 429, a 500, a stall, a body that breaks off on the line, and bodies that are no JSON or blank, in turn.
    """
    tries: dict[str, int] = {}
    lock = threading.Lock()

    def answer(body: dict[str, Any], number: int) -> Answer:
        asked = json.dumps(body["messages"], sort_keys=True)
        with lock:
            tries[asked] = tries.get(asked, 0) + 1
            sign = hashlib.sha256(f"{tries[asked]} {asked}".encode()).digest()
        good = _good(body, number)
        if sign[0] * 100 >= share * 256:
            return good
        half = Answer(200, good.body[: len(good.body) // 2])
        slow = Answer(200, good.body, delay=stall)
        kinds = (_rate_limit("0")(body, number), _SERVER_ERROR(body, number), slow, _cut_body(body, number), half)
        return (*kinds, completion(" ", body))[sign[1] % 6]

    return answer


def _no_json_mode(body: dict[str, Any], number: int) -> Answer:
    if "response_format" in body:
        return _error(400, "'response_format.type' must be 'json_schema' or 'text'", "invalid_request_error")
    return _good(body, number)


def _first(fault: Kind) -> Kind:
    return lambda body, number: fault(body, number) if number == 1 else _good(body, number)


def _rate_limit(wait: str) -> Kind:
    return lambda body, number: _error(429, "Rate limit reached for requests", "rate_limit_exceeded", Retry_After=wait)


def _cut_body(body: dict[str, Any], number: int) -> Answer:
    good = _good(body, number)
    return Answer(good.status, good.body, good.headers, cut=True)


_SERVER_ERROR: Kind = lambda body, number: _error(500, "Internal server error", "server_error")  # noqa: E731
_LOGIN_PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>"
_QUOTA = ("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota")
KINDS: dict[str, Kind] = {
    "good": _good,
    "half": _half,
    "truncated": _truncated,
    "fenced": _fenced,
    "wrong_number": _wrong_number,
    "reasoning": _reasoning,
    "no_json_mode": _no_json_mode,
    "unauthorized": lambda body, number: _error(401, f"Incorrect API key provided: {KEY}", "invalid_api_key"),
    "no_quota": lambda body, number: _error(429, *_QUOTA),
    "rate_limit": _rate_limit("0"),
    "rate_limit_long": _rate_limit("600"),
    "rate_limit_once": _first(_rate_limit("0")),
    "not_found": lambda body, number: _error(404, "The model does not exist", "model_not_found"),
    "bad_request": lambda body, number: _error(
        400, "This model's maximum context length is 10 tokens", "context_length"
    ),
    "server_error": _SERVER_ERROR,
    "server_error_once": _first(_SERVER_ERROR),
    "html": lambda body, number: Answer(200, _LOGIN_PAGE, content_type="text/html"),
    "no_choices": lambda body, number: _json(200, {"id": "c1", "choices": None}),
    "empty_choices": lambda body, number: _json(200, {"id": "c1", "choices": []}),
    "error_in_200": lambda body, number: _json(200, {"error": {"message": "Upstream is overloaded", "code": 502}}),
    "blank": lambda body, number: completion("   ", body),
    "slow": lambda body, number: Answer(200, _good(body, number).body, delay=1.5),
    "cut_body": _cut_body,
    "wide": _wide,
    "several": _several,
    "bare": _bare,
    "wrapped": _wrapped,
    "prose": _prose,
    "thinking": _thinking,
    "numbers": _numbers,
    "lists": _lists,
    "null_content": _null_content,
    "prompt_cut": _prompt_cut,
    "takes_all": _takes("json_schema", "json_object", "text"),
    "takes_object": _takes("json_object", "text"),
    "takes_schema": _takes("json_schema", "text"),
    "takes_text": _takes("text"),
}


class OpenAIServer(Loopback):
    """The server in a thread. `kind` names a behaviour of KINDS or is one."""

    def __init__(
        self, kind: str | Kind = "good", *, port: int = 0, log: Path | None = None, delay: float = 0.0
    ) -> None:
        self.kind = KINDS[kind] if isinstance(kind, str) else kind
        self.delay = delay
        self.bodies: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        """Bodies as they came over the wire."""
        self.listed: dict[str, Any] = {"id": "scripted", "object": "model"}
        """What GET /models says of the one model."""
        self.active = self.most_active = 0
        self._log = log
        self._lock = threading.Lock()
        super().__init__(_handler(self), port)

    @property
    def base_url(self) -> str:
        """Address for OPENAI_BASE_URL."""
        return self.address("/v1")

    def record(self, body: dict[str, Any], data: bytes = b"") -> int:
        """Keep a request before it is answered; returns its number from 1."""
        with self._lock:
            self.bodies.append(body)
            self.raw.append(data)
            self.active += 1
            self.most_active = max(self.most_active, self.active)
            if self._log is not None:
                with self._log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"number": len(self.bodies), "body": body}, ensure_ascii=False) + "\n")
            return len(self.bodies)

    def leave(self) -> None:
        """A request is about to be answered."""
        with self._lock:
            self.active -= 1


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            body = json.loads(data)
            number = server.record(body, data)
            answer = server.kind(body, number)
            time.sleep(answer.delay + server.delay)
            server.leave()
            self._send(answer)

        def do_GET(self) -> None:
            self._send(_json(200, {"object": "list", "data": [server.listed]}))

        def _send(self, answer: Answer) -> None:
            try:
                self.send_response(answer.status)
                headers = {
                    "Content-Type": answer.content_type,
                    "Content-Length": str(len(answer.body)),
                } | answer.headers
                for name, text in headers.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
                self.close_connection = self.close_connection or answer.cut
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client was killed or gave up

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

    return Handler


def main(arguments: Sequence[str]) -> None:
    """Serve until killed; prints the address once it listens."""
    port, log, *rest = arguments
    kind = rest[0] if rest else "good"
    server = OpenAIServer(kind, port=int(port), log=Path(log), delay=float(rest[1]) if len(rest) > 1 else 0.0)
    sys.stdout.write(f"{server.base_url}\n")
    sys.stdout.flush()
    server.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
