"""A server that fails on 30 % of its calls, and a program that is killed ten times: the cases of a clean run."""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.test_generate import GENERATE, assert_every_quote_stands, cases, environ, many
from tests.conftest import Wait
from tests.folder import ROOT, Folder
from tests.servers.openai_server import OpenAIServer

__all__ = ["many"]
KILLS = 10
CONCURRENCY = 2
COMMAND = (*GENERATE, "--concurrency", str(CONCURRENCY))


@contextmanager
def faulty_server(log: Path, delay: float) -> Iterator[str]:
    command = [sys.executable, "-m", "tests.servers.faulty_server", str(log), str(delay)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def said(log: Path) -> list[str]:
    if not log.exists():
        return []
    return [json.loads(line)["said"] for line in log.read_text(encoding="utf-8").splitlines() if line.endswith("}")]


def told(folder: Folder, dataset: str) -> list[tuple[str, str, str]]:
    """What the cases say; their ids mix in the dataset."""
    with folder.store() as store:
        found = store.cases.list(dataset)
    return sorted(
        (case.question, case.ground_truth, repr([check.model_dump() for check in case.checks])) for case in found
    )


def test_faults_and_kills_change_nothing(
    many: Folder,
    tmp_path_factory: pytest.TempPathFactory,
    until: Wait,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path_factory.mktemp("log") / "calls.jsonl"
    chance = random.Random(20261130)
    moments: list[int] = []
    with faulty_server(log, 0.05) as url:
        for _ in range(KILLS):
            process = many.start(*COMMAND, **environ(url))
            wanted = len(said(log)) + chance.randint(1, 3)
            until(lambda wanted=wanted, process=process: len(said(log)) >= wanted or process.poll() is not None)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
            process.communicate()
            moments.append(len(said(log)))
        for _ in range(5):  # what failed after all its tries is made by the same command
            if many.run(*COMMAND, **environ(url)).code == 0 and len(cases(many)) == 48:
                break
        calls = said(log)
    with OpenAIServer() as server:
        many.done(*COMMAND, "--dataset", "clean", **environ(server.base_url))
        clean = len(server.bodies)
    faults = calls.count("fault")
    with capsys.disabled():
        sys.stdout.write(f"\n  kills at {moments}; {len(calls)} calls, {faults} of them failed; a clean run: {clean}\n")
    assert len(set(moments)) >= KILLS - 2, "the kills came at different moments"
    assert faults >= 5
    assert told(many, "main") == told(many, "clean")
    assert len(calls) <= clean + faults + KILLS * CONCURRENCY
    assert_every_quote_stands(many)
