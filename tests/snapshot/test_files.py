"""Snapshots on disk: round trip, whole or not at all, and every changed byte is found."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builder.errors import InputError, UsageError
from builder.model.access import UserContext
from builder.model.case import Case, Origin, QuestionType, ReviewState, Style, Turn
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.snapshot.lines import case_line, load, parse_case
from builder.snapshot.listing import list_snapshots, read_snapshot
from builder.snapshot.verify import verify
from builder.snapshot.write import snapshot_name, write_snapshot
from tests import make
from tests.folder import ROOT
from tests.snapshot import world

FILES = ["cases.jsonl", "chunks.jsonl", "documents.jsonl", "manifest.json", ".gitattributes"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_frozen_is_read_back(tmp_path: Path) -> None:
    frozen = world.plan(unreviewed=True)
    manifest = world.written(tmp_path, unreviewed=True)
    read = read_snapshot(tmp_path / "v1")
    assert read.manifest == manifest
    assert (read.cases, read.chunks, read.documents) == (frozen.cases, frozen.chunks, frozen.documents)
    assert verify(tmp_path / "v1") == verify(tmp_path / "v1", deep=True) == ()
    assert names(tmp_path / "v1") == sorted(FILES)
    assert names(tmp_path) == ["v1"]


def test_what_the_manifest_says(tmp_path: Path) -> None:
    manifest = world.written(tmp_path, unreviewed=True)
    assert (manifest.included, manifest.include_unreviewed) == ({"approved": 2, "unreviewed": 1}, True)
    assert manifest.left_out == {"needs_answer": 1, "rejected": 1, "stale_changed": 1}
    assert manifest.approved_by == ("李四", "王五")
    assert manifest.access_levels == ("deny", "role:cs", "role:hr", "tenant:a")
    assert [(entry.name, entry.rows) for entry in manifest.files] == [
        ("cases.jsonl", 3),
        ("chunks.jsonl", 3),
        ("documents.jsonl", 3),
    ]


def test_the_content_hash_knows_neither_person_nor_hour_nor_machine(tmp_path: Path) -> None:
    one = world.written(tmp_path)
    elsewhere = tuple(document.replace(root="/other", mtime_ns=99, metadata_revision=7) for document in world.DOCUMENTS)
    facts = world.facts("v2").replace(created_by="x", created_at=one.created_at.replace(year=2027))
    two = write_snapshot(tmp_path, world.plan(documents=elsewhere), facts)
    assert two.content_hash == one.content_hash
    assert two.seal != one.seal
    edited = world.APPROVED.replace(ground_truth="12 个月")
    three = write_snapshot(tmp_path, world.plan((edited,)), world.facts("v3"))
    assert three.content_hash != one.content_hash


def test_lines_are_canonical_and_sorted_and_say_their_version(tmp_path: Path) -> None:
    world.written(tmp_path)
    for name, key in (("cases.jsonl", "case_id"), ("chunks.jsonl", "chunk_id"), ("documents.jsonl", "doc_id")):
        data = (tmp_path / "v1" / name).read_bytes()
        lines = data.decode().split("\n")
        assert lines.pop() == "" and b"\r" not in data
        values = [json.loads(line) for line in lines]
        assert [value[key] for value in values] == sorted(value[key] for value in values)
        assert {value["schema_version"] for value in values} == {1}
    text = (tmp_path / "v1" / "documents.jsonl").read_text()
    assert "mtime" not in text and "root" not in text
    assert "checks" not in (tmp_path / "v1" / "cases.jsonl").read_text()
    assert (tmp_path / "v1" / ".gitattributes").read_text().startswith("*.jsonl text eol=lf\n")


def test_an_existing_name_is_refused_and_left_alone(tmp_path: Path) -> None:
    world.written(tmp_path)
    before = (tmp_path / "v1" / "manifest.json").read_bytes()
    for name in ("v1", "V1"):
        with pytest.raises(InputError) as caught:
            world.written(tmp_path, name)
        assert caught.value.key == "snapshot_exists"
    assert (tmp_path / "v1" / "manifest.json").read_bytes() == before
    assert names(tmp_path) == ["v1"]


@pytest.mark.parametrize("name", ["v1", "2026-03.a_b", "售后-三月", "a" * 64, "金" * 64])
def test_names(name: str, tmp_path: Path) -> None:
    assert snapshot_name(name) == name
    world.written(tmp_path, name)
    assert verify(tmp_path / name) == ()


def test_names_are_in_normal_form() -> None:
    assert snapshot_name("cafe\u0301") == "caf\u00e9"


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".a", "-a", "a.", "a/b", "a\\b", "a b", "a\n", "a" * 65, "a\0", "a:b", "📦"]
)
def test_other_names_are_wrong_use(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        world.written(tmp_path, name)
    assert names(tmp_path) == []


KILL = """
import os, signal, sys
from pathlib import Path
from tests.snapshot import world
left = int(sys.argv[2])
def kill(event, args):
    global left
    if event in ("open", "os.rename", "os.mkdir", "os.listdir") and sys.argv[1] in str(args[0]):
        left -= 1
        if left < 0:
            print(event, args[0], flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(kill)
world.written(Path(sys.argv[1]))
"""


def test_a_kill_at_any_moment_leaves_nothing_half(tmp_path: Path) -> None:
    events = []
    for moment in range(40):
        folder = tmp_path / f"s{moment}"
        folder.mkdir()
        command = [sys.executable, "-c", KILL, str(folder), str(moment)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        events.append(done.stdout.split(" ")[0])
        for row in list_snapshots(folder):
            assert verify(folder / row.name, deep=True) == ()
        if "v1" not in names(folder):
            world.written(folder)
        assert verify(folder / "v1", deep=True) == ()
    assert "os.rename" in events
    assert len(events) > 8


def test_what_a_kill_left_behind_goes_after_a_day(tmp_path: Path) -> None:
    for name, age in (("old", 90_000), ("new", 10)):
        place = tmp_path / f".partial-{name}"
        place.mkdir()
        (place / "cases.jsonl").write_text("half")
        stamp = place.stat().st_mtime - age
        os.utime(place, (stamp, stamp))
    world.written(tmp_path)
    assert names(tmp_path) == [".partial-new", "v1"]
    assert [row.name for row in list_snapshots(tmp_path)] == ["v1"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError) as caught:
        world.written(tmp_path / "file")
    assert caught.value.key == "snapshot_write"


@pytest.fixture(scope="module")
def frozen_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("snapshots")
    world.written(folder)
    return folder / "v1"


@pytest.mark.parametrize("name", FILES)
def test_every_changed_byte_is_found(frozen_folder: Path, name: str) -> None:
    path = frozen_folder / name
    data = path.read_bytes()
    try:
        for place in range(0, len(data), 1 if len(data) < 1500 else 7):
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert verify(frozen_folder), f"{name}, byte {place}"
        for other in (data[:-1], data + b"\n", data.replace(b"\n", b"\r\n"), b""):
            path.write_bytes(other)
            assert verify(frozen_folder)
        path.unlink()
        if name == "manifest.json":
            with pytest.raises(InputError, match="no snapshot"):
                verify(frozen_folder)
        else:
            assert [(finding.file, finding.code) for finding in verify(frozen_folder)] == [(name, "missing")]
    finally:
        path.write_bytes(data)
    assert verify(frozen_folder) == ()


def test_strangers_links_and_other_names(tmp_path: Path) -> None:
    world.written(tmp_path)
    folder = tmp_path / "v1"
    (folder / "notes.txt").write_text("x")
    (folder / "cases.jsonl").rename(tmp_path / "cases.jsonl")
    (folder / "cases.jsonl").symlink_to(tmp_path / "cases.jsonl")
    assert [(finding.file, finding.code) for finding in verify(folder)] == [
        ("cases.jsonl", "link"),
        ("notes.txt", "stranger"),
    ]
    world.written(tmp_path, "v2")
    (tmp_path / "v2").rename(tmp_path / "v3")
    assert [finding.code for finding in verify(tmp_path / "v3")] == ["renamed"]


def forged(folder: Path, name: str, old: str, new: str) -> list[tuple[str, str]]:
    """A forger changes a line and makes all hashes fit again."""
    from builder.snapshot.listing import read_manifest
    from builder.snapshot.manifest import content_hash, file_entry, manifest_text, sealed

    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1), newline="\n")
    files = tuple(file_entry(folder / entry) for entry in FILES[:3])
    manifest = read_manifest(folder).replace(files=files, content_hash=content_hash(files))
    (folder / "manifest.json").write_text(manifest_text(sealed(manifest)))
    assert verify(folder) == ()
    return [(finding.file, finding.code) for finding in verify(folder, deep=True)]


CASE_FILE, CHUNK_FILE = "cases.jsonl", "chunks.jsonl"


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        (CHUNK_FILE, "24 个月", "18 个月", {(CASE_FILE, "other_text")}),
        (CASE_FILE, '"quote":"净饮机 | 24', '"quote":"净饮机 | 18', {(CASE_FILE, "other_text")}),
        (CASE_FILE, '"end":9', '"end":8', {(CASE_FILE, "other_text")}),
        (CASE_FILE, '"end":9', '"end":90', {(CASE_FILE, "no_chunk")}),
        (CASE_FILE, '"reading_id":"r-faq.md"', '"reading_id":"r-old"', {(CASE_FILE, "no_chunk")}),
        (CASE_FILE, '"dataset":"main"', '"dataset":"other"', {(CASE_FILE, "other_dataset")}),
        (CASE_FILE, '"review_state":"approved"', '"review_state":"unreviewed"',
         {(CASE_FILE, "does_not_count"), ("manifest.json", "included")}),
        (CASE_FILE, '"question":', ' "question":', {(CASE_FILE, "not_canonical")}),
        (CASE_FILE, '"question":', '"qestion":', {(CASE_FILE, "bad_line"), ("manifest.json", "included")}),
        (CASE_FILE, '"revision":3', '"revision":3.0', {(CASE_FILE, "bad_line"), ("manifest.json", "included")}),
        (CASE_FILE, '"schema_version":1', '"schema_version":2',
         {(CASE_FILE, "bad_line"), ("manifest.json", "included")}),
        (CASE_FILE, "{", "[{", {(CASE_FILE, "bad_line"), ("manifest.json", "included")}),
        (CASE_FILE, "m0000000000b2", "a0000000000b2", {(CASE_FILE, "order")}),
        ("documents.jsonl", '"doc_id":"faq.md"', '"doc_id":"fap.md"', {(CHUNK_FILE, "no_document")}),
    ],
)  # fmt: skip
def test_deep_finds_what_hashes_cannot(
    tmp_path: Path, name: str, old: str, new: str, expected: set[tuple[str, str]]
) -> None:
    world.written(tmp_path)
    assert set(forged(tmp_path / "v1", name, old, new)) == expected


def test_listing(tmp_path: Path) -> None:
    assert list_snapshots(tmp_path / "none") == ()
    for name, year in (("b", 2026), ("a", 2027)):
        facts = world.facts(name)
        write_snapshot(tmp_path, world.plan(), facts.replace(created_at=facts.created_at.replace(year=year)))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{")
    (tmp_path / "file.txt").write_text("x")
    listed = list_snapshots(tmp_path)
    assert [(row.name, row.manifest is None) for row in listed] == [("broken", True), ("b", False), ("a", False)]
    assert listed[0].problem
    assert [finding.code for finding in verify(tmp_path / "broken")] == ["unreadable"]


def test_reading_what_is_not_there_or_broken(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_snapshot(tmp_path / "none")
    assert caught.value.key == "snapshot_missing"
    world.written(tmp_path)
    (tmp_path / "v1" / "chunks.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"chunks\.jsonl"):
        read_snapshot(tmp_path / "v1")


texts = st.text(st.characters(codec="utf-8"), max_size=12)
checks = st.one_of(
    st.none(),
    st.builds(LiteralCheck, any_of=st.tuples(texts)),
    st.builds(NumberCheck, value=st.sampled_from(["1", "2.50"]), unit=texts),
)
cases = st.builds(
    make.case,
    case_id=st.from_regex(r"\A[gfm][0-9a-f]{12}\Z"),
    question=texts.map(lambda text: f"问{text}"),
    ground_truth=texts.map(lambda text: f"答{text}"),
    conversation=st.lists(st.builds(Turn, role=st.just("user"), text=texts), max_size=2).map(tuple),
    user_context=st.builds(UserContext, tenant=st.none() | texts, roles=st.tuples(texts)),
    as_of=st.none() | st.dates(min_value=date(2000, 1, 1)),
    answerable=st.booleans(),
    claims=st.lists(st.builds(Claim, text=texts, weight=st.integers(0, 100), check=checks), max_size=2).map(tuple),
    origin=st.none() | st.builds(Origin, system=texts, record_ids=st.tuples(texts), count=st.integers(1, 9)),
    question_type=st.sampled_from(QuestionType),
    style=st.sampled_from(Style),
    tags=st.lists(texts, max_size=2).map(tuple),
    review_state=st.just(ReviewState.APPROVED),
    evidence_groups=st.sampled_from([(), ((world.ROW,),), ((world.SPARE, world.PAID), (world.SIX,))]),
    revision=st.integers(1, 9),
)


@given(cases)
def test_any_case_comes_back_from_its_line(case: Case) -> None:
    line = case_line(case)
    assert "\n" not in line
    assert parse_case(load(line)) == case


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(cases, min_size=1, max_size=5, unique_by=lambda case: case.case_id))
def test_any_snapshot_comes_back(tmp_path_factory: pytest.TempPathFactory, drawn: list[Case]) -> None:
    folder = tmp_path_factory.mktemp("any")
    frozen = world.plan(tuple(drawn))
    write_snapshot(folder, frozen, world.facts())
    read = read_snapshot(folder / "v1")
    assert (read.cases, read.chunks, read.documents) == (frozen.cases, frozen.chunks, frozen.documents)
    assert verify(folder / "v1", deep=True) == ()
