"""builder ingest --chunks: the user's own chunks, under their own ids."""

import json
import os
from typing import Any

import pytest

from builder.model.case import DisabledReason
from tests.folder import Folder

ROWS: list[dict[str, Any]] = [
    {"id": "kb-1", "text": "整机保修期为自出厂之日起 24 个月。", "document": "policy.pdf", "section": ["售后", "保修"]},
    {"id": "kb-2", "text": "备件保修 6 个月。", "document": "policy.pdf"},
    {"id": 17, "text": "问：可以退货吗？\n答：7 日内可以。", "document": "faq"},
]


def jsonl(rows: list[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def chunks(folder: Folder) -> dict[str, tuple[str, str]]:
    with folder.store() as store:
        return {chunk.chunk_id: (chunk.doc_id, chunk.text) for chunk in store.documents.chunks()}


@pytest.fixture
def given(folder: Folder) -> Folder:
    folder.write("kb.jsonl", jsonl(ROWS))
    folder.done("ingest", "--chunks", "kb.jsonl")
    return folder


def test_ids_texts_and_documents_are_kept(given: Folder) -> None:
    assert chunks(given) == {
        "kb-1": ("policy.pdf", ROWS[0]["text"]),
        "kb-2": ("policy.pdf", ROWS[1]["text"]),
        "17": ("faq", ROWS[2]["text"]),
    }
    rows = {row["chunk_id"]: row for row in given.done("chunks", "list", "--json").json}
    assert rows["kb-1"]["section"] == ["售后", "保修"]
    assert (rows["kb-2"]["pages"], rows["17"]["kind"]) == ([2], "faq")
    assert given.done("chunks", "show", "kb-2", "--json").json["text"] == ROWS[1]["text"]


def test_coverage_is_closed(given: Folder) -> None:
    for document in given.done("coverage", "--json").json["documents"]:
        assert (document["lost"], document["kept"]) == (0, document["extractable"])
        assert document["extractable"] > 0


def test_again_and_touched_are_unchanged(given: Folder) -> None:
    for _ in range(2):
        found = given.done("ingest", "--json").json
        assert (found["unchanged"], found["new"], found["changed"], found["read"]) == (2, 0, 0, 2)
        os.utime(given.path / "kb.jsonl")


def test_a_chunk_that_is_not_in_the_file_any_more_goes(given: Folder) -> None:
    given.write("kb.jsonl", jsonl(ROWS[:1] + ROWS[2:]))
    found = given.done("ingest", "--chunks", "kb.jsonl", "--json").json
    assert (found["changed"], found["unchanged"]) == (1, 1)
    assert set(chunks(given)) == {"kb-1", "17"}


def test_a_document_without_chunks_is_retired_and_comes_back(given: Folder) -> None:
    given.write("kb.jsonl", jsonl(ROWS[:2]))
    found = given.done("ingest", "--json").json
    assert (found["retired"], found["retired_chunks"], found["unchanged"]) == (1, 1, 1)
    assert set(chunks(given)) == {"kb-1", "kb-2"}
    given.write("kb.jsonl", jsonl(ROWS))
    assert given.done("ingest", "--json").json["new"] == 1
    assert set(chunks(given)) == {"kb-1", "kb-2", "17"}


def test_an_id_may_move_to_another_document(given: Folder) -> None:
    moved = [ROWS[0], ROWS[1] | {"document": "faq"}, ROWS[2]]
    given.write("kb.jsonl", jsonl(moved))
    assert given.done("ingest", "--json").json["changed"] == 2
    assert chunks(given)["kb-2"][0] == "faq"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"text": "x", "document": "d"}, "chunk_id"),
        ({"id": "", "text": "x"}, "chunk_id"),
        ({"id": True, "text": "x"}, "chunk_id"),
        ({"id": "a b", "text": "x"}, "chunk_id_space"),
        ({"id": "a\u3000b", "text": "x"}, "chunk_id_space"),
        ({"id": "a\x1b[2J", "text": "x"}, "chunk_id_space"),
        ({"id": "kb-1", "text": "x"}, "chunk_id_twice"),
        ({"id": "z", "text": " \n"}, "chunk_text"),
        ({"id": "z", "text": 5}, "chunk_text"),
        ({"id": "z", "text": "\ud800"}, "chunk_text"),
        ({"id": "z", "text": "a\x00b"}, "chunk_text"),
        ([1, 2], "chunk_row"),
    ],
)
def test_one_wrong_row_and_nothing_is_taken(given: Folder, row: object, code: str) -> None:
    before = chunks(given)
    text = "".join(json.dumps(one) + "\n" for one in [ROWS[0], {"id": "new", "text": "new"}, row])
    given.write("kb.jsonl", text)
    found = given.run("ingest", "--chunks", "kb.jsonl", "--json")
    assert found.code == 3
    assert [(number, problem["code"]) for number, problem in found.json["wrong_rows"]["kb.jsonl"]] == [(3, code)]
    assert "kb.jsonl row 3:" in found.err and "\x1b" not in found.err
    assert chunks(given) == before


def test_all_wrong_rows_are_said(folder: Folder) -> None:
    folder.write("kb.jsonl", '{"id": "a", "text": "one"}\nno json\n\n{"id": "a", "text": "two"}\n')
    found = folder.run("ingest", "--chunks", "kb.jsonl")
    assert found.code == 3
    assert [line.split(":")[0] for line in found.err.splitlines() if " row " in line] == [
        "kb.jsonl row 2",
        "kb.jsonl row 4",
    ]
    with folder.store() as store:
        assert (store.documents.all(), store.documents.roots()) == ((), ())


