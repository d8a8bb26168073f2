"""The sheet as a file: out and back, as programs save it, and nothing in it runs."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from builder.errors import InputError, UsageError
from builder.model.access import UserContext
from builder.model.case import Case, Turn
from builder.model.claim import Claim
from builder.review.sheet.columns import FILLED, HIDDEN, columns
from builder.review.sheet.guide import About
from builder.review.sheet.reading import ReadRow, ReadSheet, read_sheet
from builder.review.sheet.rows import row_of
from builder.review.sheet.seal import broken, untouched
from builder.review.sheet.writing import Returned, write_rest, write_sheet
from builder.sheets import csv_rows, csv_text, cut, units
from builder.words import words
from tests.make import case
from tests.review.sheet.make import candidates, feedback, grounded

HOSTILE = ('=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\tx", "'q", "'=1", "=cmd|'/c calc'!A0", "_x000D_")


def written(path: Path, *cases: Case, lang: str = "zh", **about: object) -> Path:
    rows = [row_of(one, candidates(one), number, "王工", words(lang)) for number, one in enumerate(cases, 1)]
    known: dict[str, object] = {"cases": len(rows), "reviewer": "王工"}
    write_sheet(path, rows, About(**(known | about)), words(lang))  # type: ignore[arg-type]
    return path


def table(path: Path) -> Worksheet:
    found: Worksheet = openpyxl.load_workbook(path)[words("zh")("sheet.tab.cases")]
    return found


def places(sheet: Worksheet) -> dict[str, int]:
    names = {words("zh")(f"sheet.column.{name}"): name for name in ("question", *FILLED)} | {n: n for n in HIDDEN}
    heads = [str(cell.value) for cell in sheet[1]]
    return {names[head]: place for place, head in enumerate(heads, 1) if head in names}


def sealed(sheet: ReadSheet) -> bool:
    return all(broken(row.cells) is None and untouched(row.cells) for row in sheet.rows)


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_out_and_back(tmp_path: Path, suffix: str, lang: str) -> None:
    cases = (feedback(conversation=(Turn(role="user", text="你好"),)), grounded(claims=(Claim(text="24"),)))
    found = read_sheet(written(tmp_path / f"s{suffix}", *cases, lang=lang))
    assert found.language == lang
    assert found.columns == columns(3)
    assert [row.cells["id"] for row in found.rows] == [one.case_id for one in cases]
    assert [row.cells["answer"] for row in found.rows] == ["", "24 个月。"]
    assert [row.cells["chosen"] for row in found.rows] == ["", "1+2+3"]
    assert {row.cells["reviewer"] for row in found.rows} == {"王工"}
    assert sealed(found)


def test_what_an_expert_sees(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback(), part=1, parts=2, levels=("role:hr",))
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["填写说明", "题目"]
    guide = "\n".join(str(cell.value) for line in book["填写说明"].iter_rows() for cell in line if cell.value)
    for said in ("王工", "1 题（第 1 份，共 2 份）", "role:hr", "为什么一定要写标准答案", "系统答得对", "! 进水不在"):
        assert said in guide
    sheet = book["题目"]
    heads = {get_column_letter(place): str(cell.value) for place, cell in enumerate(sheet[1], 1)}
    shown = [head for letter, head in heads.items() if not sheet.column_dimensions[letter].hidden]
    assert shown == [
        *("编号", "问题", "用户留言", "系统当时的回答", "候选片段 1", "候选片段 2", "候选片段 3"),
        *("选用片段", "标准答案", "关键事实", "结论", "说明"),
    ], "the keys are hidden, and what no case has"
    rules = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert rules == {"I2": '"1,2,3,1+2,1+3,2+3,1+2+3,都不是"', "L2": '"通过,资料中没有,系统答得对,要分情况,不收录"'}
    assert (sheet.freeze_panes, sheet.protection.sheet, sheet.protection.password) == ("C2", True, None)
    assert [sheet.cell(2, place).protection.locked for place in (2, 6, 9, 10)] == [True, True, False, False]
    assert sheet.page_setup.orientation == "landscape" and sheet.print_title_rows == "$1:$1"
    assert str(sheet["F2"].value).startswith("policy.md  第 1 页\n")


def test_who_asks_and_when_stand_with_the_conversation(tmp_path: Path) -> None:
    one = case(user_context=UserContext(region="华东"), as_of="2026-03-01")
    sheet = table(written(tmp_path / "s.xlsx", one))
    assert sheet["C2"].value == "华东 · 提问日 2026-03-01"


def test_more_evidence_than_columns(tmp_path: Path) -> None:
    quote = grounded().evidence
    one = grounded(evidence_groups=tuple((piece,) for piece in (*quote, quote[0].model_copy(update={"doc_id": "x"}))))
    found = read_sheet(written(tmp_path / "s.xlsx", one, feedback()))
    assert found.columns == columns(4)
    assert found.rows[0].cells["chosen"] == "1+2+3+4" and sealed(found)


# Nothing runs


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_a_formula_is_a_text_both_ways(tmp_path: Path, suffix: str) -> None:
    cases = [feedback(f"f{number:012d}", question=text) for number, text in enumerate(HOSTILE)]
    answers = [case(f"m{number:012d}", ground_truth=text) for number, text in enumerate(HOSTILE)]
    path = written(tmp_path / f"s{suffix}", *cases, *answers)
    found = read_sheet(path)
    assert sealed(found)
    assert [row.cells["question"] for row in found.rows[: len(HOSTILE)]] == list(HOSTILE)
    assert [row.cells["answer"] for row in found.rows[len(HOSTILE) :]] == list(HOSTILE)
    if suffix == ".xlsx":
        with ZipFile(path) as archive:
            assert all(b"<f>" not in archive.read(name) for name in archive.namelist() if "sheet" in name)
        cells = [table(path).cell(row, 2) for row in range(2, 6)]
        assert all(cell.data_type == "s" and cell.quotePrefix for cell in cells)
    else:
        raw = path.read_text(encoding="utf-8-sig")
        assert "\n2,'+1," in raw.replace("\r", "")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))), min_size=2)))
def test_csv_gives_back_every_text(rows: list[list[str]]) -> None:
    from builder.text.screen import inert

    assert list(csv_rows(csv_text([["a", "b"], *rows])))[1:] == [[inert(text) for text in row] for row in rows]


def filled(path: Path, row: int = 2, **values: object) -> ReadRow:
    """The row after a person wrote into it, and a program saved it."""
    book = openpyxl.load_workbook(path)
    sheet = book["题目"]
    for name, value in values.items():
        sheet.cell(row, places(sheet)[name]).value = value  # type: ignore[assignment]
    book.save(path)
    return read_sheet(path).rows[row - 2]


def test_what_people_type_is_read_as_text(tmp_path: Path) -> None:
    row = filled(
        written(tmp_path / "s.xlsx", feedback()),
        chosen=1,
        answer='=HYPERLINK("http://x","24")',
        facts=24.5,
        note=datetime(2026, 1, 3),
        verdict=True,
    )
    typed = [row.cells[name] for name in FILLED]
    assert typed == ["1", '=HYPERLINK("http://x","24")', "24.5", "TRUE", "2026-01-03"]
    assert broken(row.cells) is None and not untouched(row.cells)


# As programs save it


def test_columns_in_any_order_strangers_and_empty_rows(tmp_path: Path) -> None:
    sheet = table(written(tmp_path / "s.xlsx", feedback(), grounded()))
    lines = [[cell.value for cell in line] for line in sheet.iter_rows()]
    book = openpyxl.Workbook()
    book.active.title = "Sheet1"  # type: ignore[union-attr]
    other = book.create_sheet("Tabelle2")
    other.append(["给王工的表", None])
    for number, line in enumerate(lines):
        other.append(["我的列" if number == 0 else "x", *reversed(line)])
    for _ in range(3):
        other.append([None, "  "])
    book.save(tmp_path / "t.xlsx")
    found = read_sheet(tmp_path / "t.xlsx")
    assert [row.cells["id"] for row in found.rows] == [feedback().case_id, case().case_id]
    assert [row.place for row in found.rows] == [3, 4]
    assert sealed(found)


def test_a_locked_cell_that_was_edited_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback())
    assert broken(filled(path, question="生鲜能退么？").cells) == "question"
    assert broken(filled(path, question="“生鲜能退吗？” ".strip("“” ")).cells) is None
    assert broken(filled(path, question="生鲜 能退吗?\r\n").cells) is None, "width and white space do not count"
    assert broken(filled(path, revision="7").cells) == "id"
    assert broken(filled(path, checksum="x").cells) == "checksum"


def test_a_deleted_column_of_passages_is_not_missed(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback())
    book = openpyxl.load_workbook(path)
    book["题目"].delete_cols(8)
    book["题目"].delete_cols(4)
    book.save(path)
    assert sealed(read_sheet(path))


def test_cells_merged_over_rows_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback(), grounded(), case("m000000000002"))
    book = openpyxl.load_workbook(path)
    book["题目"].merge_cells("J2:J3")
    book["题目"].merge_cells("B3:B4")
    book["题目"].merge_cells("J4:K4")
    book.save(path)
    assert [row.merged for row in read_sheet(path).rows] == [True, True, False]


@pytest.mark.parametrize(
    ("encoding", "sign"), [("utf-8-sig", ","), ("utf-8", ";"), ("gb18030", ","), ("utf-16", "\t"), ("gb18030", ";")]
)
def test_csv_as_excel_saves_it(tmp_path: Path, encoding: str, sign: str) -> None:
    import csv
    import io

    path = written(tmp_path / "s.csv", feedback(), grounded())
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    out = io.StringIO()
    csv.writer(out, delimiter=sign).writerows([*rows, [""] * len(rows[0]), []])
    path.write_bytes(out.getvalue().encode(encoding))
    found = read_sheet(path)
    assert sealed(found) and len(found.rows) == 2


def test_files_that_are_no_sheet(tmp_path: Path) -> None:
    (tmp_path / "text.xlsx").write_text("no spreadsheet")
    with ZipFile(tmp_path / "zip.xlsx", "w") as archive:
        archive.writestr("[Content_Types].xml", "<broken")
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    (tmp_path / "list.csv").write_text("问题,标准答案\na,b\n", encoding="utf-8")
    for name in ("text.xlsx", "zip.xlsx", "empty.xlsx", "list.csv", "absent.csv"):
        with pytest.raises(InputError, match=name):
            read_sheet(tmp_path / name)
    with pytest.raises(UsageError):
        read_sheet(tmp_path / "sheet.ods")


def test_a_sheet_is_never_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback())
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"s\.xlsx"):
        written(path, grounded())
    assert path.read_bytes() == before


# Long texts


def test_nothing_long_is_cut_in_silence(tmp_path: Path) -> None:
    long = "长" * 30_000 + "😀" * 30_000 + "_x000D_" * 3
    path = written(tmp_path / "s.xlsx", feedback(rejected_output=long), feedback("f000000000002"))
    book = openpyxl.load_workbook(path)
    shown = str(book["题目"]["E2"].value)
    assert units(shown) <= 32_767 and shown.startswith("长" * 30_000) and "60021 字" in shown and "“全文”" in shown
    found = read_sheet(path)
    assert sealed(found)
    assert {(number, column) for number, column, _ in found.long} == {("1", "系统当时的回答")}
    assert "".join(text for _, _, text in found.long) == long
    with pytest.raises(InputError, match="xlsx"):
        written(tmp_path / "s.csv", feedback(rejected_output=long))
    assert not (tmp_path / "s.csv").exists()


@given(st.text(alphabet="a长😀_x000D"), st.integers(0, 40))
def test_cut_is_the_longest_beginning_that_fits(text: str, room: int) -> None:
    kept = cut(text, room)
    assert text.startswith(kept) and units(kept) <= room
    assert kept == text or units(text[: len(kept) + 1]) > room


def test_refused_rows_are_a_sheet_again(tmp_path: Path) -> None:
    path = written(tmp_path / "s.xlsx", feedback(rejected_output="长" * 40_000), grounded())
    sheet = read_sheet(path)
    returned = [Returned(cells=dict(row.cells) | {"answer": "=1+1"}, reason="缺结论") for row in sheet.rows]
    write_rest(tmp_path / "r.xlsx", returned, sheet.columns, sheet.long, words("zh"))
    assert table(tmp_path / "r.xlsx")["A2"].value == "缺结论"
    again = read_sheet(tmp_path / "r.xlsx")
    assert [row.cells["answer"] for row in again.rows] == ["=1+1", "=1+1"]
    assert all(broken(row.cells) is None and not untouched(row.cells) for row in again.rows)
    assert again.long == sheet.long


# LibreOffice


def soffice() -> str:
    """The program, as it is found or named."""
    found = os.environ.get("BUILDER_SOFFICE") or shutil.which("soffice")
    if found is None:
        pytest.skip("LibreOffice (soffice) is not installed; BUILDER_SOFFICE may name it")
    return found


def resaved(path: Path, kind: str, folder: Path) -> Path:
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command: Sequence[str] = (
        soffice(),
        profile,
        "--headless",
        "--convert-to",
        kind,
        "--outdir",
        str(folder),
        str(path),
    )
    subprocess.run(command, check=True, capture_output=True, timeout=200)
    return folder / path.with_suffix("." + kind.partition(":")[0]).name


def test_libreoffice_keeps_the_drop_downs_and_the_texts(tmp_path: Path) -> None:
    soffice()
    cases = [feedback(f"f{number:012d}", question=text) for number, text in enumerate(HOSTILE)]
    path = written(tmp_path / "s.xlsx", *cases, grounded(), case("m000000000002", ground_truth="=1+1"))
    saved = resaved(path, "xlsx", tmp_path / "out")
    found = read_sheet(saved)
    assert sealed(found)
    assert [row.cells["question"] for row in found.rows[: len(HOSTILE) - 1]] == list(HOSTILE[:-1])
    assert found.rows[-1].cells["answer"] == "=1+1"
    sheet = table(saved)
    rules = {rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert '"通过,资料中没有,系统答得对,要分情况,不收录"' in rules
    assert any("都不是" in str(formula) for formula in rules)
    assert all(cell.data_type != "f" for line in sheet.iter_rows() for cell in line)
    assert sheet.column_dimensions["M"].hidden or sheet.column_dimensions["N"].hidden
