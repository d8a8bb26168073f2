"""The check list: drawn the same for the same seed, written so that nothing runs or is cut unseen, read back."""

from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from builder.errors import InputError
from builder.ingest.sample import draw, looks_like_code, wilson
from builder.ingest.sample_sheet import read_sheet, write_sheet
from builder.model.chunk import Chunk, ChunkKind
from builder.model.coverage import Drawn
from builder.model.parts import Span
from builder.words import words
from tests.make import document

CODE = "import os\n\ndef main() -> None:\n    print(os.name)\n"


def chunk(number: int, text: str = "", doc_id: str = "a.pdf", **fields: object) -> Chunk:
    text = text or f"第 {number} 段。" + "字" * number
    known: dict[str, object] = {
        "chunk_id": f"{doc_id}#{number:04d}",
        "doc_id": doc_id,
        "reading_id": "r",
        "text": text,
        "parts": (Span(page=1, start=0, end=len(text)),),
        "pages": (1, 2),
        "section": ("一", "二"),
        "ordinal": number,
    }
    return Chunk(**(known | fields))


DOCUMENTS = {
    "a.pdf": document("a.pdf", media_type="application/pdf"),
    "b.md": document("b.md", media_type="text/markdown"),
}
CHUNKS = (
    *(chunk(n) for n in range(70)),
    *(chunk(n, kind=ChunkKind.TABLE) for n in range(70, 80)),
    *(chunk(n, CODE + "x = 1\n" * n) for n in range(80, 85)),
    *(chunk(n, confidence=50 + n % 10) for n in range(85, 95)),
    *(chunk(n, doc_id="b.md") for n in range(95, 100)),
)


def test_every_stratum_has_its_rows() -> None:
    drawn = draw(CHUNKS, DOCUMENTS, 20)
    names = [one.stratum for one in drawn]
    assert len(drawn) == len({one.chunk.chunk_id for one in drawn}) == 20
    for name in ("longest", "shortest", "table", "code", "weak_ocr"):
        assert names.count(name) == 2, name
    assert names.count("pdf") >= 6 and "markdown" in names and "pdf, OCR" in names
    assert [one.chunk for one in drawn] == [one for one in CHUNKS if one in [d.chunk for d in drawn]], "in order"
    weakest = [one.chunk.confidence for one in drawn if one.stratum == "weak_ocr"]
    assert weakest == [50, 50] or weakest == [50, 51]


def test_the_seed_decides() -> None:
    one, same, other = (draw(CHUNKS, DOCUMENTS, 20, seed) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50, 99, 100, 1000])
def test_as_many_as_asked_or_all(count: int) -> None:
    assert len(draw(CHUNKS, DOCUMENTS, count)) == min(count, len(CHUNKS))


def test_no_chunks_no_rows() -> None:
    assert draw((), {}, 5) == ()


def test_code_is_known_by_its_marks() -> None:
    assert looks_like_code(CODE)
    assert looks_like_code('{\n  "name": "x",\n  "port": 80\n}')
    assert not looks_like_code("自签收之日起七日内可以退货。\n生鲜商品除外。")
    assert not looks_like_code("Refunds are made from the day of delivery.\nClass B goods are excluded.")


