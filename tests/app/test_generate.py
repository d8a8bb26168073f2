"""builder generate against a real HTTP server on loopback: counts, failures, kills, two at once."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from builder.model.attempt import AttemptState
from builder.model.case import Case
from builder.model.chunk_index import ChunkIndex
from tests.conftest import Wait
from tests.folder import ROOT, Folder
from tests.servers.openai_server import KEY, KINDS, Answer, OpenAIServer, completion

GENERATE = ("generate", "--model", "scripted", "--per-chunk", "2")


def environ(url: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY}


def cases(folder: Folder) -> tuple[Case, ...]:
    with folder.store() as store:
        return store.cases.list("main")


def chunk_count(folder: Folder) -> int:
    with folder.store() as store:
        return store.documents.chunk_count()


def assert_every_quote_stands(folder: Folder) -> None:
    with folder.store() as store:
        index = ChunkIndex(store.documents.chunks())
        for case in store.cases.list("main"):
            for evidence in case.evidence if case.enabled else ():
                chunk = index.chunk_of(evidence)
                assert chunk is not None
                assert evidence.quote in chunk.text


@pytest.mark.parametrize(
    ("kind", "per_chunk", "dropped"),
    [
        ("good", 2, {}),
        ("half", 2, {"no_answer": 1, "no_question": 2, "not_an_object": 1}),
        ("truncated", 1, {"cut": 2}),
        ("fenced", 2, {}),
        ("reasoning", 2, {}),
        ("no_json_mode", 2, {}),
    ],
)
def test_what_is_kept_and_what_is_dropped(docs: Folder, kind: str, per_chunk: int, dropped: dict[str, int]) -> None:
    with OpenAIServer(kind) as server:
        report = docs.done(*GENERATE, "--json", **environ(server.base_url)).json
    chunks = chunk_count(docs)
    assert report["kept"] == per_chunk * chunks == len(cases(docs))
    assert report["dropped"] == {reason: count * chunks for reason, count in dropped.items()}
    assert all(case.evidence and case.enabled for case in cases(docs))
    assert_every_quote_stands(docs)


def test_a_wrong_number_is_never_guessed(docs: Folder) -> None:
    with OpenAIServer("wrong_number") as server:
        docs.done(*GENERATE, **environ(server.base_url))
    assert len(cases(docs)) == 2 * chunk_count(docs)
    assert all(case.evidence == () and case.review_state == "unreviewed" for case in cases(docs))


@pytest.mark.parametrize("kind", ["good", "truncated", "wrong_number"])
def test_the_same_command_twice_makes_no_call(docs: Folder, kind: str) -> None:
    with OpenAIServer(kind) as server:
        docs.done(*GENERATE, **environ(server.base_url))
        before, found = len(server.bodies), cases(docs)
        again = docs.done(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == before
    assert cases(docs) == found
    assert "no call was made" in again.out


def test_rejected_cases_count_too(docs: Folder) -> None:
    with OpenAIServer() as server:
        docs.done(*GENERATE, **environ(server.base_url))
        docs.done("cases", "reject", cases(docs)[0].case_id, "--reason", "unclear")
        docs.done(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == chunk_count(docs)


def test_more_per_chunk_asks_for_the_rest_with_the_earlier_questions(docs: Folder) -> None:
    with OpenAIServer() as server:
        docs.done("generate", "--model", "scripted", "--per-chunk", "1", **environ(server.base_url))
        first = {case.question for case in cases(docs)}
        docs.done(*GENERATE, **environ(server.base_url))
        later = server.bodies[chunk_count(docs) :]
    assert len(later) == chunk_count(docs)
    assert all(any(question in body["messages"][-1]["content"] for question in first) for body in later)


@pytest.mark.parametrize(
    ("arguments", "calls", "bound"),
    [(("--limit", "1"), 1, "limit"), (("--cases", "3"), 2, "cases"), ((), 4, "per_chunk")],
)
def test_the_tightest_target_binds_and_is_named(
    docs: Folder, arguments: tuple[str, ...], calls: int, bound: str
) -> None:
    with OpenAIServer() as server:
        plan = docs.done(*GENERATE, *arguments, "--dry-run", "--json", **environ(server.base_url)).json["plan"]
        assert server.bodies == []
        docs.done(*GENERATE, *arguments, **environ(server.base_url))
    assert (plan["calls"], plan["bound_by"]) == (calls, bound)
    assert len(server.bodies) == calls


def test_what_falls_short_is_made_up_from_other_chunks(docs: Folder) -> None:
    """--cases is what the dataset shall have: so the second time there is nothing left to do."""

    def first_is_empty(body: dict[str, Any], number: int) -> Answer:
        return completion('{"items":[]}', body) if number == 1 else KINDS["good"](body, number)

    with OpenAIServer(first_is_empty) as server:
        docs.done(*GENERATE, "--cases", "3", **environ(server.base_url))
        assert len(cases(docs)) == 3
        asked = len(server.bodies)
        docs.done(*GENERATE, "--cases", "3", **environ(server.base_url))
        assert len(server.bodies) == asked


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("unauthorized", "key"),
        ("no_quota", "quota"),
        ("html", "HTML"),
        ("not_found", "not"),
        ("server_error", "server"),
        ("no_choices", "choices"),
    ],
)
def test_a_failing_endpoint_is_one_clear_line_and_the_same_command_resumes(docs: Folder, kind: str, said: str) -> None:
    with OpenAIServer(kind) as server:
        found = docs.run(*GENERATE, **environ(server.base_url))
    assert found.code == 4
    assert said in found.err
    assert KEY not in found.err + found.out
    with OpenAIServer() as server:
        docs.done(*GENERATE, **environ(server.base_url))
    assert len(cases(docs)) == 2 * chunk_count(docs)


def test_an_endpoint_that_is_down(docs: Folder) -> None:
    with OpenAIServer() as server:
        url = server.base_url
    found = docs.run(*GENERATE, **environ(url))
    assert found.code == 4
    assert "same command" in found.err


def test_no_writer_no_default(docs: Folder) -> None:
    found = docs.run("generate")
    assert found.code == 3
    for line in ("OPENAI_API_KEY", ".gguf", "--writer extractive"):
        assert line in found.err


def test_many_calls_want_a_yes(folder: Folder) -> None:
    text = "\n\n".join(f"## 第 {number} 节\n\n第 {number} 项收费 {number} 元。" for number in range(201))
    folder.write("docs/many.md", f"# 价目\n\n{text}\n")
    folder.done("ingest", "docs")
    with OpenAIServer() as server:
        found = folder.run(*GENERATE, "--cases", "1000", **environ(server.base_url))
        assert (found.code, server.bodies) == (3, [])
        assert "--yes" in found.err
        folder.done(*GENERATE, "--cases", "1000", "--yes", **environ(server.base_url))
    assert len(server.bodies) == 201


def test_a_broken_template_names_file_and_line(docs: Folder) -> None:
    docs.write("prompts/zh/user.j2", "{% for p in passages %}\n{{ p.nothing }}\n{% endfor %}\n")
    with OpenAIServer() as server:
        found = docs.run(*GENERATE, **environ(server.base_url))
    assert found.code == 3
    assert "user.j2" in found.err
    assert server.bodies == [] or "zh" not in found.err


def test_restricted_documents_stay_here(docs: Folder) -> None:
    docs.write("docs/handbook.md.meta.toml", 'roles = ["hr"]\n')
    docs.done("ingest")
    plan = docs.run(*GENERATE, "--dry-run", "--json", **environ("https://llm.example.org/v1")).json["plan"]
    assert plan["held_back"] == {"handbook.md": 2}
    with OpenAIServer() as server:
        plan = docs.done(*GENERATE, "--dry-run", "--json", **environ(server.base_url)).json["plan"]
    assert plan["held_back"] == {}, "this machine is no outside"


def test_going_on_with_something_else_is_refused(docs: Folder) -> None:
    with OpenAIServer("server_error") as server:
        docs.run(*GENERATE, **environ(server.base_url))
    with OpenAIServer() as server:
        other = ("generate", "--model", "another", "--per-chunk", "2")
        found = docs.run(*other, **environ(server.base_url))
        assert (found.code, "model" in found.err, server.bodies) == (3, True, [])
        docs.done(*other, "--resume", "always", **environ(server.base_url))
    assert {case.provenance.model for case in cases(docs) if case.provenance} == {"another"}


def test_a_false_word_for_resume(docs: Folder) -> None:
    assert docs.run(*GENERATE, "--resume", "perhaps").code == 2


def test_the_key_is_nowhere(docs: Folder) -> None:
    with OpenAIServer("unauthorized") as server:
        docs.run(*GENERATE, **environ(server.base_url))
    for path in docs.path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


# Processes: killed, interrupted, two at once


@contextmanager
def slow_server(log: Path, delay: float) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.servers.openai_server", "0", str(log), "good", str(delay)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def calls(log: Path) -> list[str]:
    if not log.exists():
        return []
    lines = log.read_text(encoding="utf-8").splitlines()
    return [json.dumps(json.loads(line)["body"], sort_keys=True) for line in lines if line.endswith("}")]


@pytest.fixture
def many(folder: Folder) -> Folder:
    """A corpus of 24 chunks."""
    for name in ("甲", "乙"):
        text = "\n\n".join(f"## {name}{number}\n\n{name}类第 {number} 项收费 {number + 1} 元。" for number in range(12))
        folder.write(f"docs/{name}.md", f"# 价目{name}\n\n{text}\n")
    folder.done("ingest", "docs")
    return folder


def comparable(found: tuple[Case, ...]) -> list[tuple[str, str, str]]:
    return sorted((case.case_id, case.question, case.ground_truth) for case in found)


def test_killed_at_several_moments_then_resumed(
    many: Folder, tmp_path_factory: pytest.TempPathFactory, until: Wait, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path_factory.mktemp("log") / "calls.jsonl"
    moments = []
    with slow_server(log, 0.05) as url:
        for wanted in (2, 7, 12, 18):
            process = many.start(*GENERATE, "--concurrency", "2", **environ(url))
            until(lambda wanted=wanted: len(calls(log)) >= wanted)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
            process.communicate()
            moments.append(len(calls(log)))
            with many.store() as store:
                answered = sum(attempt.reply is not None for attempt in store.attempts.list("main"))
            assert answered <= len(calls(log))
        committed = answered
        before = calls(log)
        many.done(*GENERATE, **environ(url))
        after = calls(log)
    with capsys.disabled():
        sys.stdout.write(f"\n  calls seen at each kill: {moments}; committed: {committed}; in all: {len(after)}\n")
    assert len(set(moments)) == len(moments), "the kills came at different moments"
    # A call is made again only where its reply was not committed: at most two were on their way at each kill.
    assert len(after) - len(set(after)) <= 2 * len(moments)
    assert len(after) - len(before) == chunk_count(many) - committed
    with OpenAIServer() as server:
        many.done(*GENERATE, "--dataset", "clean", **environ(server.base_url))
    with many.store() as store:
        clean = store.cases.list("clean")
    assert [row[1:] for row in sorted(comparable(cases(many)), key=lambda row: row[1:])] == sorted(
        (case.question, case.ground_truth) for case in clean
    )
    assert_every_quote_stands(many)


def test_two_at_once_share_the_work(many: Folder, tmp_path_factory: pytest.TempPathFactory) -> None:
    log = tmp_path_factory.mktemp("log") / "calls.jsonl"
    with slow_server(log, 0.1) as url:
        both = [many.start(*GENERATE, **environ(url)) for _ in range(2)]
        for process in both:
            process.communicate(timeout=60)
    assert [process.returncode for process in both] == [0, 0]
    assert max(Counter(calls(log)).values()) == 1, "no call is made twice"
    assert len(cases(many)) == 2 * chunk_count(many)


def test_ctrl_c_keeps_what_came_in(many: Folder, tmp_path_factory: pytest.TempPathFactory, until: Wait) -> None:
    log = tmp_path_factory.mktemp("log") / "calls.jsonl"
    with slow_server(log, 0.05) as url:
        process = many.start(*GENERATE, "--concurrency", "2", **environ(url))
        until(lambda: len(calls(log)) >= 5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "same command" in err
        with many.store() as store:
            attempts = [attempt for attempt in store.attempts.list("main") if attempt.reply is not None]
        assert len(attempts) >= 3
        # A reply that came in at that very moment is kept; its cases are made by the next run, without a call.
        assert len(cases(many)) == 2 * sum(attempt.state is AttemptState.DONE for attempt in attempts)
        many.done(*GENERATE, **environ(url))
    assert len(calls(log)) <= chunk_count(many) + 2, "at most the two that were on their way are made again"
    assert len(cases(many)) == 2 * chunk_count(many)


def test_workers_of_a_killed_ingest_end(folder: Folder, until: Wait) -> None:
    import psutil

    for number in range(160):
        folder.write(f"docs/{number}.md", f"# 文档 {number}\n\n" + "内容一句。" * 2000)
    process = folder.start("ingest", "docs")
    parent = psutil.Process(process.pid)
    until(lambda: len(parent.children(recursive=True)) >= 2)
    children = parent.children(recursive=True)
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
    folder.done("ingest", "docs")
    with folder.store() as store:
        assert len(store.documents.all()) == 160
