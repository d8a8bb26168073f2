"""Office files made for the tests."""

import datetime
import zipfile
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="{type}" Target="{target}"/></Relationships>'
)
_STYLES = (
    f'<w:styles xmlns:w="{_W}">'
    '<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/></w:style></w:styles>'
)


def paragraph(text: str, style: str = "") -> str:
    """A paragraph; style 1 or 2 makes a heading, as a Chinese Word names them."""
    head = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{head}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def table(rows: list[list[str]], merged: tuple[int, int, int] | None = None) -> str:
    """A table; `merged` is a column with the first and last of the rows that one of its cells covers."""
    made = []
    for y, row in enumerate(rows):
        cells = []
        for x, text in enumerate(row):
            joined = ""
            if merged and merged[0] == x and merged[1] <= y <= merged[2]:
                joined = (
                    f"<w:tcPr><w:vMerge{' w:val=' + chr(34) + 'restart' + chr(34) if y == merged[1] else ''}/></w:tcPr>"
                )
            cells.append(f"<w:tc>{joined}{paragraph(text)}</w:tc>")
        made.append(f"<w:tr>{''.join(cells)}</w:tr>")
    return f"<w:tbl>{''.join(made)}</w:tbl>"


def docx(*body: str) -> bytes:
    """A Word file of paragraphs and tables."""
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELS.format(type=f"{_REL}/officeDocument", target="word/document.xml"),
        "word/_rels/document.xml.rels": _RELS.format(type=f"{_REL}/styles", target="styles.xml"),
        "word/styles.xml": _STYLES,
        "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{"".join(body)}</w:body></w:document>',
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    return buffer.getvalue()


def xlsx() -> bytes:
    """A workbook: a table with a title, a merged cell, formats and a formula without a result; questions; nothing."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "费用"
    rows: list[list[Any]] = [
        ["差旅标准（2026 版）", None, None, None],
        ["地区", "上限", "生效", "比例"],
        ["北京", 600, datetime.date(2026, 1, 1), 0.1],
        [None, 1234.5, None, 0.25],
        ["GTE_3000*", "=B3*2", None, None],
    ]
    for row in rows:
        sheet.append(row)
    sheet.merge_cells("A1:D1")
    sheet.merge_cells("A3:A4")
    for place, code in (("D3", "0%"), ("D4", "0%"), ("B4", '#,##0.00"元"')):
        sheet[place].number_format = code
    faq = book.create_sheet("问答")
    faq.append(["问题", "答案", "类别"])
    faq.append(["保修多久？", "24 个月。\n自出厂之日起。", "售后"])
    book.create_sheet("空")
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def pptx() -> bytes:
    """Two slides: a title with paragraphs and notes; a table with a merged cell."""
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "退货政策"
    slide.placeholders[1].text = "自签收之日起 7 日内可以退货。\n生鲜商品除外。"
    slide.notes_slide.notes_text_frame.text = "讲者备注。"
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "期限"
    grid = second.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(2)).table
    for y, row in enumerate([("项目", "期限"), ("保修", "24 个月"), ("", "6 个月")]):
        for x, text in enumerate(row):
            grid.cell(y, x).text = text
    grid.cell(1, 0).merge(grid.cell(2, 0))
    buffer = BytesIO()
    deck.save(buffer)
    return buffer.getvalue()
