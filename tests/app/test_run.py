"""`builder run`: every case once, whatever happens; nothing that may not be stored."""

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from builder.app.run import run
from builder.app.run_records import RunAsked
from builder.errors import InputError
from builder.ingest.ocr.engine import available_engines
from builder.model.access import UserContext
from builder.model.case import Case, ReviewState, Split, Turn
from builder.model.chunk_index import ChunkIndex
from builder.progress import Silent
from builder.score.run_file import Run, read_run
from builder.score.run_lock import locked
from builder.score.uses import read_uses
from builder.settings import OcrSettings
from builder.snapshot.listing import read_snapshot
from builder.snapshot.write import write_snapshot
from tests import make
from tests.conftest import Wait
from tests.folder import ROOT, Folder
from tests.servers.rag_server import RagServer
from tests.snapshot.world import facts, plan

FIELDS = (
    "--field", "answer=data.text", "--field", "contexts=data.sources", "--field", "status=data.status",
    "--field", "tokens=data.usage",
)  # fmt: skip
PASSAGES = (
    ("policy.md#0000000001", "整机保修期为自出厂之日起 24 个月。"),
    ("policy.md#0000000002", "自签收之日起 7 日内可以申请无理由退货。投诉请写信至 help@yunlan.example。"),
)
KEY = "sk-very-secret-0123456789"


def cases(count: int) -> tuple[Case, ...]:
    """Cases that all say something of their own."""
    return tuple(
        make.case(
            f"m{number:012x}",
            question=f"第 {number} 号整机保修期多久？",
            ground_truth="24 个月。写信至 help@yunlan.example。",
            review_state=ReviewState.APPROVED,
            split=Split.TEST if number % 4 == 0 else Split.DEV,
            conversation=(Turn(role="user", text="你好"),) if number == 1 else (),
            user_context=UserContext(tenant="beichen", roles=("hr",)) if number == 2 else UserContext(),
        )
        for number in range(1, count + 1)
    )


def frozen(folder: Folder, count: int = 12) -> Folder:
    """A workspace with a snapshot and nothing else."""
    folder.write("builder.toml", "")
    (folder.path / "snapshots").mkdir()
    write_snapshot(folder.path / "snapshots", plan(cases(count), (), ()), facts())
    return folder


@pytest.fixture
def ready(folder: Folder) -> Folder:
    return frozen(folder)


def done(folder: Folder, name: str) -> Run:
    return read_run(folder.path / "runs" / f"{name}.jsonl")