def test_the_interval_is_wilsons() -> None:
    """Figures from Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for good, judged, low, high in (
        (81, 263, 25.53, 36.62),
        (15, 148, 6.24, 16.05),
        (0, 20, 0, 16.11),
        (1, 29, 0.61, 17.18),
    ):
        found = wilson(good, judged)
        assert found is not None
        assert found == pytest.approx((low, high), abs=0.01)
    assert wilson(0, 0) is None


# The sheet


def sheet_of(path: Path, *chunks: Chunk, lang: str = "zh") -> Worksheet:
    write_sheet(path, [Drawn(chunk=one, stratum="pdf") for one in chunks], {"a.pdf": "=手册"}, words(lang))
    sheet: Worksheet = openpyxl.load_workbook(path).worksheets[0]
    return sheet


def test_a_formula_is_a_text(tmp_path: Path) -> None:
    hostile = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\tx", "'q", "=cmd|'/c calc'!A0"]
    sheet = sheet_of(tmp_path / "s.xlsx", *(chunk(n, text) for n, text in enumerate(hostile)))
    for row, text in enumerate(hostile, 2):
        cell = sheet.cell(row, 4)
        assert (cell.value, cell.data_type, cell.quotePrefix) == (text, "s", True)
        assert sheet.cell(row, 1).data_type == "s" and sheet.cell(row, 1).quotePrefix
    assert b"<f>" not in zip_text(tmp_path / "s.xlsx")


def zip_text(path: Path) -> bytes:
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        return archive.read("xl/worksheets/sheet1.xml")


def test_controls_are_shown_and_a_long_text_is_not_cut_in_silence(tmp_path: Path) -> None:
    long = "长" * 20_000 + "😀" * 10_000
    sheet = sheet_of(tmp_path / "s.xlsx", chunk(0, "a\x0bb\u202ec_x000D_"), chunk(1, long), lang="en")
    assert sheet["D2"].value == "a\\x0bb\\u202ec_x005F_x000D_"
    shown = str(sheet["D3"].value)
    assert len(shown.encode("utf-16-le")) // 2 <= 32_767
    assert shown.startswith("长" * 20_000 + "😀") and "30000 characters" in shown and "cut here" in shown


def test_what_a_person_sees(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path / "s.xlsx", chunk(3))
    assert [cell.value for cell in sheet[1]][:6] == ["文档", "页码", "章节", "文本", "结论", "备注"]
    assert [cell.value for cell in sheet[2]][:4] == ["=手册\na.pdf", "1, 2", "一 > 二", chunk(3).text]
    assert sheet.column_dimensions["H"].hidden and sheet.column_dimensions["I"].hidden
    rule = sheet.data_validations.dataValidation[0]
    assert (rule.formula1, str(rule.sqref)) == ('"正确,错误,缺失"', "E2")


def test_verdicts_come_back_and_stale_rows_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    chunks = [chunk(n) for n in range(6)]
    sheet_of(path, *chunks)
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    for row, verdict in ((2, "正确"), (3, "OK"), (4, "wrong"), (5, "缺失"), (6, "正确")):
        sheet.cell(row, 5).value = verdict
    sheet.cell(4, 6).value = "少一行"
    sheet.move_range("A7:I7", rows=2)  # a gap, as a person may leave one
    book.save(path)
    now = {one.chunk_id: one for one in chunks} | {"a.pdf#0004": chunk(4, "别的文本")}
    del now["a.pdf#0003"]
    found = read_sheet(path, now)
    assert (found.rows, found.open, found.verdicts) == (6, 1, {"ok": 2, "wrong": 1, "missing": 0})
    assert [(row.row, row.note) for row in found.failures] == [(4, "少一行")]
    assert [row.row for row in found.stale] == [5, 6]
    assert found.ok_percent == pytest.approx(200 / 3) and found.interval == (20.8, 93.9)


def test_a_list_with_verdicts_is_never_overwritten(tmp_path: Path) -> None:
    sheet_of(tmp_path / "s.xlsx", chunk(0))
    before = (tmp_path / "s.xlsx").read_bytes()
    with pytest.raises(InputError, match=r"s\.xlsx"):
        sheet_of(tmp_path / "s.xlsx", chunk(1))
    assert (tmp_path / "s.xlsx").read_bytes() == before


def test_files_that_are_no_check_list(tmp_path: Path) -> None:
    (tmp_path / "text.xlsx").write_text("no spreadsheet")
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    for name in ("text.xlsx", "empty.xlsx", "absent.xlsx"):
        with pytest.raises(InputError, match=name):
            read_sheet(tmp_path / name, {})
    sheet_of(tmp_path / "s.xlsx", chunk(0))
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    book.worksheets[0]["E2"] = "maybe"
    book.save(tmp_path / "s.xlsx")
    with pytest.raises(InputError, match="row 2: no verdict: maybe"):
        read_sheet(tmp_path / "s.xlsx", {})
