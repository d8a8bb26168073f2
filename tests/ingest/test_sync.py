"""New, changed, unchanged, renamed, removed."""

from pathlib import Path

import pytest

from builder.ingest.sync import SyncPlan, file_hash, plan_sync, too_many_removed
from builder.ingest.walk import FoundFile, walk
from builder.model.document import Document
from tests.make import document

ROOT = "docs"


def known(path: Path, **fields: object) -> Document:
    status = path.stat()
    facts = {"size": status.st_size, "mtime_ns": status.st_mtime_ns, "sha256": file_hash(path), "root": ROOT}
    return document(path.name, **(facts | fields))


def sync(root: Path, documents: list[Document], complete: bool = True) -> tuple[SyncPlan, list[str]]:
    hashed: list[str] = []

    def hash_of(file: FoundFile) -> str:
        hashed.append(file.source_path)
        return file_hash(file.path)

    return plan_sync(walk(root).files, documents, ROOT, complete, hash_of), hashed


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_what_is_as_noted_is_not_read(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"), sha256="f" * 64)
    plan, hashed = sync(tmp_path, [doc])
    assert plan.unchanged == (doc,) and hashed == []


def test_a_touched_file_is_compared_by_its_bytes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "one")
    doc = known(path, mtime_ns=1)
    plan, hashed = sync(tmp_path, [doc])
    assert plan.unchanged == (doc,) and hashed == ["a.md"]
    assert not plan.changed


def test_other_bytes_of_the_same_length_are_a_change(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"), mtime_ns=1)
    write(tmp_path / "a.md", "two")
    plan, _ = sync(tmp_path, [doc])
    assert [(file.source_path, old) for file, old in plan.changed] == [("a.md", doc)]
    assert not (plan.unchanged or plan.new or plan.removed)


def test_new_and_removed(tmp_path: Path) -> None:
    gone = known(write(tmp_path / "a.md", "one"))
    (tmp_path / "a.md").unlink()
    write(tmp_path / "b.md", "another")
    plan, hashed = sync(tmp_path, [gone])
    assert [file.source_path for file in plan.new] == ["b.md"]
    assert plan.removed == (gone,) and hashed == []


def test_a_rename_keeps_the_document(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"))
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    plan, _ = sync(tmp_path, [doc])
    assert [(file.source_path, old.doc_id) for file, old in plan.renamed] == [("b.md", "a.md")]
    assert not (plan.new or plan.removed)


def test_a_copy_is_no_rename(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"))
    write(tmp_path / "b.md", "one")
    plan, _ = sync(tmp_path, [doc])
    assert [file.source_path for file in plan.new] == ["b.md"] and plan.unchanged == (doc,)


def test_two_copies_of_one_gone_document_are_one_rename(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"))
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    write(tmp_path / "c.md", "one")
    plan, _ = sync(tmp_path, [doc])
    assert len(plan.renamed) == len(plan.new) == 1 and not plan.removed


def test_nothing_is_gone_below_a_root_that_was_not_walked_to_the_end(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"))
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    plan, _ = sync(tmp_path, [doc], complete=False)
    assert not plan.removed and not plan.renamed
    assert [file.source_path for file in plan.new] == ["b.md"]


def test_documents_of_other_roots_are_left_alone(tmp_path: Path) -> None:
    doc = known(write(tmp_path / "a.md", "one"), root="elsewhere")
    (tmp_path / "a.md").unlink()
    plan, _ = sync(tmp_path, [doc])
    assert plan == SyncPlan(new=(), changed=(), unchanged=(), renamed=(), removed=())


@pytest.mark.parametrize(
    ("removed", "of", "expected"),
    [
        (0, 0, False),
        (2, 2, False),
        (3, 3, True),
        (3, 30, False),
        (3, 29, True),
        (10, 100, False),
        (11, 100, True),
        (20, 1000, False),
        (21, 1000, True),
    ],
)
def test_too_many_removed(removed: int, of: int, expected: bool) -> None:
    assert too_many_removed(removed, of) is expected