def lines(folder: Folder, name: str) -> int:
    return len((folder.path / "runs" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()) - 1


def stored(folder: Folder) -> str:
    """Everything that lies below the workspace, as one text."""
    files = [path for path in folder.path.rglob("*") if path.is_file()]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def function(folder: Folder, name: str, code: str) -> str:
    """A module of its own for each test: modules are imported once a process."""
    folder.write(f"{name}.py", code)
    return f"{name}:ask"


def test_an_answer_of_a_function_is_a_record(ready: Folder) -> None:
    code = "def ask(question):\n    return '24 个月', ['整机保修期为 24 个月。', 'policy.md#0123456789']\n"
    found = ready.done("run", "v1", "--target", function(ready, "told_pair", code), "--config", "model=m1")
    assert "12" in found.out
    made = done(ready, "v1-told_pair-ask")
    assert made.header.config == {"target": "told_pair:ask", "model": "m1"}
    assert made.header.snapshot_hash and made.header.repeats == 1
    first = made.records[0]
    assert first.answer == "24 个月" and first.question
    assert first.context == first.retrieved
    assert first.context is not None
    assert [(item.id, item.text) for item in first.context] == [
        ("", "整机保修期为 24 个月。"),
        ("policy.md#0123456789", None),
    ]
    assert first.latency_ms is not None and 0 <= first.latency_ms["total"] < 5000
    assert first.status is None


def test_a_target_sees_question_and_asker_and_nothing_else(ready: Folder) -> None:
    code = (
        "import json\nseen = []\n"
        "def ask(question, **more):\n    seen.append(more | {'question': question})\n"
        "    return json.dumps(more, ensure_ascii=False)\n"
    )
    ready.done("run", "v1", "--target", function(ready, "told_all", code))
    told = [json.loads(record.answer or "") for record in done(ready, "v1-told_all-ask").records]
    assert all(set(one) == {"conversation", "user_context", "as_of"} for one in told)
    by_case = {record.case_id: json.loads(record.answer or "") for record in done(ready, "v1-told_all-ask").records}
    assert by_case["m000000000001"]["conversation"] == [{"role": "user", "content": "你好"}]
    assert by_case["m000000000002"]["user_context"] == {"tenant": "beichen", "roles": ["hr"]}
    assert by_case["m000000000003"]["user_context"] == {}


def test_what_is_there_is_not_asked_again_and_what_failed_only_on_demand(ready: Folder) -> None:
    def fault(number: int, body: dict[str, Any]) -> str:
        return {2: "429", 3: "500", 4: "garbage", 5: "drop"}.get(number, "")

    with RagServer(PASSAGES, fault=fault) as server:
        command = ("run", "v1", "--target", server.url, "--name", "a", "--concurrency", "1", *FIELDS)
        first = ready.done(*command, "--json")
        assert first.json["errors"] == {"http_429": 1, "http_500": 1, "bad_answer": 1, "connection": 1}
        assert len(server.bodies) == 12
        errors = [record.error for record in done(ready, "a").records if record.error]
        assert [error.partition(":")[0] for error in errors] == ["http_429", "http_500", "bad_answer", "connection"]
        assert all(record.latency_ms for record in done(ready, "a").records)
        again = ready.done(*command, "--json")
        assert (again.json["asked"], again.json["failed"], len(server.bodies)) == (0, 4, 12)
        more = ready.done(*command, "--retry-failed", "--json")
        assert (more.json["asked"], more.json["failed"], len(server.bodies)) == (4, 0, 16)
    made = done(ready, "a")
    assert len(made.records) == 12 and made.replaced == 4
    assert all(record.error is None for record in made.records)
    record = made.records[0]
    assert record.answer == PASSAGES[0][1] and record.status == "answer"
    assert record.tokens is not None and record.tokens["total"].input == 100
    assert record.retrieved is not None and record.retrieved[0].id == PASSAGES[0][0]


def test_a_call_that_hangs_is_an_error_and_holds_nobody_up(ready: Folder) -> None:
    with RagServer(PASSAGES, fault=lambda number, body: "hang" if "第 3 号" in body["question"] else "") as server:
        found = ready.done("run", "v1", "--target", server.url, "--name", "a", "--timeout", "0.5", *FIELDS, "--json")
    assert found.json["errors"] == {"timeout": 1}
    record = done(ready, "a").by_key["m000000000003", 1]
    assert record.error == "timeout: 0.5 s"
    assert record.latency_ms is not None and record.latency_ms["total"] >= 490


def test_a_function_that_hangs_does_not_keep_the_program(ready: Folder) -> None:
    code = (
        "import threading\ndef ask(question):\n"
        "    if '第 3 号' in question: threading.Event().wait(3600)\n    return 'ja'\n"
    )
    target = function(ready, "told_late", code)
    with ready.start("run", "v1", "--target", target, "--timeout", "0.5", "--name", "a") as process:
        assert process.wait(30) == 0
    assert [record.case_id for record in done(ready, "a").records if record.error] == ["m000000000003"]


def test_so_many_are_asked_at_once_and_no_more(ready: Folder) -> None:
    with RagServer(PASSAGES, slow=0.05) as server:
        ready.done("run", "v1", "--target", server.url, "--name", "a", "--concurrency", "3", *FIELDS)
        assert server.most_at_once == 3
        ready.done("run", "v1", "--target", server.url, "--name", "b", "--concurrency", "1", *FIELDS)
    assert lines(ready, "a") == lines(ready, "b") == 12


def test_killed_in_the_middle_and_gone_on_with(folder: Folder, until: Wait) -> None:
    ready = frozen(folder, 60)
    with RagServer(PASSAGES, slow=0.02) as server:
        command = ("run", "v1", "--target", server.url, "--name", "a", "--concurrency", "4", *FIELDS)
        with ready.start(*command) as process:
            until(lambda: len(server.bodies) >= 25)
            process.send_signal(signal.SIGKILL)
        with (ready.path / "runs" / "a.jsonl").open("ab") as file:
            file.write(b'{"schema_version":1,"case_id":"m0000000')  # what a crash may leave of a line
        there = {record["case_id"] for record in whole_lines(ready.path / "runs" / "a.jsonl")}
        assert 0 < len(there) < 60
        asked = len(server.bodies)
        found = ready.done(*command, "--json")
        assert found.json["there"] == len(there)
        again = [body["question"] for body in server.bodies[asked:]]
        assert len(again) == 60 - len(there) == len(set(again))
    assert lines(ready, "a") == 60 == len(done(ready, "a").records)
    assert done(ready, "a").replaced == 0


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """The answers of a file whose last line may be broken."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]


def test_interrupted_keeps_what_was_answered(folder: Folder, until: Wait) -> None:
    ready = frozen(folder, 60)
    with RagServer(PASSAGES, slow=0.02) as server:
        with ready.start("run", "v1", "--target", server.url, "--name", "a", *FIELDS) as process:
            until(lambda: len(server.bodies) >= 20)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        assert 0 < lines(ready, "a") < 60
        ready.done("run", "v1", "--target", server.url, "--name", "a", *FIELDS)
    assert lines(ready, "a") == 60 == len(done(ready, "a").records)


def test_repeats_are_asked_case_by_case_then_again(ready: Folder) -> None:
    with RagServer(PASSAGES) as server:
        ready.done("run", "v1", "--target", server.url, "--name", "a", "--repeat", "3", "--concurrency", "1", *FIELDS)
        assert len({body["question"] for body in server.bodies[:12]}) == 12
    made = done(ready, "a")
    assert made.header.repeats == 3
    assert {case_id: [one.repeat for one in some] for case_id, some in made.by_case.items()} == {
        case.case_id: [1, 2, 3] for case in cases(12)
    }


def test_splits_limits_and_uses_of_the_test_split(ready: Folder) -> None:
    code = "def ask(question):\n    return 'x'\n"
    target = function(ready, "told_x", code)
    ready.done("run", "v1", "--target", target, "--split", "dev", "--name", "dev")
    assert read_uses(ready.path / "runs") == ()
    assert len(done(ready, "dev").records) == 9
    ready.done("run", "v1", "--target", target, "--split", "test")
    again = ready.done("run", "v1", "--target", target, "--split", "test", "--json")
    assert again.json["test_uses"] == 1, "gone on with is no further use"
    found = ready.done("run", "v1", "--target", target, "--name", "all", "--json")
    assert (found.json["test_uses"], found.json["test_cases"]) == (2, 3)
    assert [(use.run, use.cases) for use in read_uses(ready.path / "runs")] == [("v1-told_x-ask-test", 3), ("all", 3)]
    few, more = (
        {
            record.case_id
            for record in done(ready, ready.done(*some, "--json").json["run"]).records
        }
        for some in (
            ("run", "v1", "--target", target, "--limit", "4", "--name", "l4", "--seed", "7"),
            ("run", "v1", "--target", target, "--limit", "7", "--name", "l7", "--seed", "7"),
        )
    )  # fmt: skip
    assert len(few) == 4 and len(more) == 7 and few < more


def test_a_run_is_gone_on_with_only_by_its_own_options(ready: Folder) -> None:
    target = function(ready, "told_y", "def ask(question):\n    return 'y'\n")
    ready.done("run", "v1", "--target", target, "--name", "a", "--config", "model=m1")
    found = ready.run("run", "v1", "--target", target, "--name", "a", "--config", "model=m2", "--repeat", "2")
    assert found.code == 3 and "repeats, config.model" in found.err
    ready.done("run", "v1", "--target", target, "--name", "a", "--config", "model=m1", "--concurrency", "9")


def test_two_processes_do_not_do_the_same_work(ready: Folder) -> None:
    target = function(ready, "told_z", "def ask(question):\n    return 'z'\n")
    with locked(ready.path / "runs" / "a.jsonl"):
        found = ready.run("run", "v1", "--target", target, "--name", "a")
    assert found.code == 3
    ready.done("run", "v1", "--target", target, "--name", "a")
    assert sorted(path.name for path in (ready.path / "runs").iterdir()) == ["a.jsonl", "uses.jsonl"]


def test_secrets_and_personal_data_are_nowhere(ready: Folder) -> None:
    with RagServer(PASSAGES, fault=lambda number, body: "echo" if number % 2 else "") as server:
        found = ready.done(
            "run", "v1", "--target", f"{server.url}?token={KEY}", "--name", "a", "--concurrency", "1",
            "--header", "Authorization: Bearer {RAG_KEY}", *FIELDS, RAG_KEY=KEY,
        )  # fmt: skip
        assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    errors = [record.error for record in done(ready, "a").records if record.error]
    assert errors and all("[SECRET]" in error for error in errors)
    assert KEY not in stored(ready) + found.out + found.err
    code = (
        "import os\ndef ask(question):\n"
        "    key = os.environ['MY_API_KEY']\n"
        "    return f'拨打 13800138000 或写信至 a@b.example，官方邮箱 help@yunlan.example，{key}'\n"
    )
    ready.done("run", "v1", "--target", function(ready, "told_phone", code), "--name", "b", MY_API_KEY=KEY)
    answer = done(ready, "b").records[0].answer
    assert answer == "拨打 [PHONE] 或写信至 [EMAIL]，官方邮箱 help@yunlan.example，[SECRET]"
    assert KEY not in stored(ready)


def test_a_dead_server_is_not_asked_everything(folder: Folder) -> None:
    ready = frozen(folder, 60)
    with RagServer(PASSAGES) as server:
        url = server.url
    found = ready.run("run", "v1", "--target", url, "--name", "a", "--concurrency", "2", *FIELDS)
    assert found.code == 4
    assert 10 <= lines(ready, "a") <= 12
    assert ready.run("run", "v1", "--target", url, "--limit", "3", "--name", "b").code == 4


def test_a_body_of_ones_own(ready: Folder) -> None:
    ready.write(
        "body.j2", '{"query": {{ question | tojson }}, "tenant": {{ user_context.tenant | default("-") | tojson }}}'
    )
    with RagServer(PASSAGES) as server:
        ready.done("run", "v1", "--target", server.url, "--name", "a", "--body", "body.j2", *FIELDS)
        assert {body["tenant"] for body in server.bodies} == {"-", "beichen"}
        assert all(set(body) == {"query", "tenant"} for body in server.bodies)


@pytest.mark.parametrize(
    "template",
    ["{{ answer }}", '{"q": {{ question }}}', "{{ question", "{{ question.__class__.__mro__ }}", "{{ ground_truth }}"],
)
def test_a_body_that_cannot_work_is_told_before_any_call(ready: Folder, template: str) -> None:
    ready.write("body.j2", template)
    with RagServer(PASSAGES) as server:
        found = ready.run("run", "v1", "--target", server.url, "--name", "a", "--body", "body.j2", *FIELDS)
        assert (found.code, server.bodies) == (3, [])
    assert not (ready.path / "runs").exists()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--target", "nothing"), 2),
        (("--target", "no_such_module:ask"), 3),
        (("--target", "json:no_such_function"), 3),
        (("--target", "json:dumps", "--header", "A: b"), 2),
        (("--target", "http://"), 3),
        (("--target", "http://[::1"), 3),
        (("--target", "http://127.0.0.1:port/"), 3),
        (("--target", "http://127.0.0.1:9/", "--header", "Authorization: {NOT_SET_ANYWHERE}"), 3),
        (("--target", "http://127.0.0.1:9/", "--header", "no colon"), 3),
        (("--target", "json:dumps", "--field", "colour=x"), 2),
        (("--target", "json:dumps", "--config", "target=x"), 2),
        (("--target", "json:dumps", "--config", "x"), 2),
        (("--target", "json:dumps", "--split", "no"), 2),
        (("--target", "json:dumps", "--split", "challenge"), 3),
        (("--target", "json:dumps", "--name", "../x"), 2),
        (("--target", "json:dumps", "--name", "a.verdicts"), 2),
        (("--target", "json:dumps", "--name", "uses"), 2),
        (("--target", "json:dumps", "--name", "a.jsonl"), 2),
        (("--target", "json:dumps", "--name", "a."), 2),
        (("--target", "json:dumps", "--top", "3"), 2),
        (("--target", "http://127.0.0.1:9/", "--top", "3"), 2),
        (("--field", "answer=x"), 2),
        (("--body", "x.j2"), 2),
        (("--format", "trec"), 2),
        (("--from", "x.json", "--target", "json:dumps"), 2),
        (("--from", "x.json", "--repeat", "2"), 2),
        (("--from", "x.json", "--retry-failed"), 2),
    ],
)
def test_wrong_use_is_one_line(ready: Folder, options: tuple[str, ...], code: int) -> None:
    found = ready.run("run", "v1", *options)
    assert (found.code, found.err.count("\n")) == (code, 1)


def test_what_a_function_prints_spoils_no_result(ready: Folder) -> None:
    code = "print('imported')\ndef ask(question):\n    print(question)\n    return 'x'\n"
    found = ready.done("run", "v1", "--target", function(ready, "told_loud", code), "--json")
    assert found.json["asked"] == 12
    assert "imported" in found.err and "整机" in found.err


def test_a_snapshot_that_was_changed_is_not_asked(ready: Folder) -> None:
    path = ready.path / "snapshots" / "v1" / "cases.jsonl"
    path.write_bytes(path.read_bytes().replace(b"24", b"36", 1))
    with pytest.raises(InputError, match=r"cases\.jsonl"):
        run(ready.workspace, RunAsked(snapshot="v1", target="json:dumps"), Silent())


def test_the_floor_finds_most_of_the_sample(folder: Folder) -> None:
    folder.done("init", "--sample")
    folder.done("ingest", "docs", "--ocr-engine", available_engines(OcrSettings().languages)[-1])
    shutil.copytree(ROOT / "snapshots" / "sample", folder.path / "snapshots" / "sample")
    report = run(folder.workspace, RunAsked(snapshot="sample"), Silent())
    frozen = (ROOT / "snapshots" / "sample" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert (report.asked, report.failed, report.missing) == (len(frozen), 0, 0)
    made = done(folder, "sample-bm25")
    snapshot = read_snapshot(ROOT / "snapshots" / "sample")
    index = ChunkIndex(snapshot.chunks)
    gold = {case.case_id: set(index.reference_chunk_ids(case)) for case in snapshot.cases}
    documents = {case.case_id: {one.doc_id for one in case.evidence} for case in snapshot.cases}
    hits = [bool({item.id for item in one.retrieved or ()} & gold[one.case_id]) for one in made.records]
    assert sum(hits) / len(hits) > 0.9
    for record in made.records:
        assert record.answer is None and record.status is None and record.retrieved == record.context
        assert record.retrieved is not None and len(record.retrieved) <= 10
        restricted = {item.doc_id for item in record.retrieved if str(item.doc_id).startswith(("tenants/", "pay-"))}
        assert restricted <= documents[record.case_id], "only who may read it finds it"
    assert made.header.config["chunks"] and made.header.config["top"] == 10


def test_bm25_needs_chunks_and_nothing_else_needs_the_database(ready: Folder) -> None:
    assert ready.run("run", "v1").code == 3
    if (ready.path / "data").exists():
        shutil.rmtree(ready.path / "data")
    ready.done("run", "v1", "--target", function(ready, "told_w", "def ask(question):\n    return 'w'\n"))
    assert not (ready.path / "data").exists()
    assert len(done(ready, "v1-told_w-ask").records) == 12


@pytest.mark.parametrize(
    "leaving", ["import sys; sys.exit(0)", "raise SystemExit", "exit()", "1 / 0", "import nothing_"]
)
def test_a_module_that_leaves_or_breaks_when_imported_is_said(ready: Folder, leaving: str) -> None:
    name = f"told_leaving_{sum(leaving.encode())}"
    found = ready.run("run", "v1", "--target", function(ready, name, f"{leaving}\ndef ask(q): return 'x'\n"))
    assert (found.code, found.err.count("\n")) == (3, 1) and name in found.err
    assert not (ready.path / "runs").exists()


def test_a_name_may_end_like_a_name_that_is_taken(ready: Folder) -> None:
    target = function(ready, "told_causes", "def ask(question):\n    return 'x'\n")
    for name in ("causes", "my-uses", "原因.v2"):
        ready.done("run", "v1", "--target", target, "--name", name)
        assert len(done(ready, name).records) == 12


def test_async_code_that_blocks_stops_neither_the_clock_nor_ctrl_c(ready: Folder, until: Wait) -> None:
    code = (
        "import threading\nasync def ask(question):\n    print('asked', flush=True)\n    threading.Event().wait(3600)\n"
    )
    target = function(ready, "told_blocking", code)
    with ready.start("run", "v1", "--target", target, "--timeout", "0.2", "--name", "a") as process:
        assert process.wait(30) == 4
    assert {record.error for record in done(ready, "a").records} == {"timeout: 0.2 s"}
    with ready.start("run", "v1", "--target", target, "--name", "b") as process:
        assert process.stderr is not None and process.stderr.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert "Traceback" not in process.stderr.read()


def test_a_full_disk_ends_it_with_one_line_and_it_goes_on_afterwards(folder: Folder) -> None:
    """A limit on the size of files stands for a full disk."""
    ready = frozen(folder, 60)
    code = (
        "import pathlib, resource\nfull = pathlib.Path('full')\n"
        "if full.exists(): resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "def ask(question):\n    with open('/dev/null', 'a') as file: file.write(question)\n    return 'x' * 50\n"
    )
    target = function(ready, "told_full", code)
    ready.write("full", "")
    with ready.start("run", "v1", "--target", target, "--name", "a", "--concurrency", "1") as process:
        _, said = process.communicate(timeout=30)
        assert (process.returncode, said.count("\n")) == (3, 1), said
    (ready.path / "full").unlink()
    there = len(done(ready, "a").records)
    assert 0 < there < 60
    found = ready.done("run", "v1", "--target", target, "--name", "a", "--json")
    assert (found.json["there"], found.json["asked"], found.json["missing"]) == (there, 60 - there, 0)
    assert lines(ready, "a") == 60 == len(done(ready, "a").records)


def test_what_the_answers_tell_is_counted(ready: Folder) -> None:
    """A path that leads nowhere shows as nought, not as a system that says nothing."""
    with RagServer(PASSAGES) as server:
        fields = ("--field", "answer=data.txt", "--field", "contexts=data.sources")
        found = ready.done("run", "v1", "--target", server.url, "--name", "a", *fields, "--json")
        assert found.json["holds"] == {"answer": 0, "retrieved": 12, "context": 12}
        assert (
            "answer 0, retrieved 12, context 12"
            in ready.done("run", "v1", "--target", server.url, "--name", "a", *fields).out
        )


def test_another_query_is_another_system(ready: Folder) -> None:
    with RagServer(PASSAGES) as server:
        ready.done("run", "v1", "--target", f"{server.url}?model=a", *FIELDS, "--name", "a")
        found = ready.run("run", "v1", "--target", f"{server.url}?model=b", *FIELDS, "--name", "a")
        assert found.code == 3 and "config.query" in found.err


def test_a_run_that_is_made_again_looks_again(ready: Folder) -> None:
    command = ("run", "v1", "--target", function(ready, "told_again", "def ask(q):\n    return 'x'\n"), "--name", "a")
    ready.done(*command)
    (ready.path / "runs" / "a.jsonl").unlink()
    with (ready.path / "runs" / "uses.jsonl").open("ab") as file:
        file.write(b'{"schema_version":1,"run":"b"')  # what a crash may leave of a line
    assert ready.done(*command, "--json").json["test_uses"] == 2
    assert [use.run for use in read_uses(ready.path / "runs")] == ["a", "a"]
