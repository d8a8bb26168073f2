"""A server on loopback that replies to every POST with the bytes that it is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.servers.loopback import Loopback

JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    """What is sent back, byte by byte."""

    body: bytes = b""
    status: int = 200
    kind: str | None = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    chunk: int = 0
    """Sent in chunks of so many bytes; 0: as a whole."""
    promised: int = 0
    """So many bytes more are promised than are sent."""


@dataclass(frozen=True)
class Sent:
    """What came in."""

    body: bytes
    headers: Mapping[str, str]


class ReplyServer(Loopback):
    """Replies with what `answer` makes of each request."""

    def __init__(self, answer: Callable[[Sent], Reply]) -> None:
        self.sent: list[Sent] = []
        super().__init__(_handler(self, answer))

    @property
    def url(self) -> str:
        """Where it is asked."""
        return self.address("/ask")


def _handler(server: ReplyServer, answer: Callable[[Sent], Reply]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent = Sent(body, {name.lower(): value for name, value in self.headers.items()})
            server.sent.append(sent)
            try:
                self._reply(answer(sent))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _reply(self, reply: Reply) -> None:
            self.send_response(reply.status)
            own = {} if reply.kind is None else {"Content-Type": reply.kind}
            length = str(len(reply.body) + reply.promised)
            sized = {"Transfer-Encoding": "chunked"} if reply.chunk else {"Content-Length": length}
            for name, value in {**own, **sized, **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            for at in range(0, len(reply.body), reply.chunk or len(reply.body)):
                piece = reply.body[at : at + (reply.chunk or len(reply.body))]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if reply.chunk else piece)
            if reply.chunk:
                self.wfile.write(b"0\r\n\r\n")
            self.close_connection = reply.promised > 0

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on the screen."""

    return Handler
