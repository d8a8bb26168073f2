"""Attempts and notes: what was paid for is kept, nobody pays twice; on SQLite and on PostgreSQL."""

import json
import subprocess
import sys
import threading
from collections import Counter

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from builder.model.attempt import AttemptState, Claimant, Reply
from builder.store import Store, open_store, schema
from builder.store.attempts import this_process
from builder.store.rows import to_row
from tests import make
from tests.folder import ROOT

CALLS = [f"r{number}" for number in range(40)]
COLUMNS = ("dataset", "request_hash", "state", "writer", "model", "kept", "at")
CLAIM = """
import json, sys
from builder.store import open_store
from tests import make
with open_store(sys.argv[1]) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    mine = [call for call in json.loads(sys.argv[2]) if store.attempts.claim(make.attempt(call))]
    print(json.dumps(mine), flush=True)
    sys.stdin.readline()
"""


def state(store: Store, request_hash: str) -> AttemptState:
    found = store.attempts.get("main", request_hash)
    assert found is not None
    return found.state


def test_a_call_from_claim_to_cases(store: Store) -> None:
    claimed = store.attempts.claim(make.attempt("r1"))
    assert claimed is not None
    assert claimed.claimant == this_process()
    store.attempts.replied("main", "r1", Reply(text="[]", prompt_tokens=7))
    assert state(store, "r1") is AttemptState.REPLIED
    assert store.attempts.claim(make.attempt("r1")) == store.attempts.get("main", "r1"), "the reply is not asked again"
    held = store.attempts.get("main", "r1")
    assert held is not None
    new = store.attempts.finish(held, [make.case()], {"copied": 1}, "builder")
    assert new == store.cases.list("main")
    done = store.attempts.get("main", "r1")
    assert done is not None
    assert (done.state, done.kept, done.drops, done.reply) == (
        AttemptState.DONE,
        1,
        {"copied": 1},
        Reply(text="[]", prompt_tokens=7),
    )


def test_a_failed_call_may_be_made_again(store: Store) -> None:
    store.attempts.claim(make.attempt("r1"))
    store.attempts.failed("main", "r1", "429")
    again = store.attempts.claim(make.attempt("r1"))
    assert again is not None
    assert again.state is AttemptState.CLAIMED


def test_calls_that_went_out_with_a_batch(store: Store) -> None:
    store.attempts.claim(make.attempt("answered"))
    store.attempts.replied("main", "answered", Reply(text="[]"))
    sent = store.attempts.batch([make.attempt("answered"), make.attempt("r1"), make.attempt("r2")], "tag:x")
    assert [attempt.request_hash for attempt in sent] == ["r1", "r2"]
    assert store.attempts.claim(make.attempt("r1")) is None, "nobody makes it meanwhile"
    assert store.attempts.batch([make.attempt("r1")], "tag:y") == ()
    store.attempts.rename_batch("main", "tag:x", "batch_1")
    assert {attempt.batch for attempt in store.attempts.batched("main")} == {"batch_1"}
    store.attempts.replied("main", "r1", Reply(text="[]"))
    store.attempts.failed("main", "r2", "expired")
    assert store.attempts.batched("main") == ()
    assert store.attempts.claim(make.attempt("r2")) is not None


def test_the_database_knows_every_state_and_no_other(store: Store, url: str) -> None:
    store.attempts.claim(make.attempt("r1"))
    engine = sa.create_engine(url)
    for name in AttemptState:
        with engine.begin() as tx:
            tx.exec_driver_sql(f"UPDATE attempts SET state = '{name}'")
    with pytest.raises(IntegrityError), engine.begin() as tx:
        tx.exec_driver_sql("UPDATE attempts SET state = 'paid'")
    engine.dispose()


def test_several_processes_never_pay_twice(url: str) -> None:
    """New calls, calls that failed, and calls of a process that died: each is claimed by one of four."""
    gone = this_process().replace(pid=2**22 + 1)
    with open_store(url) as store:
        for call in CALLS[:10]:
            store.attempts.claim(make.attempt(call))
            store.attempts.failed("main", call, "429")
        _write_claims(url, CALLS[10:20], gone)
        four = [_claimer(url) for _ in range(4)]
        for process in four:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in four:
            _go(process)
        claimed = Counter(call for process in four for call in _claimed(process))
        assert claimed == Counter(CALLS)
        assert {state(store, call) for call in CALLS} == {AttemptState.CLAIMED}
        for process in four:
            _, err = process.communicate("end\n", timeout=30)
            assert (process.returncode, err) == (0, "")


def _write_claims(url: str, calls: list[str], claimant: Claimant) -> None:
    """Claims of another process: the calls as that one wrote them."""
    engine = sa.create_engine(url)
    with engine.begin() as tx:
        for call in calls:
            tx.execute(schema.attempts.insert().values(**to_row(make.attempt(call, claimant=claimant), COLUMNS)))
    engine.dispose()


def _go(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def _claimed(process: "subprocess.Popen[str]") -> list[str]:
    assert process.stdout is not None
    found: list[str] = json.loads(process.stdout.readline())
    return found


def _claimer(url: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", CLAIM, url, json.dumps(CALLS)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_notes_are_replaced(store: Store, url: str) -> None:
    assert store.note("format.x") is None
    store.set_note("format.x", "json_schema")
    store.set_note("format.x", "文本")
    assert store.note("format.x") == "文本"
    with open_store(url) as again:
        assert again.note("format.x") == "文本"


def test_eight_note_the_same_at_once(url: str) -> None:
    ready = threading.Barrier(8, timeout=20)

    def one(number: int) -> None:
        with open_store(url) as store:
            ready.wait()
            store.set_note("format.x", str(number))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_store(url) as store:
        assert store.note("format.x") in {str(number) for number in range(8)}


def test_the_last_run_is_remembered_until_it_ended(store: Store) -> None:
    store.attempts.set_run("main", {"model": "a"}, finished=False)
    store.attempts.set_run("main", {"model": "b"}, finished=False)
    assert store.attempts.fingerprint("main") == {"model": "b"}
    store.attempts.set_run("main", {"model": "b"}, finished=True)
    assert store.attempts.fingerprint("main") is None
