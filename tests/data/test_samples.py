"""The sample documents hold every word of their texts, and the sample records are what data/README.md says."""

import csv
import importlib
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest

DATA = Path(__file__).parents[2] / "data"
DOCS = DATA / "docs"
sys.path.insert(0, str(DATA))
source = importlib.import_module("samples.source")
SOURCES = source.load_all()
TYPESET = [document for document in SOURCES if not document.scan]
[SCAN] = [document for document in SOURCES if document.scan]
LARGEST = 3_000_000


def by_name(document: Any) -> str:
    return str(document.name)


def squeeze(text: str) -> str:
    return "".join(text.split())


def pages(path: Path) -> list[str]:
    with pdfium.PdfDocument(path) as document:
        return [document[number].get_textpage().get_text_range() for number in range(len(document))]


def body(document: Any, path: Path) -> str:
    """Return the text without white space, running header and footer; both must stand on every page."""
    texts = [squeeze(page) for page in pages(path)]
    for number, text in enumerate(texts, 1):
        for furniture in (document.header, document.footer.format(page=number, pages=len(texts))):
            assert squeeze(furniture) in text
            text = text.replace(squeeze(furniture), "", 1)
        texts[number - 1] = text
    return "".join(texts)


def complaints() -> list[dict[str, Any]]:
    lines = (DATA / "feedback/thumbs_down.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def spreadsheet() -> list[dict[str, str]]:
    with (DATA / "feedback/thumbs_down.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("document", TYPESET, ids=by_name)
def test_every_text_can_be_read_back(document: Any) -> None:
    text = body(document, DOCS / document.file)
    pieces = [squeeze(piece) for piece in document.pieces()]
    assert [piece for piece in pieces if piece not in text] == []
    assert Counter("".join(pieces)) - Counter(text) == Counter()


@pytest.mark.parametrize("document", TYPESET, ids=by_name)
def test_no_character_is_private_or_unknown(document: Any) -> None:
    text = "".join(pages(DOCS / document.file))
    assert [char for char in text if 0xE000 <= ord(char) <= 0xF8FF or char in "\ufffd\ufffe"] == []


def test_table_of_the_policy_runs_over_two_pages_with_its_header() -> None:
    headed = [number for number, text in enumerate(pages(DOCS / "售后政策-2026.pdf")) if "核心部件保修" in text]
    assert headed == [2, 3]


def test_scan_has_no_text_and_its_truth_is_the_source() -> None:
    path = DOCS / SCAN.file
    truth = path.with_name(path.name + ".truth.txt").read_text(encoding="utf-8")
    assert "".join(pages(path)) == ""
    assert truth == SCAN.truth()
    assert len(squeeze(truth)) >= 400
    assert len(truth.split("\f")) == len(pages(path))


@pytest.mark.parametrize("document", SOURCES, ids=by_name)
def test_sidecar_says_what_the_source_says(document: Any) -> None:
    path = DOCS / document.file
    sidecar = tomllib.loads(path.with_name(path.name + ".meta.toml").read_text(encoding="utf-8"))
    assert sidecar == document.meta
    assert {"title", "family", "version_label", "valid_from", "authority"} <= sidecar.keys()


def test_versions_tenant_and_roles() -> None:
    meta = {document.name: document.meta for document in SOURCES}
    assert meta["after-sales-2024"]["family"] == meta["after-sales-2026"]["family"]
    assert meta["after-sales-2024"]["valid_to"] < meta["after-sales-2026"]["valid_from"]
    assert {name: item["tenant"] for name, item in meta.items() if "tenant" in item} == {
        "beichen-after-sales-2026": "beichen"
    }
    assert {name: item["roles"] for name, item in meta.items() if "roles" in item} == {"pay-policy": ["hr", "finance"]}


def test_markdown_pairs() -> None:
    chinese = (DOCS / "常见问题.md").read_text(encoding="utf-8")
    english = (DOCS / "warranty-terms.md").read_text(encoding="utf-8")
    assert chinese.count("\n问：") == chinese.count("\n答：") == 20
    assert english.count("\nQ: ") == english.count("\nA: ") == 5
    assert all(text.startswith("---\ntitle: ") for text in (chinese, english))


def test_complaints_hold_praise_a_repeat_and_earlier_turns() -> None:
    records = complaints()
    assert Counter(record["rating"] for record in records) == {"down": 13, "up": 1}
    assert [name for name, count in Counter(record["id"] for record in records).items() if count > 1] == ["fb-0008"]
    assert [record["id"] for record in records if "conversation" in record] == ["fb-0001", "fb-0004", "fb-0007"]
    assert all({"id", "time", "question", "answer", "rating", "comment"} <= record.keys() for record in records)


def test_spreadsheet_has_other_names_and_an_unrated_row() -> None:
    rows = spreadsheet()
    assert list(rows[0]) == ["msg_id", "created_at", "query", "response", "score", "remark", "user_id"]
    assert Counter(row["score"] for row in rows) == {"-1": 6, "1": 1, "": 1}
    assert any("\n" in row["query"] and '"' in row["query"] for row in rows)


def test_personal_data_to_be_redacted_is_there_and_valid() -> None:
    text = json.dumps([complaints(), spreadsheet()], ensure_ascii=False)
    number = "110101190001010014"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    remainder = sum(int(digit) * weight for digit, weight in zip(number, weights, strict=False)) % 11
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate("6200000000000005", 1)]
    assert number[-1] == "10X98765432"[remainder]
    assert sum(value - 9 * (value > 9) for value in doubled) % 10 == 0
    phones, mails = ("13812345678", "13912345678", "138 1234 5678"), ("wang.test@example.com", "lily.chen@example.com")
    for value in (number, "6200 0000 0000 0005", *phones, *mails):
        assert value in text


def test_every_record_is_explained() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    names = {record["id"] for record in complaints()} | {row["msg_id"] for row in spreadsheet()}
    assert [name for name in sorted(names) if f"| {name} |" not in readme] == []


def test_manual_cases() -> None:
    lines = (DATA / "manual/manual_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert len({case["query"] for case in cases}) == 8
    assert [case["id"] for case in cases if not case["answerable"]] == ["manual-07", "manual-08"]
    assert all(bool(case["ground_truth"]) == case["answerable"] for case in cases)
    assert all(case["expected_ids"] == [] for case in cases)


def test_samples_are_small() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < LARGEST


def test_samples_can_be_made_again(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    make_samples = importlib.import_module("make_samples")
    if not make_samples.pdf.fonts_installed():
        pytest.skip("font LXGW WenKai is not installed (Debian: fonts-lxgw-wenkai)")
    made = make_samples.make_all(tmp_path)
    assert len(made) == len(SOURCES)
    for path in made:
        assert pages(path) == pages(DOCS / path.relative_to(tmp_path))
    for path in DOCS.rglob("*.pdf.*"):
        assert (tmp_path / path.relative_to(DOCS)).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
