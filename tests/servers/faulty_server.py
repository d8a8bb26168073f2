"""A server that fails 30 % of its calls, as a process of its own; every call is a line, with what it was answered.

python -m tests.servers.faulty_server LOGFILE DELAY_SECONDS
"""

import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.servers.openai_server import KINDS, Answer, Kind, OpenAIServer, faulty


def noted(kind: Kind, log: Path) -> Kind:
    """The same answers, each noted in `log` before it is given: `good` or `fault`."""
    lock = threading.Lock()

    def answer(body: dict[str, Any], number: int) -> Answer:
        given = kind(body, number)
        good = not given.cut and given.body == KINDS["good"](body, number).body
        with lock, log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"said": "good" if good else "fault", "messages": body["messages"]}) + "\n")
        return given

    return answer


def main(arguments: Sequence[str]) -> None:
    """Serve until killed; prints the address once it listens."""
    log, delay = Path(arguments[0]), float(arguments[1])
    server = OpenAIServer(noted(faulty(30, stall=0.1), log), delay=delay)
    sys.stdout.write(f"{server.base_url}\n")
    sys.stdout.flush()
    server.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
