"""What lies below a root, with links, hidden files and files that cannot be read."""

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from builder.ingest.walk import locate, walk
from builder.model.document import Problem


def write(path: Path, data: bytes = b"text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(root: Path) -> list[str]:
    return [file.source_path for file in walk(root).files]


def test_files_by_kind(tmp_path: Path) -> None:
    for name in ("b/x.PDF", "a.md", "c.markdown", "d.txt", "e.png", "sheet.xls"):
        write(tmp_path / name)
    found = walk(tmp_path)
    assert [(file.source_path, file.media_type) for file in found.files] == [
        ("a.md", "text/markdown"),
        ("b/x.PDF", "application/pdf"),
        ("c.markdown", "text/markdown"),
        ("d.txt", "text/plain"),
    ]
    assert found.ignored == ("e.png", "sheet.xls")
    assert found.complete and not found.problems
    assert found.files[0].size == 4 and found.files[0].path.is_absolute()


def test_hidden_files_sidecars_and_truth_files_are_no_documents(tmp_path: Path) -> None:
    for name in ("a.pdf", "a.pdf.meta.toml", "a.pdf.truth.txt", ".b.md", ".git/c.md", "d/.e/f.md"):
        write(tmp_path / name)
    assert names(tmp_path) == ["a.pdf"]
    assert walk(tmp_path).ignored == ()


def test_names_are_nfc(tmp_path: Path) -> None:
    write(tmp_path / "cafe\u0301.md")
    assert names(tmp_path) == ["caf\u00e9.md"]


def test_links_never_lead_out(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside" / "secret.pdf")
    root = tmp_path / "root"
    write(root / "a.pdf")
    (root / "file.pdf").symlink_to(secret)
    (root / "folder").symlink_to(secret.parent)
    found = walk(root)
    assert [file.source_path for file in found.files] == ["a.pdf"]
    assert found.problems == (("file.pdf", Problem(code="link_out")), ("folder", Problem(code="link_out")))
    assert found.complete


def test_loops_end_and_a_file_is_found_once(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "a.pdf")
    (tmp_path / "again.pdf").symlink_to(tmp_path / "sub" / "a.pdf")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "other").symlink_to(tmp_path / "sub")
    found = walk(tmp_path)
    assert [file.source_path for file in found.files] == ["sub/a.pdf"]
    assert found.complete


def test_a_link_to_nothing_or_to_itself_leaves_the_walk_incomplete(tmp_path: Path) -> None:
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    (tmp_path / "self.pdf").symlink_to(tmp_path / "self.pdf")
    found = walk(tmp_path)
    assert {name for name, _ in found.problems} == {"gone.pdf", "self.pdf"}
    assert not found.complete


@pytest.fixture
def common() -> Iterator[Path]:
    """A folder in which this process is a common user: root may read everything."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            os.seteuid(user)


def test_what_cannot_be_read_leaves_the_walk_incomplete(common: Path) -> None:
    tmp_path = common
    closed = write(tmp_path / "closed" / "a.pdf").parent
    shut = write(tmp_path / "b.pdf")
    write(tmp_path / "c.pdf")
    closed.chmod(0)
    shut.chmod(0)
    try:
        found = walk(tmp_path)
    finally:
        closed.chmod(0o700)
    assert [file.source_path for file in found.files] == ["c.pdf"]
    assert [(name, problem.code) for name, problem in found.problems] == [
        ("b.pdf", "unreadable"),
        ("closed", "unreadable"),
    ]
    assert not found.complete


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    found = walk(tmp_path / "nowhere")
    assert not found.complete and [problem.code for _, problem in found.problems] == ["unreadable"]


def test_one_file_says_nothing_of_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path / "a.pdf")
    write(tmp_path / "b.pdf")
    found = walk(tmp_path / "b.pdf")
    assert [file.source_path for file in found.files] == ["b.pdf"]
    assert not found.complete and not found.problems


def test_a_name_in_another_unicode_form_is_found_again(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "politique générale.md")
    (tmp_path / decomposed).write_text("# a\n", encoding="utf-8")
    (found,) = walk(tmp_path).files
    assert found.source_path == unicodedata.normalize("NFC", decomposed)
    assert locate(tmp_path, found.source_path) == tmp_path / decomposed
    with pytest.raises(FileNotFoundError):
        locate(tmp_path, "nowhere/b.md")
