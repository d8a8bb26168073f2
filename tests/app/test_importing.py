"""builder import and builder add: complaints wait for a person, personal data never gets in."""

import shutil
import sys

import pytest

from builder.app.add import NewCase, add, fill_form
from builder.errors import InputError
from builder.model.case import ReviewState
from builder.words import words
from tests.folder import ROOT, Folder

LOGS = sorted((ROOT / "data" / "feedback").glob("thumbs_down.*"))
PERSONAL = (
    "6200 0000 0000 0005",
    "13812345678",
    "13912345678",
    "138 1234 5678",
    "110101190001010014",
    "wang.test@example.com",
    "lily.chen@example.com",
)


@pytest.fixture
def logs(docs: Folder) -> Folder:
    """A workspace with the sample logs beside it."""
    for path in LOGS:
        shutil.copyfile(path, docs.path / path.name)
    return docs


def test_complaints_are_disabled_until_a_person_answers(logs: Folder) -> None:
    report = logs.done("import", *[path.name for path in LOGS], "--json").json
    assert [(one["new"], one["waiting"]) for one in report] == [(6, 6), (12, 12)]
    with logs.store() as store:
        cases = store.cases.list("main")
    assert len(cases) == 18
    for case in cases:
        assert case.review_state is ReviewState.NEEDS_ANSWER
        assert not case.enabled
        assert case.ground_truth == ""
        assert case.rejected_output
        assert case.origin is not None
        assert case.origin.record_ids


def test_the_same_file_again_adds_nothing(logs: Folder) -> None:
    logs.done("import", LOGS[1].name)
    again = logs.done("import", LOGS[1].name, "--json").json[0]
    assert (again["new"], again["known"]) == (0, 12)


def test_dry_run_adds_nothing(logs: Folder) -> None:
    assert logs.done("import", LOGS[1].name, "--dry-run", "--json").json[0]["new"] == 12
    assert logs.done("cases", "list", "--json").json == []


def test_personal_data_is_nowhere(logs: Folder) -> None:
    logs.done("import", *[path.name for path in LOGS])
    for path in LOGS:
        (logs.path / path.name).unlink()
    raw = b"".join(path.read_bytes() for path in logs.path.rglob("*") if path.is_file())
    assert [secret for secret in PERSONAL if secret.encode() in raw] == []
    assert b"YL20260302000187" in raw, "an order number is no personal data"


def test_a_field_map(docs: Folder) -> None:
    docs.write("own.csv", "nr,frage,antwort,note\n1,Wie lange?,Immer.,差评\n")
    found = docs.run("import", "own.csv")
    assert found.code == 3
    assert "frage" in found.err, "the columns that are there are named"
    done = docs.done("import", "own.csv", "--map", "question=frage,answer=antwort,rating=note,id=nr", "--json").json[0]
    assert done["taken"]["question"] == "frage"


def test_manual_lists(docs: Folder) -> None:
    chunk = docs.done("chunks", "list", "--json").json[0]["chunk_id"]
    rows = [
        f'{{"id": "1", "query": "保修多久？", "ground_truth": "24 个月", "expected_ids": ["{chunk}"]}}',
        '{"id": "2", "query": "老板是谁？", "answerable": false}',
        '{"id": "3", "query": "还没有答案？"}',
        '{"id": "4", "ground_truth": "没有问题"}',
        '{"id": "5", "query": "引用错了？", "ground_truth": "是", "expected_ids": ["policy.md#nothing"]}',
        "not json",
    ]
    docs.write("list.jsonl", "\n".join(rows) + "\n")
    found = docs.run("import", "list.jsonl", "--from", "manual")
    assert found.code == 1
    for row, word in (("row 4", "question"), ("row 5", "policy.md#nothing"), ("row 6", "JSON")):
        assert any(row in line and word in line for line in found.err.splitlines()), found.err
    assert "neither recall nor correctness" in found.err
    with docs.store() as store:
        cases = {case.question: case for case in store.cases.list("main")}
    assert len(cases["保修多久？"].evidence) == 1
    assert cases["老板是谁？"].answerable is False
    assert cases["还没有答案？"].review_state is ReviewState.NEEDS_ANSWER
    assert cases["引用错了？"].evidence == ()
    assert docs.run("import", "list.jsonl", "--from", "manual", "--json").json[0]["new"] == 0


def test_add_by_flags(docs: Folder) -> None:
    chunk = next(row for row in docs.done("chunks", "list", "--json").json if "7 日内" in row["text"])
    quote = "生鲜商品和定制商品除外"
    added = docs.done(
        "add", "-q", "水果能退吗？", "-a", "不能", "-c", chunk["chunk_id"], "--quote", quote, "--json"
    ).json
    shown = docs.done("cases", "show", added["case_id"], "--json").json
    assert shown["reference_chunk_ids"] == [chunk["chunk_id"]]
    assert shown["evidence_groups"][0][0]["quote"] == quote
    assert shown["enabled"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-q", "没有答案？"), 0, "neither recall nor correctness"),
        (("-q", " "), 3, "No question"),
        (("-q", "x?", "-a", "y", "-c", "policy.md#nothing"), 3, "policy.md#nothing"),
        ((), 2, "--question"),
    ],
)
def test_add_says_what_is_missing(docs: Folder, arguments: tuple[str, ...], code: int, said: str) -> None:
    found = docs.run("add", *arguments)
    assert (found.code, said in found.err) == (code, True), found.err


def test_add_refuses_a_quote_that_is_not_there(docs: Folder) -> None:
    chunk = docs.done("chunks", "list", "--json").json[0]["chunk_id"]
    found = docs.run("add", "-q", "x?", "-a", "y", "-c", chunk, "--quote", "这句话并不在原文里")
    assert found.code == 3
    assert docs.done("cases", "list", "--json").json == []


def test_no_such_file(docs: Folder) -> None:
    assert docs.run("import", "nowhere.jsonl").code == 3


def test_add_by_form(docs: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor's form says why an answer is required; what is written in it becomes the case."""
    script = docs.write(
        "editor.py",
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        "assert '召回' in text, text\n"
        "for heading, line in (('# 问题\\n', '水果能退吗？'), ('# 参考答案\\n', '不能。')):\n"
        "    text = text.replace(heading, heading + '\\n' + line + '\\n', 1)\n"
        "path.write_text(text, encoding='utf-8')\n",
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    filled = fill_form(NewCase(question=""), words("zh"))
    assert (filled.question, filled.ground_truth) == ("水果能退吗？", "不能。")
    case = add(docs.workspace, filled, who="lin")
    assert case.review_state is ReviewState.UNREVIEWED
    monkeypatch.setenv("EDITOR", "true")
    with pytest.raises(InputError, match="No question"):
        fill_form(NewCase(question=""), words("zh"))
