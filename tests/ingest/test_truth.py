"""True text beside a document, and the distance of a reading from it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.ingest.truth import errors, read_truth
from builder.ingest.walk import walk


def test_form_feeds_part_pages_and_empty_ones_are_not_measured(tmp_path: Path) -> None:
    document = tmp_path / "policy.pdf"
    beside = tmp_path / "policy.pdf.truth.txt"
    assert read_truth(document) == {}
    beside.write_text("第一条\n保修\n\f \n\fpage three\n", encoding="utf-8")
    assert read_truth(document) == {1: "第一条\n保修", 3: "page three"}
    document.write_bytes(b"%PDF-1.4")
    assert [file.source_path for file in walk(tmp_path).files] == ["policy.pdf"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_whatever_a_text_editor_writes(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "policy.pdf.truth.txt").write_bytes("保修期为二十四个月。\f自购买之日起计算。\f".encode(encoding))
    assert read_truth(tmp_path / "policy.pdf") == {1: "保修期为二十四个月。", 2: "自购买之日起计算。"}


def test_a_file_that_is_no_text_is_no_truth(tmp_path: Path) -> None:
    (tmp_path / "policy.pdf.truth.txt").write_bytes(b"\x89PNG\x00\x00\x01\xff\xfe\x00")
    assert read_truth(tmp_path / "policy.pdf") == {}


@pytest.mark.parametrize(
    ("found", "true", "wrong", "length"),
    [
        ("保修 24个月", "保修２４个月\n", 0, 6),
        ("“保存” ‘x’", "「保存」'x'", 0, 7),
        ("AINE", "门审批。", 4, 4),
        ("", "全部丢失", 4, 4),
        ("多出来的", "", 4, 0),
        ("OUT", "0UT", 1, 3),
        ("out", "OUT", 3, 3),
        ("六个月，", "六个月。", 1, 4),
    ],
)
def test_errors(found: str, true: str, wrong: int, length: int) -> None:
    assert errors(found, true) == (wrong, length)


@given(st.text(alphabet="保修“”\"'「」 \n（(,，aAfiﬁ1１"), st.sampled_from([" ", "\n", "\t"]))
def test_nothing_is_wrong_with_the_text_itself(text: str, blank: str) -> None:
    distance, length = errors(blank.join(text), text)
    assert distance == 0 and (length > 0) == bool(text.strip())
