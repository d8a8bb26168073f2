"""builder sheet and builder apply over a real store: out, filled, back, and what goes wrong on the way."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from builder.app.apply import ApplyReport, apply_sheet
from builder.app.review import StoreDesk
from builder.app.sheet import SheetReport, make_sheet
from builder.errors import Conflict, InputError, UsageError
from builder.model.case import Case, ReviewState, Source
from builder.model.decision import Action, Decision
from builder.review.sheet.reading import read_sheet
from builder.store import Store
from builder.store.cases import Change, PlannedAct
from builder.words import words
from tests.folder import Folder
from tests.make import case
from tests.review.sheet.make import feedback

ZH = words("zh")
TOML = '[[metadata]]\nmatch = "handbook.md"\nset = {roles = ["hr"]}\n'


@pytest.fixture
def store(docs: Folder) -> Iterator[Store]:
    """Two documents, two complaints, one case to look at."""
    with docs.store() as found:
        cases = (
            feedback("f000000000001", question="生鲜能退吗？"),
            feedback("f000000000002", question="备件保修多久？", rejected_output="3 个月。"),
            case("m000000000003", question="有偿维修保修多久？", ground_truth="3 个月。"),
        )
        found.cases.add(cases, "builder")
        yield found


def sheet(docs: Folder, name: str = "s.xlsx", lang: str = "zh", **more: Any) -> SheetReport:
    return make_sheet(docs.workspace, docs.path / name, words(lang), **more)


def back(docs: Folder, name: str = "s.xlsx", **more: Any) -> ApplyReport:
    return apply_sheet(docs.workspace, docs.path / name, **more)


def fill(path: Path, rows: dict[str, dict[str, str]]) -> None:
    """Write into the rows of cases, as an expert does."""
    book = openpyxl.load_workbook(path)
    for ws in book.worksheets:
        heads = [str(cell.value) for cell in ws[1]]
        if "id" in heads:
            for number in range(2, ws.max_row + 1):
                case_id = str(ws.cell(number, heads.index("id") + 1).value)
                for name, text in rows.get(case_id, {}).items():
                    ws.cell(number, heads.index(ZH(f"sheet.column.{name}")) + 1).value = text
    book.save(path)


def number_of(path: Path, case_id: str, text: str) -> str:
    """The number of the candidate that holds `text`."""
    row = next(row for row in read_sheet(path).rows if row.cells["id"] == case_id)
    return next(str(n) for n in (1, 2, 3) if text in row.cells[f"passage_{n}"])


GOOD = {"answer": "不能，生鲜商品除外。", "verdict": "通过", "facts": "! 生鲜不能退"}


def test_a_sheet_goes_out_and_comes_back(docs: Folder, store: Store) -> None:
    report = sheet(docs, to=("王工",))
    assert report.files[0].reviewer == "王工"
    path = docs.path / "s.xlsx"
    chosen = number_of(path, "f000000000001", "生鲜商品")
    fill(path, {"f000000000001": GOOD | {"chosen": chosen, "note": "见退货一节"}})
    found = back(docs)
    assert (found.applied, found.blank, found.refused, found.rest) == ({"approve": 1}, 2, (), None)
    now = store.cases.get("f000000000001")
    assert (now.review_state, now.ground_truth, now.note) == (ReviewState.APPROVED, GOOD["answer"], "见退货一节")
    assert "生鲜商品" in now.evidence[0].quote and now.checks
    last = store.cases.history(now.case_id)[1:]
    assert {(one.who, one.act) for one in last} == {("王工", last[0].act)}, "one act by the expert"
    assert store.cases.get("m000000000003").review_state is ReviewState.UNREVIEWED


def test_an_applied_row_is_one_step_for_undo_by_that_person(docs: Folder, store: Store) -> None:
    before = store.cases.get("f000000000001")
    sheet(docs, to=("王工",))
    fill(docs.path / "s.xlsx", {before.case_id: GOOD, "f000000000002": GOOD})
    back(docs)
    assert not StoreDesk(docs.workspace, store, who="lin").undo()
    desk = StoreDesk(docs.workspace, store, who="王工")
    assert {*desk.undo(), *desk.undo()} == {before.case_id, "f000000000002"}
    assert store.cases.get(before.case_id).replace(revision=1) == before
    again = back(docs)
    assert [row.code for row in again.refused] == ["taken_back", "taken_back"]
    assert len(desk.redo()) == 1
    assert back(docs).again == 1


def test_the_same_file_twice_is_no_second_act(docs: Folder, store: Store) -> None:
    sheet(docs)
    fill(docs.path / "s.xlsx", {"f000000000001": GOOD})
    assert back(docs, who="lin").applied == {"approve": 1}
    before = store.cases.history("f000000000001")
    for who in ("lin", "wang"):
        found = back(docs, who=who)
        assert (found.applied, found.again, found.refused) == ({}, 1, ())
    assert store.cases.history("f000000000001") == before
    fill(docs.path / "s.xlsx", {"f000000000001": {"answer": "能退。"}})
    (row,) = back(docs).refused
    assert row.code == "stale", "another answer is another decision, on a case that has moved"


def test_every_verdict(docs: Folder, store: Store) -> None:
    store.cases.add([feedback("f000000000004"), feedback("f000000000005")], "builder")
    sheet(docs)
    rows = {
        "f000000000001": {"verdict": "资料中没有"},
        "f000000000002": {"verdict": "系统答得对", "answer": "6 个月。"},
        "f000000000004": {"verdict": "要分情况", "note": "看品类"},
        "f000000000005": {"verdict": "不收录", "note": "不是业务"},
        "m000000000003": {"verdict": "通过"},
    }
    fill(docs.path / "s.xlsx", rows)
    found = back(docs, who="lin")
    assert found.applied == {"approve": 1, "unanswerable": 1, "right": 1, "split": 1, "leave_out": 1}
    now = {case_id: store.cases.get(case_id) for case_id in rows}
    assert not now["f000000000001"].answerable
    assert now["f000000000002"].tags == ("wrong_downvote",)
    assert (now["f000000000004"].review_state, now["f000000000004"].tags) == (
        ReviewState.NEEDS_ANSWER,
        ("needs_split",),
    )
    assert store.cases.history("f000000000005")[-1].reason == "other: 不是业务"
    assert now["m000000000003"].review_state is ReviewState.APPROVED


def test_200_rows_with_3_stale_ones(docs: Folder, store: Store) -> None:
    ids = [f"f{number:012x}" for number in range(16, 216)]
    store.cases.add([feedback(one, question=f"第 {n} 件生鲜能退吗？") for n, one in enumerate(ids)], "builder")
    sheet(docs, where="第")
    lin = StoreDesk(docs.workspace, store, who="lin")
    for one in ids[:3]:
        lin.commit(store.cases.get(one), (Decision(action=Action.EDIT, changes={"note": "改"}),))
    fill(docs.path / "s.xlsx", dict.fromkeys(ids, GOOD))
    found = back(docs, who="王工")
    assert (found.applied, {row.case_id for row in found.refused}) == ({"approve": 197}, set(ids[:3]))
    assert all("第 1 版" in row.detail and "第 2 版，lin 改的" in row.detail for row in found.refused), "both versions"
    assert all(store.cases.get(one).review_state is ReviewState.APPROVED for one in ids[3:])
    assert found.rest == str(docs.path / "s.rest.xlsx")
    rest = openpyxl.load_workbook(found.rest).active
    assert rest is not None and rest.max_row == 4
    assert "导出时是第 1 版，现在是第 2 版" in str(rest["A2"].value)


def test_strict_is_all_or_nothing(docs: Folder, store: Store) -> None:
    sheet(docs)
    fill(docs.path / "s.xlsx", {"f000000000001": GOOD, "f000000000002": {"verdict": "通过"}})
    found = back(docs, who="lin", strict=True)
    assert (found.applied, found.stopped, [row.code for row in found.refused]) == ({}, True, ["no_answer"])
    assert store.cases.get("f000000000001").review_state is ReviewState.NEEDS_ANSWER
    fill(docs.path / "s.xlsx", {"f000000000002": {"answer": "6 个月。"}})
    assert back(docs, who="lin", strict=True).applied == {"approve": 2}
    assert len(StoreDesk(docs.workspace, store, who="lin").undo()) == 1
    states = [store.cases.get(one).review_state for one in ("f000000000001", "f000000000002")]
    assert states.count(ReviewState.APPROVED) == 1, "each row stays a step of its own for undo"


def test_dry_run_writes_nothing(docs: Folder, store: Store) -> None:
    sheet(docs)
    fill(docs.path / "s.xlsx", {"f000000000001": GOOD, "f000000000002": {"verdict": "通过"}})
    found = back(docs, who="lin", dry_run=True)
    assert (found.applied, len(found.refused), found.rest) == ({"approve": 1}, 1, None)
    assert store.cases.get("f000000000001").revision == 1
    assert sorted(path.name for path in docs.path.glob("*.xlsx")) == ["s.xlsx"]


def test_refused_rows_corrected_in_the_rest_are_taken(docs: Folder, store: Store) -> None:
    sheet(docs)
    path = docs.path / "s.xlsx"
    fill(path, {"f000000000001": {"answer": "不能。"}, "f000000000002": {"verdict": "好"}})
    first = back(docs, who="lin")
    assert [row.code for row in first.refused] in (["no_verdict", "unknown_verdict"], ["unknown_verdict", "no_verdict"])
    fill(docs.path / "s.rest.xlsx", {"f000000000001": {"verdict": "通过"}})
    second = back(docs, "s.rest.xlsx", who="lin")
    assert second.applied == {"approve": 1}
    assert second.rest == str(docs.path / "s.rest-2.xlsx"), "what may have been worked on is not overwritten"


def test_rows_that_no_longer_fit_their_case(docs: Folder, store: Store) -> None:
    sheet(docs)
    path = docs.path / "s.xlsx"
    book = openpyxl.load_workbook(path)
    ws = book["题目"]
    ws["B2"] = "另一个问题？"
    ws.append([cell.value for cell in ws[3]])
    ws["L4"] = "通过"
    for row in (3, 5):
        ws.cell(row, 10).value, ws.cell(row, 12).value = "不能。", "通过"
    ws.append(["7", "新问题？"])
    book.save(path)
    found = back(docs, who="lin")
    assert [(row.row, row.code) for row in found.refused] == [(2, "edited"), (3, "twice"), (5, "twice"), (6, "no_id")]
    assert "问题" in found.refused[0].detail and "3, 5" in found.refused[1].detail
    assert found.applied == {"approve": 1}


def test_a_case_of_another_store_is_gone(docs: Folder, store: Store) -> None:
    sheet(docs)
    fill(docs.path / "s.xlsx", {"f000000000001": GOOD})
    (docs.path / "other").mkdir()
    docs.write("other/builder.toml", "")
    from builder.settings import find_workspace

    found = apply_sheet(find_workspace(docs.path / "other"), docs.path / "s.xlsx", who="lin")
    assert ([row.code for row in found.refused], found.blank) == (["gone"], 2)


def test_a_passage_that_was_read_anew(docs: Folder, store: Store) -> None:
    sheet(docs)
    path = docs.path / "s.xlsx"
    fill(path, {"f000000000001": GOOD | {"chosen": number_of(path, "f000000000001", "生鲜商品")}})
    docs.write("docs/policy.md", "# 售后政策\n\n## 退货\n\n自签收之日起 7 日内可以申请无理由退货。\n")
    docs.done("ingest", "docs")
    (row,) = back(docs, who="lin").refused
    assert row.code == "passage_gone"


def test_parts_hold_every_case_once(docs: Folder, store: Store) -> None:
    report = sheet(docs, to=("甲", "乙"))
    assert [Path(file.file).name for file in report.files] == ["s-1.xlsx", "s-2.xlsx"]
    ids = [one for file in report.files for one in file.case_ids]
    assert len(ids) == len(set(ids)) == 3
    for name in ("s-1.xlsx", "s-2.xlsx"):
        fill(docs.path / name, dict.fromkeys(ids, GOOD))
        back(docs, name)
    assert {store.cases.history(one)[-1].who for one in ids} == {"甲", "乙"}
    assert len(sheet(docs, "t.xlsx", parts=9, where="state=any").files) == 3, "no empty file"
    with pytest.raises(UsageError):
        sheet(docs, "u.xlsx", to=("甲", "乙"), parts=3)


def test_filters_and_nothing_to_ask(docs: Folder, store: Store) -> None:
    assert sheet(docs, where="source=manual").files[0].case_ids == ("m000000000003",)
    assert len(sheet(docs, "t.xlsx", limit=1).files[0].case_ids) == 1
    with pytest.raises(InputError):
        sheet(docs, "u.xlsx", where="state=approved")
    assert not (docs.path / "u.xlsx").exists()


def test_restricted_documents_are_named_or_left_out(docs: Folder, store: Store) -> None:
    docs.write("builder.toml", TOML)
    docs.done("ingest", "docs")
    chunk = next(one for one in store.documents.chunks() if one.doc_id == "handbook.md" and "annual leave" in one.text)
    from builder.app.searching import Passages

    evidence = Passages(docs.workspace, store).of_chunk(chunk).evidence
    store.cases.add(
        [
            case("g000000000009", question="How long is annual leave?", evidence_groups=((evidence,),)),
            feedback("f000000000009", question="annual leave in the first year?"),
        ],
        "builder",
    )
    every = sheet(docs, where="annual")
    assert (every.levels, len(every.files[0].case_ids)) == (("role:hr",), 2)
    open_ = sheet(docs, "t.xlsx", where="annual", public=True)
    assert (open_.levels, open_.restricted, open_.files[0].case_ids) == ((), 1, ("f000000000009",))
    text = "".join(
        str(cell.value) for ws in openpyxl.load_workbook(docs.path / "t.xlsx") for line in ws for cell in line
    )
    assert "5 days" not in text


def test_the_commands(docs: Folder, store: Store) -> None:
    made = docs.done("sheet", "-o", "s.csv", "--to", "王工", "--lang", "zh")
    assert "s.csv：3 题，给 王工" in made.out
    path = docs.path / "s.csv"
    heads, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
    for row in rows:
        if row[heads.index("id")] == "f000000000001":
            row[heads.index("标准答案")], row[heads.index("结论")] = "不能。", "通过"
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([heads, *rows])
    path.write_bytes(out.getvalue().encode("gb18030"))
    assert docs.done("apply", "s.csv", "--json").json["applied"] == {"approve": 1}
    assert store.cases.history("f000000000001")[-1].who == "王工"
    docs.done("sheet", "-o", "t.xlsx")
    fill_en = openpyxl.load_workbook(docs.path / "t.xlsx")
    assert fill_en.sheetnames == ["How to fill", "Cases"]
    fill_en["Cases"]["J2"] = "no"
    fill_en.save(docs.path / "t.xlsx")
    failed = docs.run("apply", "t.xlsx", "--reviewer", "lin", "--lang", "zh")
    assert failed.code == 1
    assert "退回 1 行" in failed.out and "t.rest.xlsx" in failed.err
    assert docs.run("apply", "absent.xlsx").code == 3
    assert docs.run("sheet", "-o", "s.ods").code == 2


def test_complaints_come_first(docs: Folder, store: Store) -> None:
    ids = sheet(docs).files[0].case_ids
    assert [store.cases.get(one).source for one in ids] == [Source.FEEDBACK, Source.FEEDBACK, Source.MANUAL]


def test_acts_in_one_transaction(docs: Folder, store: Store) -> None:
    first, second = (store.cases.get(one) for one in ("f000000000001", "f000000000002"))

    def act(of: Case, name: str) -> PlannedAct:
        return PlannedAct(name, "lin", [Change(of, of.replace(note=name), "edit")])

    store.cases.apply_all([act(second, "a")])
    with pytest.raises(Conflict):
        store.cases.apply_all([act(first, "b"), act(second, "c")])
    assert store.cases.get(first.case_id) == first
    assert [one.act for one in store.cases.acts("main", "lin")] == ["a"]
