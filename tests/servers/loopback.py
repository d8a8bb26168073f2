"""What every server of the tests is: HTTP on loopback, in a thread of its own, from `with` to its end."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Loopback:
    """Serves with a handler; port 0 is any that is free."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def address(self, path: str) -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self._http.server_address[1]}{path}"

    def serve(self) -> None:
        """Serve in this thread until the process ends."""
        self._http.serve_forever()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
