"""A small RAG over HTTP on loopback: it finds the passages that share most pairs of signs with the question.

It answers with the best one, can fail on purpose, and tells how many calls it had at once.
"""

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.servers.loopback import Loopback

Passages = Sequence[tuple[str, str]]
Fault = Callable[[int, dict[str, Any]], str]
"""(number of the call from 1, body) -> what goes wrong: "", "429", "500", "hang", "garbage", "drop" or "echo"."""


def never(number: int, body: dict[str, Any]) -> str:
    """Nothing goes wrong."""
    return ""


def found(passages: Passages, question: str, top: int = 3) -> list[tuple[str, str, float]]:
    """The best passages: id, text, score."""
    pairs = {question[at : at + 2] for at in range(len(question) - 1)}
    scored = [(name, text, sum(pair in text for pair in pairs) / max(1, len(pairs))) for name, text in passages]
    return sorted((one for one in scored if one[2] > 0), key=lambda one: (-one[2], one[0]))[:top]


class RagServer(Loopback):
    """`slow`: seconds that a good answer takes at least."""

    def __init__(self, passages: Passages, *, fault: Fault = never, slow: float = 0.0) -> None:
        self.passages, self.fault = passages, fault
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self.released = threading.Event()
        """Ends all calls that hang."""
        self._slow, self._at_once, self._lock = slow, 0, threading.Lock()
        super().__init__(_handler(self))

    @property
    def url(self) -> str:
        """Where it is asked."""
        return self.address("/v1/ask")

    def __exit__(self, *_: object) -> None:
        self.released.set()
        super().__exit__()

    def begun(self, body: dict[str, Any], headers: dict[str, str]) -> str:
        """Count a call in; what is to go wrong with it."""
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return self.fault(len(self.bodies), body)

    def ended(self) -> None:
        """Count a call out."""
        with self._lock:
            self._at_once -= 1

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply: an answer with its sources, the way many services nest it."""
        self.released.wait(self._slow)
        hits = found(self.passages, str(body.get("question") or body.get("query")))
        sources = [{"chunk_id": name, "content": text, "score": score} for name, text, score in hits]
        usage = {"prompt_tokens": 100, "completion_tokens": 20}
        text = hits[0][1] if hits else "资料里没有。"
        status = "answered" if hits else "refused"
        return {"code": 0, "data": {"text": text, "status": status, "sources": sources, "usage": usage}}


def _handler(server: RagServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            fault = server.begun(body, headers)
            try:
                self._reply(fault, body, headers)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                server.ended()

        def _reply(self, fault: str, body: dict[str, Any], headers: dict[str, str]) -> None:
            if fault == "hang":
                server.released.wait(30)
            if fault == "drop":
                self.close_connection = True
                self.connection.close()
            elif fault in ("429", "500"):
                self._send(int(fault), json.dumps({"error": {"message": f"no {fault}"}}))
            elif fault == "echo":
                self._send(500, f"who are you, {headers.get('authorization')}?")
            else:
                self._send(200, "<html>" if fault == "garbage" else json.dumps(server.answer(body)))

        def _send(self, code: int, text: str) -> None:
            data = text.encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on the screen."""

    return Handler
