"""builder snapshot: what counts is frozen, and stays what it was."""

import json
from pathlib import Path

import pytest

from tests.folder import Folder


@pytest.fixture
def cases(docs: Folder) -> Folder:
    """Four generated cases, two of them approved by lin."""
    docs.done("generate", "--writer", "extractive", "--cases", "4")
    ids = [row["case_id"] for row in docs.done("cases", "list", "--json").json]
    docs.done("cases", "approve", *ids[:2], "--reviewer", "lin")
    docs.done("cases", "reject", ids[2], "--reason", "unclear", "--reviewer", "lin")
    return docs


def manifest(folder: Folder, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder.path / "snapshots" / name / "manifest.json").read_text("utf-8"))
    return found


def test_approved_cases_are_frozen(cases: Folder) -> None:
    cases.done("snapshot", "create", "v1", "--reviewer", "qa")
    found = manifest(cases, "v1")
    assert found["included"] == {"approved": 2}
    assert found["left_out"] == {"rejected": 1, "unreviewed": 1}
    assert (found["approved_by"], found["created_by"]) == (["lin"], "qa")
    for deep in ((), ("--deep",)):
        cases.done("snapshot", "verify", "v1", *deep)
    assert [row["name"] for row in cases.done("snapshot", "list", "--json").json] == ["v1"]


def test_unreviewed_only_by_an_explicit_flag(cases: Folder) -> None:
    cases.done("snapshot", "create", "all", "--include-unreviewed")
    found = manifest(cases, "all")
    assert found["included"] == {"approved": 2, "unreviewed": 1}
    assert found["include_unreviewed"] is True


def test_without_an_approved_case(docs: Folder) -> None:
    docs.done("generate", "--writer", "extractive", "--cases", "4")
    found = docs.run("snapshot", "create", "v1")
    assert found.code == 3
    assert "builder review" in found.err
    assert "4" in found.err
    assert not (docs.path / "snapshots" / "v1").exists()


def test_a_name_is_given_once(cases: Folder) -> None:
    cases.done("snapshot", "create", "v1")
    before = sorted((path.name, path.read_bytes()) for path in (cases.path / "snapshots" / "v1").iterdir())
    assert cases.run("snapshot", "create", "v1").code == 3
    assert sorted((path.name, path.read_bytes()) for path in (cases.path / "snapshots" / "v1").iterdir()) == before


@pytest.mark.parametrize("name", ["../out", "a/b", ".hidden", ""])
def test_names_that_lead_elsewhere(cases: Folder, name: str) -> None:
    assert cases.run("snapshot", "create", name).code == 2
    assert cases.run("snapshot", "verify", name).code in (2, 3)


@pytest.mark.parametrize("file", ["cases.jsonl", "chunks.jsonl", "documents.jsonl", "manifest.json"])
def test_a_changed_byte_is_found(cases: Folder, file: str) -> None:
    cases.done("snapshot", "create", "v1")
    path = cases.path / "snapshots" / "v1" / file
    data = bytearray(path.read_bytes())
    place = data.rindex(b"a")
    data[place : place + 1] = b"b"
    path.write_bytes(bytes(data))
    found = cases.run("snapshot", "verify", "v1")
    assert found.code == 1
    assert file in found.out


def test_the_same_cases_have_the_same_hash(cases: Folder) -> None:
    cases.done("snapshot", "create", "v1")
    cases.done("snapshot", "create", "v2")
    assert manifest(cases, "v1")["content_hash"] == manifest(cases, "v2")["content_hash"]


def test_a_stale_case_is_left_out(cases: Folder) -> None:
    for path in (cases.path / "docs").glob("*.md"):
        path.write_text(path.read_text("utf-8").replace("5 days", "7 days").replace("24", "18"), encoding="utf-8")
    cases.done("ingest")
    found = cases.run("snapshot", "create", "v2", "--include-unreviewed")
    states = {row["disabled_reason"] for row in cases.done("cases", "list", "--json").json}
    assert "stale_changed" in states
    if found.code == 0:
        assert "stale_changed" in str(manifest(cases, "v2")["left_out"])
        cases.done("snapshot", "verify", "v2", "--deep")


def test_every_frozen_quote_stands_in_its_frozen_chunk(cases: Folder) -> None:
    cases.done("snapshot", "create", "v1")
    folder = cases.path / "snapshots" / "v1"
    chunks = [json.loads(line) for line in _lines(folder / "chunks.jsonl")]
    for line in _lines(folder / "cases.jsonl"):
        case = json.loads(line)
        for group in case["evidence_groups"]:
            for evidence in group:
                assert any(evidence["quote"] in chunk["text"] for chunk in chunks)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()
