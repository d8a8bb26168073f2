"""The command line itself: languages, JSON, exit codes, no traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folder import ROOT, Folder

OUTSIDE = [
    ("coverage",),
    ("chunks", "list"),
    ("generate", "--writer", "extractive"),
    ("review",),
    ("cases", "list"),
    ("snapshot", "list"),
    ("snapshot", "create", "v1"),
]


@pytest.mark.parametrize("command", OUTSIDE, ids=" ".join)
def test_without_a_workspace(folder: Folder, command: tuple[str, ...]) -> None:
    found = folder.run(*command)
    assert found.code == 3
    assert "builder init" in found.err
    assert found.out == ""
    assert list(folder.path.iterdir()) == []


@pytest.mark.parametrize("command", [("add", "-q", "问？", "-a", "答"), ("import", "log.jsonl"), ("ingest", "docs")])
def test_commands_that_make_a_workspace(folder: Folder, command: tuple[str, ...]) -> None:
    folder.write("docs/a.md", "# 一\n\n一句。\n")
    folder.write("log.jsonl", '{"question": "能退吗？", "answer": "能", "rating": "down"}\n')
    found = folder.done(*command)
    assert "No workspace here yet" in found.err
    assert (folder.path / "builder.toml").is_file()
    assert "No workspace here yet" not in folder.done(*command).err


def test_a_workspace_is_found_from_below(docs: Folder) -> None:
    below = docs.path / "docs"
    inner = Folder(below, docs._monkeypatch)
    assert inner.done("chunks", "list", "--json").json != []


@pytest.mark.parametrize(
    ("environ", "settings", "option", "wanted"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "", (), "没有文档"),
        ({"LANG": "en_US.UTF-8"}, "", (), "No document"),
        ({"LANG": "C", "LC_ALL": "zh_TW.UTF-8"}, "", (), "没有文档"),
        ({"LANG": "zh_CN.UTF-8"}, 'lang = "en"', (), "No document"),
        ({"LANG": "en_US.UTF-8"}, 'lang = "en"', ("--lang", "zh"), "没有文档"),
    ],
)
def test_the_language(
    docs: Folder, environ: dict[str, str], settings: str, option: tuple[str, ...], wanted: str
) -> None:
    docs.write("builder.toml", f"schema_version = 1\n{settings}\n")
    found = docs.run("chunks", "list", "nothing.pdf", *option, **environ)
    assert found.code == 3
    assert wanted in found.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lang = zh", "TOML"),
        ('lang = "fr"', "lang"),
        ("[ocr]\nmod = 1", "ocr.mod"),
        ("schema_version = 2", "schema_version"),
    ],
)
def test_a_broken_builder_toml(folder: Folder, text: str, said: str) -> None:
    folder.write("builder.toml", text)
    found = folder.run("cases", "list")
    assert found.code == 3
    assert said in found.err
    assert "builder.toml" in found.err
    assert len(found.err.strip().splitlines()) == 1


def test_a_store_that_is_none(docs: Folder) -> None:
    for path in (docs.path / "data").glob("builder.db*"):
        path.unlink()
    docs.write("data/builder.db", "this is no database, and long enough to be looked at as one " * 20)
    found = docs.run("cases", "list")
    assert found.code == 3
    assert "builder.db" in found.err


def test_a_newer_store_is_left_alone(docs: Folder) -> None:
    import sqlite3

    with sqlite3.connect(docs.path / "data" / "builder.db") as connection:
        connection.execute("UPDATE meta SET value = '99'")
    connection.close()
    found = docs.run("cases", "list")
    assert (found.code, "99" in found.err) == (3, True)


def test_decisions_from_the_command_line(docs: Folder) -> None:
    case_id = docs.done("add", "-q", "问？", "-a", "答", "--json").json["case_id"]
    docs.done("cases", "approve", case_id, "--reviewer", "lin")
    assert docs.run("cases", "restore", case_id).code == 3
    docs.done("cases", "disable", case_id, "-m", "先不用")
    docs.done("cases", "enable", case_id)
    docs.done("cases", "edit", case_id, "--set", "ground_truth=另一个答案", "--set", 'tags=["a"]')
    assert docs.done("cases", "show", case_id, "--json").json["review_state"] == "unreviewed"
    docs.done("cases", "reject", case_id, "-r", "duplicate", "-m", "同 q-7")
    rows = docs.done("cases", "history", case_id, "--json").json
    assert [row["action"] for row in rows] == ["create", "approve", "disable", "enable", "edit", "reject"]
    assert rows[1]["who"] == "lin"
    assert rows[-1]["reason"] == "duplicate: 同 q-7"
    assert docs.run("cases", "reject", case_id, "-r", "boring").code == 3
    assert docs.run("cases", "list", "--state", "golden").code == 2


def test_json_is_all_there_is_on_stdout(docs: Folder) -> None:
    docs.done("add", "-q", "问？", "-a", "答")
    for command in (
        ("ingest",),
        ("coverage",),
        ("chunks", "list"),
        ("cases", "list"),
        ("snapshot", "list"),
        ("doctor",),
    ):
        json.loads(docs.run(*command, "--json").out)


def test_several_at_once_is_all_or_nothing(docs: Folder) -> None:
    first = docs.done("add", "-q", "一？", "-a", "1", "--json").json["case_id"]
    second = docs.done("add", "-q", "二？", "--json").json["case_id"]
    assert docs.run("cases", "approve", first, second).code == 3
    assert docs.done("cases", "show", first, "--json").json["review_state"] == "unreviewed"


def test_doctor_makes_no_call_and_needs_no_workspace(folder: Folder) -> None:
    found = folder.done("doctor")
    assert "builder init" in found.out


@pytest.mark.parametrize(
    "command", [("frobnicate",), ("ingest", "--frob"), ("generate", "--per-chunk", "0")], ids=" ".join
)
def test_wrong_use(folder: Folder, command: tuple[str, ...]) -> None:
    assert folder.run(*command).code == 2


def test_a_defect_is_one_line_and_a_traceback_only_when_asked(tmp_path: Path) -> None:
    """A builder.toml that is a folder is nobody's plan."""
    (tmp_path / "builder.toml").write_text("", encoding="utf-8")
    (tmp_path / "data").write_text("a file where a folder must be", encoding="utf-8")
    command = [sys.executable, "-m", "builder", "cases", "list"]
    plain = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert "Traceback" not in plain.stderr
    assert len(plain.stderr.strip().splitlines()) == 1
    assert plain.returncode in (3, 4)
