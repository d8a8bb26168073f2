"""builder ingest: documents, chunks and cases in step with the files."""

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from builder.model.case import DisabledReason
from builder.model.document import DocumentStatus, Problem
from builder.words import words
from tests.folder import HANDBOOK, POLICY, Folder
from tests.ingest import office_files
from tests.make import reading


def report(found: object) -> dict[str, int]:
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if isinstance(value, int) and value}


def test_a_workspace_is_made_where_there_is_none(folder: Folder) -> None:
    folder.write("docs/policy.md", POLICY)
    found = folder.done("ingest", "docs")
    assert (folder.path / "builder.toml").is_file()
    assert "No workspace here yet" in found.err


def test_new_then_unchanged(docs: Folder) -> None:
    assert report(docs.done("ingest", "--json").json) == {"unchanged": 2, "read": 2}


def test_touched_is_unchanged(docs: Folder) -> None:
    os.utime(docs.path / "docs/policy.md")
    assert report(docs.done("ingest", "--json").json) == {"unchanged": 2, "read": 2}


def test_changed_is_a_new_version(docs: Folder) -> None:
    docs.write("docs/policy.md", POLICY + "\n新增一段。\n")
    assert report(docs.done("ingest", "--json").json) == {"changed": 1, "unchanged": 1, "read": 2}
    with docs.store() as store:
        assert {document.doc_id: document.version for document in store.documents.all()} == {
            "handbook.md": 1,
            "policy.md": 2,
        }
        assert any("新增一段" in chunk.text for chunk in store.documents.chunks())


def test_renamed_keeps_its_id(docs: Folder) -> None:
    (docs.path / "docs/policy.md").rename(docs.path / "docs/policy-2026.md")
    assert report(docs.done("ingest", "--json").json) == {"renamed": 1, "unchanged": 1, "read": 2}
    with docs.store() as store:
        found = {document.doc_id: document.source_path for document in store.documents.all()}
    assert found == {"handbook.md": "handbook.md", "policy.md": "policy-2026.md"}


def test_removed_goes_with_its_chunks_and_comes_back(docs: Folder) -> None:
    (docs.path / "docs/policy.md").unlink()
    gone = report(docs.done("ingest", "--json").json)
    assert gone["retired"] == 1
    assert gone["retired_chunks"] > 0
    with docs.store() as store:
        assert {chunk.doc_id for chunk in store.documents.chunks()} == {"handbook.md"}
    docs.write("docs/policy.md", POLICY)
    assert report(docs.done("ingest", "--json").json)["new"] == 1
    with docs.store() as store:
        back = next(document for document in store.documents.all() if document.doc_id == "policy.md")
        assert (back.version, back.retired_at) == (1, None), "the same bytes are the same version"
        assert {chunk.doc_id for chunk in store.documents.chunks()} == {"handbook.md", "policy.md"}


def test_many_are_retired_only_with_a_yes(folder: Folder) -> None:
    for number in range(10):
        folder.write(f"docs/d{number}.md", f"# 文档 {number}\n\n内容 {number} 元。\n")
    folder.done("ingest", "docs")
    for number in range(3):
        (folder.path / f"docs/d{number}.md").unlink()
    folder.write("docs/new.md", "# 新文档\n\n新的一句。\n")
    found = folder.run("ingest", "docs")
    assert found.code == 3
    assert "--yes" in found.err
    with folder.store() as store:
        ids = {document.doc_id for document in store.documents.all()}
    assert ids == {f"d{number}.md" for number in range(10)} | {"new.md"}, "nothing retired, the rest ingested"
    assert report(folder.done("ingest", "docs", "--yes", "--json").json)["retired"] == 3


def test_a_file_named_alone_retires_nothing(docs: Folder) -> None:
    (docs.path / "docs/policy.md").unlink()
    assert "retired" not in report(docs.done("ingest", "docs/handbook.md", "--json").json)


