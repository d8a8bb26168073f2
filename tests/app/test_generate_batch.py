"""Batches: the online requests byte for byte, sent out once, read when they are back, whatever ended them."""

import json
from pathlib import Path
from typing import Any

import pytest

from builder.llm.batches import read_results, request_line, shards
from builder.llm.client import body_bytes
from builder.model.attempt import AttemptState
from tests.app.test_generate import GENERATE, assert_every_quote_stands, cases, chunk_count, environ
from tests.folder import Folder
from tests.servers.batch_server import BatchServer
from tests.servers.openai_server import KINDS, OpenAIServer

FILE = (*GENERATE, "--batch", "file", "-o", "out.jsonl")
OPENAI = (*GENERATE, "--batch", "openai")


@pytest.fixture(autouse=True)
def impatient(docs: Folder) -> None:
    """The next look at a batch is at once."""
    text = (docs.path / "builder.toml").read_text(encoding="utf-8")
    docs.write("builder.toml", f"{text}\n[generate]\nbatch_poll = 0\n")


def requests(folder: Folder) -> list[dict[str, Any]]:
    text = (folder.path / "out.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def answered(folder: Folder, name: str = "back.jsonl", skip: int = 0) -> Path:
    rows = []
    for number, request in enumerate(requests(folder)[skip:], 1):
        body = json.loads(KINDS["good"](request["body"], number).body)
        rows.append({"id": "r", "custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}})
    path = folder.path / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_file_holds_the_online_requests_byte_for_byte(docs: Folder) -> None:
    with OpenAIServer("takes_object") as server:
        docs.done(*GENERATE, "--dataset", "probing", "--limit", "1", **environ(server.base_url))
        docs.done(*GENERATE, "--dataset", "online", **environ(server.base_url))
        docs.done(*FILE, "--dataset", "batch", **environ(server.base_url))
        online = sorted({raw for raw, body in zip(server.raw, server.bodies, strict=True) if _object(body)})
    lines = (docs.path / "out.jsonl").read_bytes().splitlines()
    assert sorted(line.split(b'"body":', 1)[1][:-1] for line in lines) == online


def _object(body: dict[str, Any]) -> bool:
    return bool(body.get("response_format", {}).get("type") == "json_object")


def test_a_file_is_collected(docs: Folder) -> None:
    docs.done(*FILE, **environ("http://127.0.0.1:9/v1"))
    assert len(requests(docs)) == chunk_count(docs)
    assert len({request["custom_id"] for request in requests(docs)}) == chunk_count(docs)
    assert cases(docs) == ()
    found = docs.done("generate", "--collect", answered(docs).name)
    assert len(cases(docs)) == 2 * chunk_count(docs), found.out
    assert_every_quote_stands(docs)
    again = docs.done("generate", "--collect", "back.jsonl", "--json").json
    assert (again["kept"], again["known"]) == (0, chunk_count(docs))


def test_what_is_out_is_not_asked_again_until_it_is_given_up(docs: Folder) -> None:
    docs.done(*FILE, **environ("http://127.0.0.1:9/v1"))
    with OpenAIServer() as server:
        found = docs.run(*GENERATE, **environ(server.base_url))
        assert (found.code, server.bodies) == (0, []), found.err
        docs.done("generate", "--collect", answered(docs, skip=1).name)
        assert len(cases(docs)) == 2 * (chunk_count(docs) - 1)
        docs.done(*GENERATE, "--retry-failed", **environ(server.base_url))
        assert len(server.bodies) == 1
    assert len(cases(docs)) == 2 * chunk_count(docs)


def test_a_file_that_is_there_is_not_overwritten(docs: Folder) -> None:
    docs.write("out.jsonl", "mine")
    found = docs.run(*FILE, **environ("http://127.0.0.1:9/v1"))
    assert found.code == 3 and "out.jsonl" in found.err
    assert (docs.path / "out.jsonl").read_text() == "mine"
    with docs.store() as store:
        assert store.attempts.list("main") == ()


@pytest.mark.parametrize("text", ["", "no json\n[1]\n", '{"custom_id": "unknown", "response": {"body": {}}}\n'])
def test_a_file_without_results_is_one_clear_line(docs: Folder, text: str) -> None:
    docs.write("back.jsonl", text)
    found = docs.run("generate", "--collect", "back.jsonl")
    assert found.code == 3 and "back.jsonl" in found.err and "Traceback" not in found.err


def test_output_and_batch_go_together(docs: Folder) -> None:
    assert docs.run(*GENERATE, "--batch", "file").code == 2
    assert docs.run(*GENERATE, "--batch", "openai", "-o", "x.jsonl").code == 2


def test_a_servers_batch_is_waited_for(docs: Folder) -> None:
    with BatchServer() as server:
        docs.done(*OPENAI, **environ(server.base_url))
        assert len(server.batches) == 1
        assert len(cases(docs)) == 2 * chunk_count(docs)
        docs.done(*OPENAI, **environ(server.base_url))
        assert len(server.batches) == 1, "nothing is missing, nothing is sent"
    assert_every_quote_stands(docs)


@pytest.mark.parametrize("end", ["completed", "failed", "expired", "cancelled"])
def test_every_end_gives_what_it_has_and_the_rest_is_asked_again(docs: Folder, end: str) -> None:
    chunks = chunk_count(docs)
    script = ("validating", "in_progress", end)
    with BatchServer(script=script, lose=frozenset({1}), skip=frozenset({2})) as server:
        found = docs.done(*OPENAI, "--json", **environ(server.base_url)).json["collected"]
        assert found["kept"] == 2 * (chunks - 2) and sum(found["failed"].values()) == 1
        docs.done(*OPENAI, **environ(server.base_url))
        assert len(server.bodies) == chunks + 2, "only the two that brought nothing"
    assert len(cases(docs)) == 2 * chunks


def test_a_batch_whose_start_was_not_heard_of_is_found_again(docs: Folder) -> None:
    with BatchServer(drop_first_answer=True) as server:
        docs.run(*OPENAI, **environ(server.base_url))
        docs.run(*OPENAI, **environ(server.base_url))
        sent = [len(server.files[batch["input_file_id"]].splitlines()) for batch in server.batches.values()]
    assert len(cases(docs)) == 2 * chunk_count(docs)
    with docs.store() as store:
        assert {attempt.state for attempt in store.attempts.list("main")} == {AttemptState.DONE}
    assert len(sent) <= 4, "the SDK asks again three times where the line broke; we never do"


def test_shards() -> None:
    lines = [(str(number), request_line(str(number), body_bytes({"n": "x" * number}))) for number in range(7)]
    assert list(shards(lines, requests=3)) == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    sizes = dict((key, len(line)) for key, line in lines)
    for shard in shards(lines, size=200):
        assert len(shard) == 1 or sum(sizes[key] for key in shard) <= 200
    assert [key for shard in shards(lines, size=200) for key in shard] == [key for key, _ in lines]


def test_lines_that_are_no_results_come_back_as_they_are() -> None:
    found = list(read_results(["", "x", "[]", '{"custom_id": 1}', '{"custom_id": "a", "error": {"message": "no"}}']))
    assert found[:3] == ["x", "[]", '{"custom_id": 1}']
    assert len(found) == 4 and not isinstance(found[3], str) and found[3].reply is None and "no" in found[3].error
