"""The scripted server as a process of its own: answers, logs before it answers, replies alike to like requests."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.servers.openai_server import KINDS, items_for

BODY = {
    "model": "m",
    "messages": [{"role": "user", "content": "[片段1]\n1) 甲。\n2) 乙。\n[片段2]\n1) 丙。\n出 3 题。"}],
}


def post(url: str, body: object) -> bytes:
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
        data: bytes = answer.read()
        return data


def test_as_a_process(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "tests.servers.openai_server", "0", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            assert post(url, BODY) == post(url, BODY)
        finally:
            server.kill()
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [row["number"] for row in rows] == [1, 2] and rows[0]["body"] == BODY


def test_items_come_from_the_passages_in_turn() -> None:
    items = items_for(BODY)
    assert [(item["source_index"], item["sentences"], item["ground_truth"]) for item in items] == [
        (1, [1], "甲。"),
        (2, [1], "丙。"),
        (1, [2], "乙。"),
    ]


def test_every_kind_answers() -> None:
    assert all(kind(BODY, 1).status in (200, 400, 401, 404, 429, 500) for kind in KINDS.values())
