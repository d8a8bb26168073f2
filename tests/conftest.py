"""The outside network is off: a connection that leaves this machine fails the test that made it."""

import ipaddress
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.folder import HANDBOOK, POLICY, ROOT, Folder
from tests.postgres import postgres, postgres_url, url

__all__ = ["postgres", "postgres_url", "url"]

SHARED = ROOT.parent / "shared"
Wait = Callable[[Callable[[], bool]], None]


def _guard(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple) and not _here(str(args[1][0])):
        raise ConnectionRefusedError(f"the network is off in tests: {args[1]}")
    if event == "socket.getaddrinfo" and not _here(str(args[0])):
        raise ConnectionRefusedError(f"the network is off in tests: {args[0]}")


def _here(host: str) -> bool:
    if host in ("localhost", "None", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


sys.addaudithook(_guard)

# Speed is measured in benchmarks, never by a clock on a busy machine.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")


_LEAVES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "VISUAL", "EDITOR", "NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_MESSAGES")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the developer's shell says changes no test."""
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "VISUAL",
        "EDITOR",
        "NO_COLOR",
        "FORCE_COLOR",
        "LC_ALL",
        "LC_MESSAGES",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("USER", "tester")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An empty folder."""
    return Folder(tmp_path, monkeypatch)


@pytest.fixture
def docs(folder: Folder) -> Folder:
    """A folder with two small documents, read."""
    folder.write("docs/policy.md", POLICY)
    folder.write("docs/handbook.md", HANDBOOK)
    folder.done("ingest", "docs")
    return folder


@pytest.fixture
def until() -> Iterator[Wait]:
    """Waits until something is true, at most 30 seconds."""

    def wait(what: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not what():
            assert time.monotonic() < end, "it did not come true in 30 seconds"
            time.sleep(0.01)

    yield wait
