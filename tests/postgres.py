"""Databases for tests: SQLite in a file, and a real PostgreSQL server."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

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


@contextmanager
def _database(server: str) -> Iterator[str]:
    """An empty database of that server; it goes when it is done with."""
    import psycopg

    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    with _database(postgres) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'builder.db'}"
    else:
        yield request.getfixturevalue("postgres_url")