def test_dry_run_does_nothing(docs: Folder) -> None:
    docs.write("docs/third.md", "# 三\n\n一句。\n")
    (docs.path / "docs/policy.md").unlink()
    assert report(docs.done("ingest", "--dry-run", "--json").json) == {"new": 1, "retired": 1, "unchanged": 1}
    with docs.store() as store:
        assert {document.doc_id for document in store.documents.all()} == {"handbook.md", "policy.md"}


def test_metadata_alone(docs: Folder) -> None:
    docs.write("docs/policy.md.meta.toml", 'tenant = "north"\nvalid_to = 2026-12-31\nowner = "lin"\n')
    found = docs.done("ingest", "--json").json
    assert (found["metadata_changed"], found["changed"]) == (1, 0)
    with docs.store() as store:
        document = next(one for one in store.documents.all() if one.doc_id == "policy.md")
        assert (document.version, document.metadata_revision) == (1, 2)
        chunk = store.documents.chunks(["policy.md"])[0]
    assert chunk.metadata.tenant == "north"
    assert chunk.metadata.extra == {"owner": "lin"}


BAD = {
    "not_a.pdf": (b"this is no pdf", "not a PDF"),
    "empty.pdf": (b"", "empty"),
    "cut.pdf": (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Ty", "truncated"),
}


def test_bad_files_are_a_line_each(docs: Folder) -> None:
    for name, (data, _) in BAD.items():
        docs.write(f"docs/{name}", data)
    found = docs.done("ingest")
    lines = found.err.splitlines()
    for name in BAD:
        assert len([line for line in lines if line.startswith(name)]) == 1, lines
    assert "3 failed" in found.out
    again = docs.done("ingest", "--json").json
    assert (again["failed"], again["unchanged"]) == (3, 5), "a failure is not tried again while the file is the same"


def test_nothing_readable_is_exit_3(folder: Folder) -> None:
    folder.write("docs/not_a.pdf", b"this is no pdf")
    assert folder.run("ingest", "docs").code == 3
    folder.write("other/picture.png", b"png")
    found = folder.run("ingest", "other")
    assert found.code == 3
    assert len(found.err.strip().splitlines()) == 1


def test_no_such_path(folder: Folder) -> None:
    found = folder.run("ingest", "nowhere")
    assert (found.code, "nowhere" in found.err) == (3, True)


def test_a_broken_sidecar_names_file_and_key(docs: Folder) -> None:
    docs.write("docs/policy.md.meta.toml", "valid_to = true\n")
    docs.write("docs/third.md", "# 三\n\n一句。\n")
    found = docs.done("ingest")
    assert "policy.md.meta.toml" in found.err
    assert "valid_to" in found.err
    assert "3 documents read (1 new" in found.out, "the others are ingested, this one stays as it was"


def test_accounting_closes_and_a_deleted_chunk_is_missed(docs: Folder) -> None:
    before = {row["doc_id"]: row for row in docs.done("coverage", "--json").json["documents"]}
    assert all(page["lost"] == 0 for row in before.values() for page in row["pages"])
    engine = sa.create_engine(docs.workspace.store_url)
    with engine.begin() as tx:
        tx.exec_driver_sql(
            "DELETE FROM chunks WHERE chunk_id = (SELECT chunk_id FROM chunks WHERE doc_id = 'policy.md' LIMIT 1)"
        )
    engine.dispose()
    after = {row["doc_id"]: row for row in docs.done("coverage", "--json").json["documents"]}
    assert after["policy.md"]["pages"][0]["lost"] > 0
    assert after["handbook.md"] == before["handbook.md"]
    page = after["policy.md"]["pages"][0]
    parts = ("kept", "boilerplate", "replaced_by_ocr", "discarded", "lost")
    assert page["extractable"] == sum(page[name] for name in parts)


def test_an_interrupted_ingest_goes_on(docs: Folder) -> None:
    """Pages stored but not cut into chunks, as after a kill between the two transactions."""
    with docs.store() as store:
        document = store.documents.all()[0]
        wanted = store.documents.chunks([document.doc_id])
        store.documents.replace_chunks(document.replace(chunked_with=""), [])
    docs.done("ingest")
    with docs.store() as store:
        assert store.documents.chunks([document.doc_id]) == wanted


def test_another_chunker_cuts_anew_and_reads_nothing(docs: Folder) -> None:
    with docs.store() as store:
        before = {document.doc_id: document for document in store.documents.all()}
        kept = store.documents.chunks()
    docs.write("builder.toml", 'schema_version = 1\n[chunk]\nname = "fixed"\ntarget = 50\nborder = "hard"\n')
    found = docs.done("ingest", "--json").json
    assert (found["unchanged"], found["changed"]) == (2, 0)
    with docs.store() as store:
        after = {document.doc_id: document for document in store.documents.all()}
        cut = store.documents.chunks()
    assert all(after[name].reading_id == before[name].reading_id for name in before), "the same pages"
    assert all(after[name].chunked_with != before[name].chunked_with for name in before)
    assert {chunk.section for chunk in cut} == {()} and max(len(chunk.text) for chunk in cut) == 50
    docs.write("builder.toml", "schema_version = 1\n")
    docs.done("ingest")
    with docs.store() as store:
        assert store.documents.chunks() == kept, "and back"


def test_no_such_chunker(docs: Folder) -> None:
    docs.write("builder.toml", 'schema_version = 1\n[chunk]\nname = "nobody"\n')
    found = docs.run("ingest")
    assert found.code == 3
    assert "nobody" in found.err and "structure, fixed" in found.err


def test_touched_is_hashed_once(docs: Folder) -> None:
    os.utime(docs.path / "docs/policy.md", ns=(1, 1))
    docs.done("ingest")
    with docs.store() as store:
        assert {document.doc_id: document.mtime_ns for document in store.documents.all()}["policy.md"] == 1


def test_metadata_alone_in_a_dry_run(docs: Folder) -> None:
    docs.write("docs/policy.md.meta.toml", 'tenant = "north"\n')
    found = docs.done("ingest", "--dry-run")
    assert "metadata: 1" in found.out
    assert docs.done("ingest", "--dry-run", "--json").json["metadata_changed"] == 1
    with docs.store() as store:
        assert {document.metadata_revision for document in store.documents.all()} == {1}
    assert docs.done("ingest", "--json").json["metadata_changed"] == 1
    assert docs.done("ingest", "--json").json["metadata_changed"] == 0
    (docs.path / "docs/policy.md.meta.toml").unlink()
    assert docs.done("ingest", "--json").json["metadata_changed"] == 1


def test_cases_of_an_interrupted_run_are_looked_at(docs: Folder) -> None:
    """Killed after the chunks were stored and before the cases were restated: the next run has nothing to read."""
    chunk = next(row for row in docs.done("chunks", "list", "--json").json if "24 个月" in row["text"])
    case = docs.done("add", "-q", "保修？", "-a", "24 个月", "-c", chunk["chunk_id"], "--json").json
    with docs.store() as store:
        document = next(one for one in store.documents.all() if one.doc_id == "policy.md")
        store.documents.mark_cases(due=True)
        store.documents.replace_chunks(document, [])
    docs.done("ingest")
    with docs.store() as store:
        assert store.cases.get(case["case_id"]).disabled_reason == DisabledReason.STALE_CHANGED
        assert not store.documents.cases_due()


def test_other_files_beside_each_other(folder: Folder) -> None:
    folder.write("docs/policy.docx", office_files.docx(office_files.paragraph("整机保修期为 24 个月。")))
    folder.write("docs/fees.xlsx", office_files.xlsx())
    folder.write("docs/deck.pptx", office_files.pptx())
    folder.write("docs/page.html", "<h1>政策</h1><p>生鲜商品除外。")
    folder.write("docs/faq.csv", "问题,答案\n保修多久？,24 个月。\n".encode("gb18030"))
    folder.write("docs/old.txt", "全文采用旧编码。".encode("gb18030"))
    folder.write("docs/broken.docx", b"PK\x03\x04")
    found = folder.done("ingest", "docs", "--json").json
    assert (found["new"], found["read"], found["failed"]) == (7, 6, 1)
    rows = folder.done("coverage", "--json").json["documents"]
    assert {row["doc_id"]: row["lost"] for row in rows if row["lost"]} == {}


def test_a_missing_extra_costs_its_files_only_and_comes_good(folder: Folder) -> None:
    folder.write("docs/policy.docx", office_files.docx(office_files.paragraph("整机保修期为 24 个月。")))
    folder.write("docs/policy.md", POLICY)
    folder.done("ingest", "docs")
    with folder.store() as store:
        document = next(one for one in store.documents.all() if one.doc_id == "policy.docx")
        failed = document.replace(status=DocumentStatus.FAILED, problem=Problem(code="extra_missing"))
        store.documents.save_reading(failed, reading(failed), [])
    assert "pip install 'golden-builder[office]'" in words("en")("problem.extra_missing")
    folder.done("ingest")
    assert any("24 个月" in row["text"] for row in folder.done("chunks", "list", "--json").json)
    with folder.store() as store:
        assert all(one.status is DocumentStatus.OK for one in store.documents.all())


def test_other_chunk_settings_cut_anew(docs: Folder) -> None:
    docs.write("builder.toml", "schema_version = 1\n[chunk]\ntarget = 50\nmaximum = 100\n")
    with docs.store() as store:
        before = store.documents.chunk_count()
    docs.done("ingest")
    with docs.store() as store:
        assert max(len(chunk.text) for chunk in store.documents.chunks()) <= 150
        assert store.documents.chunk_count() >= before


@pytest.mark.parametrize(
    ("change", "reason"),
    [("24 个月", None), ("18 个月", DisabledReason.STALE_CHANGED), (None, DisabledReason.STALE_GONE)],
)
def test_cases_follow_their_quotes(docs: Folder, change: str | None, reason: DisabledReason | None) -> None:
    chunk = next(row for row in docs.done("chunks", "list", "--json").json if "24 个月" in row["text"])
    quote = "整机保修期为自出厂之日起 24 个月。"
    case = docs.done(
        "add", "-q", "保修多久？", "-a", "24 个月", "-c", chunk["chunk_id"], "--quote", quote, "--json"
    ).json
    if change is None:
        (docs.path / "docs/policy.md").unlink()
    else:
        docs.write("docs/policy.md", "# 新版\n\n" + POLICY.replace("24 个月", change))
    docs.done("ingest")
    with docs.store() as store:
        found = store.cases.get(case["case_id"])
        chunks = store.documents.chunks()
    assert found.disabled_reason == reason
    if reason is None:
        assert any(row.holds(found.evidence[0].reading_id, found.evidence[0].parts) for row in chunks)
        assert found.evidence[0].quote == quote


def test_links_never_lead_out(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("# 机密\n\n不可读。\n", encoding="utf-8")
    folder.write("docs/handbook.md", HANDBOOK)
    (folder.path / "docs/link.md").symlink_to(outside)
    folder.done("ingest", "docs")
    with folder.store() as store:
        assert [document.doc_id for document in store.documents.all()] == ["handbook.md"]


def test_escapes_in_documents_are_shown_inert(folder: Folder) -> None:
    evil = "# 标题\n\n\x1b[2J\x1b]52;c;ZXZpbA==\x07[red]红色[/red] 价格为 5 元。\n"
    folder.write("docs/evil.md", evil)
    folder.done("ingest", "docs")
    for command in (
        ("chunks", "list"),
        ("chunks", "search", "价格"),
        ("generate", "--writer", "extractive"),
        ("cases", "list"),
    ):
        found = folder.run(*command)
        assert not any(char in found.out + found.err for char in ("\x1b", "\x07", "\x9b")), command
    shown = folder.done("chunks", "search", "价格").out
    assert "[red]" in shown


def test_paths_with_spaces_and_chinese(folder: Folder) -> None:
    folder.write("资料 文件夹/售后 政策.md", POLICY)
    folder.done("ingest", str(Path("资料 文件夹")))
    with folder.store() as store:
        assert [document.doc_id for document in store.documents.all()] == ["售后-政策.md"]
