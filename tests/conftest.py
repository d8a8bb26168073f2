"""The outside network is off: a connection that leaves this machine fails the test that made it."""

import ipaddress
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"


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
