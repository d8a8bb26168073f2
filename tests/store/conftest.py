"""One store a test, on SQLite and on a real PostgreSQL server."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.store import Store, open_store

_BIN = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of our own, on a socket in a temporary folder."""
    if given := os.environ.get("BUILDER_TEST_POSTGRES"):
        yield given
        return
    if not _BIN:
        pytest.skip("no PostgreSQL server: apt install postgresql, or set BUILDER_TEST_POSTGRES")
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as name:
        folder = Path(name)
        run = _as_other_user(folder)
        data = folder / "data"
        subprocess.run(
            [*run, _BIN[-1] / "initdb", "-D", data, "-A", "trust", "-U", "builder", "-N"],
            check=True,
            capture_output=True,
        )
        options = f"-c listen_addresses='' -k {folder} -c fsync=off"
        control = [*run, f"{_BIN[-1]}/pg_ctl", "-D", f"{data}", "-w", "-l", f"{folder}/log"]
        subprocess.run([*control, "-o", options, "start"], check=True, capture_output=True)
        try:
            yield f"postgresql://builder@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)


def _as_other_user(folder: Path) -> list[str]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return []
    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    runuser = shutil.which("runuser")
    assert runuser is not None
    return [runuser, "-u", "postgres", "--"]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'builder.db'}"
        return
    import psycopg

    server = request.getfixturevalue("postgres")
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield server.replace("/postgres?", f"/{name}?")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store."""
    with open_store(url) as found:
        yield found
