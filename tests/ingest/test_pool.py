"""Workers: what goes wrong costs one job, and nothing outlives its parent."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from builder.ingest.pool import Limits, run_isolated
from builder.model.document import Problem
from tests.ingest.doubles import act

ROOT = Path(__file__).parents[2]


def run(jobs: list[str], timeout: int = 30) -> dict[str, str | Problem]:
    return dict(run_isolated(act, jobs, Limits(workers=2, memory_mib=1024, timeout=timeout)))


def test_good_jobs_are_answered() -> None:
    assert run(["a", "b", "c", "d", "e"]) == {name: name.upper() for name in "abcde"}


def test_bad_jobs_cost_one_item_each_and_are_named() -> None:
    answers = run(["a", "kill", "b", "abort", "c", "eat", "d", "raise", "e"])
    assert {job: answers[job] for job in "abcde"} == {name: name.upper() for name in "abcde"}
    problems = {job: answer.code for job, answer in answers.items() if isinstance(answer, Problem)}
    assert problems == {"kill": "crashed", "abort": "crashed", "eat": "memory", "raise": "unreadable"}
    assert answers["kill"] == Problem(code="crashed", detail="SIGKILL")
    assert answers["raise"] == Problem(code="unreadable", detail="ValueError: bad job")


def test_slow_jobs_are_ended() -> None:
    started = time.monotonic()
    answers = run(["sleep", "a", "burn", "b"], timeout=2)
    assert {job for job, answer in answers.items() if answer == Problem(code="timeout")} == {"sleep", "burn"}
    assert (answers["a"], answers["b"]) == ("A", "B")
    assert time.monotonic() - started < 30


def test_one_job_that_kills_every_worker_does_not_end_the_run() -> None:
    answers = run(["kill"])
    assert isinstance(answers["kill"], Problem)


def test_a_caller_who_stops_asking_ends_the_workers() -> None:
    answers = run_isolated(act, ["a", "sleep", "sleep"], Limits(workers=2, memory_mib=1024, timeout=600))
    assert next(answers) == ("a", "A")
    before = psutil.Process().children(recursive=True)
    assert before
    answers.close()  # type: ignore[attr-defined]
    _, alive = psutil.wait_procs([child for child in before if "tracker" not in " ".join(_line(child))], timeout=10)
    assert alive == []


def _line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


@pytest.mark.timeout(60)
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    code = f"from tests.ingest.doubles import sleepers; sleepers({str(tmp_path)!r})"
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        pids = _wait_for_pids(tmp_path)
        workers = [psutil.Process(pid) for pid in pids]
        parent.send_signal(signal.SIGKILL)
        _, alive = psutil.wait_procs(workers, timeout=10)
        assert alive == []
    finally:
        parent.kill()
        parent.wait()


def _wait_for_pids(folder: Path) -> list[int]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        texts = [path.read_text() for path in folder.glob("*.pid")]
        if len(texts) == 2 and all(texts):
            return [int(text) for text in texts]
        time.sleep(0.05)
    raise AssertionError("the workers did not start")