def test_an_id_of_another_file_is_taken(given: Folder) -> None:
    given.write("other.jsonl", jsonl([{"id": "kb-2", "text": "another"}]))
    found = given.run("ingest", "--chunks", "other.jsonl")
    assert found.code == 3
    assert "kb-2: policy.pdf" in found.err


def test_usual_names_and_flags(folder: Folder) -> None:
    rows = [{"node_id": "n1", "page_content": "一句话。", "metadata": {"source": "制度/请假.docx"}}]
    folder.write("a.jsonl", "\ufeff" + jsonl(rows))
    folder.write("b.jsonl", jsonl([{"k": "n2", "v": {"t": "另一句。"}, "name": "x.md"}]))
    assert "node_id" in folder.done("ingest", "--chunks", "a.jsonl").err
    flags = ("--chunk-id-field", "k", "--chunk-text-field", "v.t", "--chunk-document-field", "name")
    folder.done("ingest", "--chunks", "b.jsonl", *flags)
    assert chunks(folder) == {"n1": ("制度/请假.docx", "一句话。"), "n2": ("x.md", "另一句。")}


def test_rows_without_a_document_belong_to_the_file(folder: Folder) -> None:
    folder.write("faq.jsonl", jsonl([{"id": 1, "text": "一句话。"}]))
    folder.done("ingest", "--chunks", "faq.jsonl")
    assert chunks(folder) == {"1": ("faq.jsonl", "一句话。")}


def test_beside_documents_that_are_read(docs: Folder) -> None:
    docs.write("kb.jsonl", jsonl([{"id": "own", "text": "自己的片段。", "document": "policy.md"}]))
    docs.done("ingest", "--chunks", "kb.jsonl")
    with docs.store() as store:
        ids = {document.doc_id for document in store.documents.all()}
    assert {"policy.md", "handbook.md"} < ids and len(ids) == 3
    found = docs.done("ingest", "--json").json
    assert (found["unchanged"], found["read"]) == (3, 3)


def test_other_chunk_settings_leave_them_alone(given: Folder) -> None:
    before = chunks(given)
    given.write("builder.toml", 'schema_version = 1\n[chunk]\nname = "fixed"\n')
    given.done("ingest")
    assert chunks(given) == before


def test_metadata_by_sidecar_and_rule(given: Folder) -> None:
    given.write("kb.jsonl.meta.toml", 'tenant = "north"\n')
    given.write("builder.toml", 'schema_version = 1\n[[metadata]]\nmatch = "*.pdf"\nset = { region = "cn" }\n')
    found = given.done("ingest", "--dry-run", "--json").json
    assert (found["metadata_changed"], found["unchanged"]) == (2, 2)
    given.done("ingest")
    with given.store() as store:
        told = {document.doc_id: document.metadata for document in store.documents.all()}
    assert (told["policy.pdf"].tenant, told["policy.pdf"].region, told["faq"].region) == ("north", "cn", None)


def test_a_file_that_is_gone_retires_nothing(given: Folder) -> None:
    (given.path / "kb.jsonl").unlink()
    found = given.done("ingest", "--json").json
    assert (found["retired"], found["problems"][0][1]["code"]) == (0, "unreadable")
    assert len(chunks(given)) == 3


def test_dry_run_takes_nothing(folder: Folder) -> None:
    folder.write("kb.jsonl", jsonl(ROWS))
    assert folder.done("ingest", "--chunks", "kb.jsonl", "--dry-run", "--json").json["new"] == 2
    assert chunks(folder) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("整机保修期为自出厂之日起 24 个月。", None),
        ("新增一句。整机保修期为自出厂之日起 24 个月。", None),
        ("整机保修期为自出厂之日起 18 个月。", DisabledReason.STALE_CHANGED),
    ],
)
def test_cases_follow_the_text_of_an_id(given: Folder, text: str, reason: DisabledReason | None) -> None:
    case = given.done(
        "add", "-q", "保修多久？", "-a", "24 个月", "-c", "kb-1", "--quote", ROWS[0]["text"], "--json"
    ).json
    given.write("kb.jsonl", jsonl([ROWS[0] | {"text": text}, *ROWS[1:]]))
    given.done("ingest")
    with given.store() as store:
        assert store.cases.get(case["case_id"]).disabled_reason == reason


def test_an_approved_case_is_to_be_confirmed_where_its_chunk_says_more(given: Folder) -> None:
    case = given.done("add", "-q", "保修？", "-a", "24 个月", "-c", "kb-1", "--quote", "24 个月", "--json").json
    given.done("cases", "approve", case["case_id"])
    given.write("kb.jsonl", jsonl([ROWS[0] | {"text": "整机保修期为 24 个月，不含备件。"}, *ROWS[1:]]))
    given.done("ingest")
    with given.store() as store:
        assert store.cases.get(case["case_id"]).disabled_reason == DisabledReason.STALE_CHECK


def test_an_interrupted_import_is_taken_up(given: Folder) -> None:
    """Pages stored and not the chunks, as after a kill between the two transactions."""
    before = chunks(given)
    with given.store() as store:
        document = next(one for one in store.documents.all() if one.doc_id == "policy.pdf")
        store.documents.replace_chunks(document.replace(chunked_with=""), [])
    given.done("ingest")
    assert chunks(given) == before
