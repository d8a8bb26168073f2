"""Opening the store: what cannot be opened is one line, and a password is in none."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from builder.errors import InputError
from builder.model.case import CheckOutcome, CheckResult, ReviewState
from builder.store import open_store
from builder.words import words
from tests import make
from tests.folder import ROOT, Folder

SECRET = "s3kr1t"
UNUSABLE = [
    f"postgres://lin:{SECRET}@127.0.0.1/golden",
    f"mysql://lin:{SECRET}@127.0.0.1/golden",
    f"postgresql://lin:{SECRET}@127.0.0.1:port/golden",
    f"postgresql://lin:a@{SECRET}@127.0.0.1/golden",
    f"postgresql://lin:a@b/{SECRET}@127.0.0.1/golden",
    f"postgresql+asyncpg://lin:{SECRET}@127.0.0.1/golden",
    f"sqlite://lin:{SECRET}@127.0.0.1/golden",
]
CLOSED = [
    f"postgresql://lin:{SECRET}@127.0.0.1:1/golden",
    f"postgresql://127.0.0.1:1/golden?user=lin&password={SECRET}",
    f"postgresql://lin:a%40{SECRET}@127.0.0.1:1/golden?no_such_option=1",
]


@pytest.mark.parametrize("url", [*UNUSABLE, *CLOSED])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_password_is_never_printed(url: str, lang: str) -> None:
    with pytest.raises(InputError) as raised:
        open_store(url)
    line = raised.value.line(words(lang))
    assert len(line.splitlines()) == 1
    assert SECRET not in line + str(raised.value)
    assert ("%40" in line) == (url in UNUSABLE), "what must be written is said"


@pytest.mark.parametrize("url", [UNUSABLE[0], CLOSED[0], CLOSED[1]])
@pytest.mark.parametrize("command", [("doctor",), ("doctor", "--json"), ("cases", "list"), ("cases", "list", "--json")])
def test_no_command_prints_a_password(folder: Folder, url: str, command: tuple[str, ...]) -> None:
    folder.write("builder.toml", f'store = "{url}"\n')
    found = folder.run(*command)
    assert "postgres" in found.out + found.err
    assert SECRET not in found.out + found.err
    assert found.code == (1 if command[0] == "doctor" else 3)


def test_a_server_that_knows_us_not(postgres_url: str) -> None:
    """The server's own words, and no secret."""
    where = sa.make_url(postgres_url).set(username="nobody-here", password=SECRET)
    with pytest.raises(InputError) as raised:
        open_store(where.render_as_string(hide_password=False))
    line = raised.value.line(words("en"))
    assert "nobody-here" in line
    assert SECRET not in line


def test_no_driver_is_one_line(tmp_path: Path) -> None:
    """As where the extra `postgres` was not installed: psycopg is not to be found."""
    (tmp_path / "builder.toml").write_text(f'store = "{CLOSED[0]}"\n', encoding="utf-8")
    program = "import sys; sys.modules['psycopg'] = None; from builder.__main__ import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", program, "cases", "list", "--lang", "en"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 3
    assert len(found.stderr.splitlines()) == 1
    assert "pip install 'golden-builder[postgres]'" in found.stderr
    assert SECRET not in found.stderr


def test_a_path_with_a_sign_that_urls_know(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'lin@office' / 'builder.db'}") as store:
        store.cases.add([make.case()], "lin")
    assert (tmp_path / "lin@office" / "builder.db").exists()


def test_eight_open_an_empty_database_at_once(url: str) -> None:
    ready = threading.Barrier(8, timeout=20)
    opened: list[int] = []

    def one() -> None:
        ready.wait()
        with open_store(url) as store:
            opened.append(len(store.cases.list("main")))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [0] * 8


def test_a_store_of_a_newer_program_is_left_alone(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as tx:
        tx.exec_driver_sql("CREATE TABLE meta (key VARCHAR(64) PRIMARY KEY, value TEXT NOT NULL)")
        tx.exec_driver_sql("INSERT INTO meta VALUES ('schema_version', '99')")
    with pytest.raises(InputError, match="99"):
        open_store(url)
    assert sa.inspect(engine).get_table_names() == ["meta"]
    engine.dispose()


def test_a_store_of_before_the_queue_is_brought_up(url: str) -> None:
    """Its cases get the place in the queue that they would have been born with, and nothing else changes."""
    failed = (CheckResult(name="quote", outcome=CheckOutcome.FAIL),)
    cases = (
        make.case("m000000000001"),
        make.case("m000000000002", checks=failed),
        make.case("m000000000003", risk="x"),
    )
    with open_store(url) as store:
        store.cases.add(cases, "lin")
    engine = sa.create_engine(url)
    with engine.begin() as tx:
        tx.exec_driver_sql("DROP INDEX ix_cases_queue")
        tx.exec_driver_sql("ALTER TABLE cases DROP COLUMN urgency")
    engine.dispose()
    for _ in range(2):
        with open_store(url) as store:
            assert store.cases.list("main") == cases
            waiting = store.cases.queue("main", [ReviewState.UNREVIEWED])
    assert waiting == (("m000000000003",), ("m000000000002",), ("m000000000001",))
    engine = sa.create_engine(url)
    assert "ix_cases_queue" in {index["name"] for index in sa.inspect(engine).get_indexes("cases")}
    engine.dispose()
