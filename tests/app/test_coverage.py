"""builder coverage as a user runs it: rules and bars, the heat map, the check list, what lies beside a document."""

import json

import openpyxl
import pytest
import sqlalchemy as sa

from builder.app.coverage import measure
from tests.folder import POLICY, Folder

TABLE = "\n| 商品 | 期限 |\n|---|---|\n| 冰箱 | 24 个月 |\n| 备件 | 6 个月 |\n"


def lose(docs: Folder, text: str) -> None:
    """Take the chunk that holds `text` out of the store."""
    engine = sa.create_engine(docs.workspace.store_url)
    with engine.begin() as tx:
        done = tx.execute(sa.text("DELETE FROM chunks WHERE text LIKE :part"), {"part": f"%{text}%"})
        assert done.rowcount == 1
    engine.dispose()


def rules(docs: Folder, *lines: str) -> None:
    docs.write("builder.toml", "\n".join(("schema_version = 1", "[coverage]", *lines)))


def test_all_is_there(docs: Folder) -> None:
    found = docs.done("coverage", "--fail-under", "100")
    assert "100 %" in found.out and "2 of 2 that should have text" in found.out
    report = docs.done("coverage", "--json").json
    assert (report["schema_version"], report["kept_percent"]) == (1, 100.0)
    assert [row["doc_id"] for row in report["documents"]] == ["handbook.md", "policy.md"]
    assert all(row["faults"]["irreversible"] == [] for row in report["documents"])


def test_a_bar_that_is_not_reached(docs: Folder) -> None:
    lose(docs, "定制商品除外")
    assert docs.run("coverage").code == 0, "nobody asked to be told"
    found = docs.run("coverage", "--fail-under", "99.5")
    assert found.code == 1 and "Under 99.5 %" in found.err
    assert docs.run("coverage", "handbook.md", "--fail-under", "100").code == 0
    assert docs.run("coverage", "--fail-under", "101").code == 2


def test_nothing_measured_is_not_enough(folder: Folder) -> None:
    folder.done("init")
    assert folder.run("coverage", "--fail-under", "0").code == 1


def test_rules_of_builder_toml(docs: Folder) -> None:
    rules(docs, "reversible = true", "negation = true", "table_header = true", "documents = 2", "failed_documents = 0")
    found = docs.done("coverage")
    assert found.out.count("pass  ") == 4 and "not measured  table rows" in found.out
    lose(docs, "定制商品除外")
    rules(docs, "negation = true", "documents = 3", 'required_metadata = ["title", "section"]')
    failed = docs.run("coverage", "--lang", "zh")
    assert failed.code == 1
    lines = failed.err.strip().splitlines()
    assert len(lines) == 3 and all(line.startswith("不通过") for line in lines)
    assert any("policy.md 第 1 页" in line and "定制商品除外" in line for line in lines)
    assert any("应为 3 个" in line for line in lines)
    as_json = docs.run("coverage", "--json")
    assert as_json.code == 1 and as_json.err.count("FAIL") == 3
    outcome = {rule["name"]: rule["outcome"] for rule in json.loads(as_json.out)["rules"]}
    assert outcome == {"required_metadata": "fail", "negation": "fail", "documents": "fail"}


def test_a_changed_chunk_is_no_longer_reversible(docs: Folder) -> None:
    engine = sa.create_engine(docs.workspace.store_url)
    with engine.begin() as tx:
        tx.execute(sa.text("UPDATE chunks SET text = text || '！' WHERE text LIKE '%定制商品除外%'"))
    engine.dispose()
    rules(docs, "reversible = true")
    found = docs.run("coverage", "policy.md")
    assert found.code == 1 and "Reversible: 1 of" in found.out and "policy.md#" in found.err


def test_tables_and_true_text_beside_a_document(folder: Folder) -> None:
    folder.write("docs/policy.md", POLICY + TABLE)
    folder.write("docs/policy.md.tables.csv", "商品,期限\n冰箱,24 个月\n空调,12 个月\n")
    folder.write("docs/policy.md.truth.txt", POLICY)
    found = folder.done("ingest", "docs")
    assert "1 documents read" in found.out, "what speaks of a document is none"
    row = measure(folder.workspace).documents[0]
    assert row.tables is not None and (row.tables.rows, row.tables.kept) == (2, 2)
    assert row.annotated is not None and (row.annotated.rows, row.annotated.kept) == (2, 1)
    assert row.ocr is not None and row.ocr.true_pages == 1 and row.ocr.wrong > 0
    shown = folder.done("coverage").out
    assert "1 of the 2 written down" in shown and "policy.md table 1 row 3" in shown
    folder.write("docs/policy.md.tables.csv", "")
    folder.write("docs/policy.md.tables.json", "{")
    (folder.path / "docs/policy.md.tables.csv").unlink()
    broken = folder.run("coverage")
    assert broken.code == 3 and "policy.md.tables.json" in broken.err


def test_the_heat_map_is_written(docs: Folder) -> None:
    docs.write("docs/policy.md.meta.toml", 'title = "</script><img onerror=x>"')
    docs.done("ingest")
    found = docs.done("coverage", "--html", "out/map.html", "--lang", "zh")
    html = (docs.path / "out/map.html").read_text(encoding="utf-8")
    assert "页面热力图" in found.err and "<img" not in html and "&lt;img onerror=x&gt;" in html
    (docs.path / "file").write_text("")
    assert docs.run("coverage", "--html", "file/map.html").code == 3


def test_a_check_list_goes_out_and_comes_back(docs: Folder) -> None:
    drawn = docs.done("coverage", "--sample", "3", "-o", "check.xlsx", "--seed", "4", "--json").json
    assert len(drawn["chunks"]) == 3
    assert docs.run("coverage", "--sample", "3", "-o", "check.xlsx").code == 3, "verdicts are never overwritten"
    book = openpyxl.load_workbook(docs.path / "check.xlsx")
    sheet = book.worksheets[0]
    for row, verdict in ((2, "ok"), (3, "missing")):
        sheet.cell(row, 5).value = verdict
    book.save(docs.path / "check.xlsx")
    found = docs.done("coverage", "--read", "check.xlsx")
    assert "3 rows: 1 ok, 0 wrong, 1 missing, 1 not looked at" in found.out
    assert "50.0 %" in found.out and "row 3" in found.out
    assert docs.run("coverage", "--read", "check.xlsx", "--fail-under", "60").code == 1
    docs.write("docs/policy.md", POLICY.replace("24", "36").replace("7 日", "9 日"))
    docs.write("docs/handbook.md", "# Handbook\n\nAll is new.\n")
    docs.done("ingest")
    stale = docs.run("coverage", "--read", "check.xlsx")
    assert stale.code == 0 and "do not count" in stale.err and "0 ok" in stale.out


@pytest.mark.parametrize("arguments", [("--sample", "3", "--read", "x.xlsx"), ("--sample", "0")])
def test_wrong_use(docs: Folder, arguments: tuple[str, ...]) -> None:
    assert docs.run("coverage", *arguments).code == 2


def test_a_list_of_one_document(docs: Folder) -> None:
    drawn = docs.done("coverage", "policy.md", "--sample", "100", "--json").json
    assert all(name.startswith("policy.md#") for name in drawn["chunks"])
    assert (docs.path / "coverage-sample.xlsx").is_file()
    assert docs.run("coverage", "nothing.md", "--sample", "1", "-o", "x.xlsx").code == 3
