"""Rules, front matter, sidecars."""

from datetime import date
from pathlib import Path

import pytest

from builder.errors import InputError
from builder.ingest.front_matter import FrontMatterError, read_front_matter, split_front_matter
from builder.ingest.metadata import matches, read_metadata
from builder.ingest.walk import FoundFile, walk
from builder.model.access import Deny
from builder.model.document import DocumentMetadata
from builder.settings import MetadataRule


def found(tmp_path: Path, name: str = "hr/pay.md", sidecar: str | None = None) -> FoundFile:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("text")
    if sidecar is not None:
        path.with_name(path.name + ".meta.toml").write_text(sidecar)
    return walk(tmp_path).files[0]


def rule(match: str, **fields: object) -> MetadataRule:
    return MetadataRule(match=match, set=DocumentMetadata(**fields))


def test_the_later_wins(tmp_path: Path) -> None:
    file = found(tmp_path, sidecar='title = "Sidecar"\nrank = 3\n')
    rules = [rule("**", tenant="a", region="cn"), rule("hr/*", tenant="b", title="Rule"), rule("it/**", tenant="c")]
    got = read_metadata(file, rules, {"title": "Front", "region": "eu", "valid_from": "2026-01-01"})
    assert got == DocumentMetadata(
        tenant="b", region="eu", title="Sidecar", valid_from=date(2026, 1, 1), extra={"rank": "3"}
    )


def test_nothing_known(tmp_path: Path) -> None:
    assert read_metadata(found(tmp_path), [], None) == DocumentMetadata()


def test_unknown_keys_are_text_and_extra_is_joined(tmp_path: Path) -> None:
    file = found(tmp_path, sidecar='tags = ["x", "y"]\nfinal = true\n[extra]\nowner = "HR"\n')
    assert read_metadata(file, [rule("**", extra={"a": "b"})], {"no": 4}).extra == {
        "a": "b",
        "no": "4",
        "tags": "x, y",
        "final": "true",
        "owner": "HR",
    }


def test_deny_lists_and_one_role_as_text(tmp_path: Path) -> None:
    got = read_metadata(found(tmp_path, sidecar='roles = "hr"\n[deny]\nusers = ["eve"]\n'), [], None)
    assert got.roles == ("hr",) and got.deny == Deny(users=("eve",))


@pytest.mark.parametrize(
    ("sidecar", "key", "values"),
    [
        ("valid_from = true", "metadata_value", {"key": "valid_from"}),
        ("roles = 3", "metadata_value", {"key": "roles"}),
        ("[deny]\nusers = 4", "metadata_value", {"key": "deny.users"}),
        ("title = ", "metadata_syntax", {}),
    ],
)
def test_wrong_values_name_file_and_key(tmp_path: Path, sidecar: str, key: str, values: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        read_metadata(found(tmp_path, sidecar=sidecar), [], None)
    assert caught.value.key == key
    assert str(caught.value.values["file"]).endswith("pay.md.meta.toml")
    assert values.items() <= caught.value.values.items()


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.pdf", "a.pdf", True),
        ("*.pdf", "x/a.pdf", False),
        ("**/*.pdf", "x/y/a.pdf", True),
        ("**/*.pdf", "a.pdf", True),
        ("hr/**", "hr/x/a.pdf", True),
        ("hr/**", "hrx/a.pdf", False),
        ("a?.md", "ab.md", True),
        ("a.md", "aXmd", False),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_front_matter_of_both_kinds() -> None:
    assert split_front_matter("+++\ntitle = 'A'\nroles = ['x']\n+++\nBody\n") == (
        {"title": "A", "roles": ["x"]},
        "Body\n",
    )
    text = "---\ntitle: A: b\nroles: [x, 'y z']\n# a remark\nvalid_from: 2026-01-01\n---\n\nBody"
    fields = {"title": "A: b", "roles": ["x", "y z"], "valid_from": "2026-01-01"}
    assert split_front_matter(text) == (fields, "\nBody")


@pytest.mark.parametrize(
    "text", ["Body", "---\nno pair here\n---\nBody", "--- \n", "---\ntitle: open end", "", "---\n---\nBody"]
)
def test_what_is_no_front_matter_stays_text(text: str) -> None:
    assert split_front_matter(text) == ({}, text)


def test_the_head_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    heads = {"---\ntitle: 政策\n---\nBody": {"title": "政策"}, "+++\ntitle = \n+++\nBody": {}, "Body": {}}
    for text, fields in heads.items():
        path.write_bytes(text.encode("gb18030"))
        assert read_front_matter(path) == fields


def test_broken_toml_is_said() -> None:
    with pytest.raises(FrontMatterError):
        split_front_matter("+++\ntitle = \n+++\nBody")
