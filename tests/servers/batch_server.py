"""The files and batches endpoints of a scripted server on loopback, over the replies of openai_server.

A batch moves on by one state each time that it is looked at; `script` says through which states and how it ends.
"""

import json
from collections.abc import Sequence
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.servers.loopback import Loopback
from tests.servers.openai_server import KINDS, Kind

STATES = ("validating", "in_progress", "finalizing", "completed")


class BatchServer(Loopback):
    """`lose`: request numbers (from 1, over all batches) that come back in the error file; `skip`: in no file."""

    def __init__(
        self,
        kind: Kind | str = "good",
        *,
        script: Sequence[str] = STATES,
        lose: frozenset[int] = frozenset(),
        skip: frozenset[int] = frozenset(),
        drop_first_answer: bool = False,
    ) -> None:
        self.kind = KINDS[kind] if isinstance(kind, str) else kind
        self.script, self.lose, self.skip = tuple(script), lose, skip
        self.drop_first_answer = drop_first_answer
        """Break the connection where the first batch was just made."""
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.bodies: list[dict[str, Any]] = []
        super().__init__(_handler(self))

    @property
    def base_url(self) -> str:
        return self.address("/v1")

    def upload(self, content_type: str, data: bytes) -> dict[str, Any]:
        message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + data)
        (content,) = [part.get_content() for part in message.iter_parts() if part.get_filename()]
        file_id = f"file-{len(self.files) + 1}"
        self.files[file_id] = content if isinstance(content, bytes) else str(content).encode()
        known = {"object": "file", "bytes": len(content), "created_at": 0, "filename": "x", "status": "processed"}
        return {"id": file_id, "purpose": "batch"} | known

    def start(self, asked: dict[str, Any]) -> dict[str, Any]:
        batch_id = f"batch_{len(self.batches) + 1}"
        total = len(self.files[asked["input_file_id"]].splitlines())
        self.batches[batch_id] = {
            "id": batch_id,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "created_at": 0,
            "status": self.script[0],
            "metadata": asked.get("metadata"),
            "request_counts": {"total": total, "completed": 0, "failed": 0},
        }
        return self.batches[batch_id]

    def look(self, batch_id: str) -> dict[str, Any]:
        batch = self.batches[batch_id]
        place = self.script.index(batch["status"])
        if place + 1 < len(self.script):
            batch["status"] = self.script[place + 1]
            if place + 2 == len(self.script):
                self._answer(batch)
        return batch

    def told(self, name: str) -> dict[str, Any]:
        """All batches, or one of them."""
        if name == "batches":
            return {"object": "list", "data": list(self.batches.values()), "has_more": False}
        return self.look(name)

    def _answer(self, batch: dict[str, Any]) -> None:
        good, bad = [], []
        for line in self.files[batch["input_file_id"]].splitlines():
            request = json.loads(line)
            self.bodies.append(request["body"])
            number = len(self.bodies)
            if number in self.skip:
                continue
            if number in self.lose:
                error = {"code": "server_error", "message": "The server had an error"}
                response = {"status_code": 500, "request_id": "r", "body": {"error": error}}
                bad.append({"id": f"r{number}", "custom_id": request["custom_id"], "response": response, "error": None})
                continue
            body = json.loads(self.kind(request["body"], number).body)
            response = {"status_code": 200, "request_id": "r", "body": body}
            good.append({"id": f"r{number}", "custom_id": request["custom_id"], "response": response, "error": None})
        for name, rows in (("output_file_id", good), ("error_file_id", bad)):
            if rows:
                file_id = f"file-{name}-{batch['id']}"
                self.files[file_id] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
                batch[name] = file_id
        batch["request_counts"] |= {"completed": len(good), "failed": len(bad)}


def _handler(server: BatchServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.endswith("/files"):
                self._json(server.upload(self.headers["Content-Type"], data))
                return
            batch = server.start(json.loads(data))
            if server.drop_first_answer and len(server.batches) == 1:
                self.close_connection = True
                self.connection.close()
                return
            self._json(batch)

        def do_GET(self) -> None:
            *_, place, name = self.path.partition("?")[0].split("/")
            if name == "content":
                self._send(server.files[place], "application/octet-stream")
            else:
                self._json(server.told(name))

        def _json(self, value: object) -> None:
            self._send(json.dumps(value).encode(), "application/json")

        def _send(self, body: bytes, content_type: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

    return Handler
