"""Sets a sample text as a PDF. The only module that knows reportlab, which carries no types."""
# mypy: disable-error-code="import-untyped"

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Frame, NextPageTemplate, PageTemplate, Paragraph, Table

from .source import Grid, Line, Source
from .wrap import wrap

WENKAI = Path("/usr/share/fonts/truetype/lxgw-wenkai")
FACES = {
    "zh": (WENKAI / "LXGWWenKai-Regular.ttf", WENKAI / "LXGWWenKai-Bold.ttf"),
    "en": (Path("Vera.ttf"), Path("VeraBd.ttf")),  # reportlab brings these two and finds them by name
}
AUTHOR = "云岚电器 Yunlan Appliances"
MARGIN, GUTTER, TOP, BOTTOM = 20 * mm, 8 * mm, 24 * mm, 22 * mm
TITLE_HEIGHT, ROOM, HEADING, PADDING = 26 * mm, 40 * mm, 12 * mm, 13
INK, RULE, SHADE = HexColor("#1F3A5F"), HexColor("#7A8794"), HexColor("#E8EEF4")

CHINESE = tuple(face.stem for face in FACES["zh"])
Styles = dict[str, ParagraphStyle]


def fonts_installed() -> bool:
    """Whether the Chinese font is where Debian's fonts-lxgw-wenkai puts it."""
    return all(face.is_file() for face in FACES["zh"])


def write_pdf(source: Source, path: Path) -> None:
    """Set the document twice: once to count its pages, once with the count in the footer."""
    for face in FACES[source.language]:
        pdfmetrics.registerFont(TTFont(face.stem, str(face)))
    path.parent.mkdir(parents=True, exist_ok=True)
    _set(source, path, pages=_set(source, path, pages=0))


def write_image_pdf(jpeg: bytes, path: Path) -> None:
    """Write a PDF of one A4 page that is nothing but the picture."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1, pageCompression=1)
    canvas.setAuthor(AUTHOR)
    canvas.drawImage(ImageReader(BytesIO(jpeg)), 0, 0, *A4)
    canvas.save()


def _set(source: Source, path: Path, pages: int) -> int:
    draw = partial(_furniture, source=source, pages=pages)
    template = BaseDocTemplate(
        str(path), pagesize=A4, title=source.title, author=AUTHOR, subject=source.subtitle, invariant=1
    )
    template.addPageTemplates(_page_templates(source, draw))
    template.build(_story(source))
    return int(template.page)


def _page_templates(source: Source, draw: Callable[[Canvas, Any], None]) -> list[PageTemplate]:
    """One frame a column; in columns, the title of the first page spans them all."""
    width, height = A4[0] - 2 * MARGIN, A4[1] - TOP - BOTTOM
    column = (width - (source.columns - 1) * GUTTER) / source.columns

    def frame(x: float, y: float, w: float, h: float) -> Frame:
        return Frame(x, y, w, h, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)

    def columns(h: float) -> list[Frame]:
        return [frame(MARGIN + i * (column + GUTTER), BOTTOM, column, h) for i in range(source.columns)]

    later = PageTemplate("later", columns(height), onPage=draw)
    if source.columns == 1:
        return [later]
    title = frame(MARGIN, BOTTOM + height - TITLE_HEIGHT, width, TITLE_HEIGHT)
    return [PageTemplate("first", [title, *columns(height - TITLE_HEIGHT)], onPage=draw), later]


def _furniture(canvas: Canvas, template: Any, *, source: Source, pages: int) -> None:
    """Draw the running header and footer."""
    if not source.header:
        return
    canvas.saveState()
    canvas.setFont(FACES[source.language][0].stem, 8.5)
    canvas.setFillColor(RULE)
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.5)
    canvas.drawString(MARGIN, A4[1] - 15 * mm, source.header)
    canvas.line(MARGIN, A4[1] - 17 * mm, A4[0] - MARGIN, A4[1] - 17 * mm)
    canvas.drawCentredString(A4[0] / 2, 12 * mm, source.footer.format(page=template.page, pages=pages))
    canvas.restoreState()


def _story(source: Source) -> list[Any]:
    styles = _scan_styles() if source.scan else _styles(source)
    story: list[Any] = [NextPageTemplate("later")] if source.columns > 1 else []
    if not source.scan:
        story += [Paragraph(escape(source.title), styles["title"]), Paragraph(escape(source.subtitle), styles["sub"])]
    width = (A4[0] - 2 * MARGIN - (source.columns - 1) * GUTTER) / source.columns
    for index, block in enumerate(source.blocks):
        if isinstance(block, Grid):
            story.append(_table(block, width, styles))
        else:
            story += _line(block, source.blocks[index + 1 :], width, styles)
    return story


def _line(line: Line, following: Sequence[Line | Grid], width: float, styles: Styles) -> list[Any]:
    """Set one line; headings and captions over a table move on with it unless some of its rows fit below them."""
    paragraph = _paragraph(line.text, styles[line.style], width, bullet="•" if line.bullet else None)
    between = sum(1 for _ in takewhile(_over_table, following))
    if not _over_table(line) or not any(isinstance(block, Grid) for block in following[between : between + 1]):
        return [paragraph]
    paragraph.keepWithNext = 0
    return [CondPageBreak(ROOM + between * HEADING), paragraph]


def _over_table(block: Line | Grid) -> bool:
    return isinstance(block, Line) and block.style in ("chapter", "article", "caption")


def _paragraph(text: str, style: ParagraphStyle, width: float, bullet: str | None = None) -> Paragraph:
    """Set a text; where the font is Chinese the lines are broken here, since reportlab cuts words and numbers."""
    if style.fontName not in CHINESE:
        return Paragraph(escape(text), style, bulletText=bullet)
    room = width - style.leftIndent
    measure = partial(pdfmetrics.stringWidth, fontName=style.fontName, fontSize=style.fontSize)
    lines = wrap(text, measure, room - style.firstLineIndent, room)
    return Paragraph("<br/>".join(map(escape, lines)), style, bulletText=bullet)


def _table(grid: Grid, width: float, styles: Styles) -> Table:
    """Set a table whose header comes again on every page that it runs over."""
    widths = [width * percent / 100 for percent in grid.widths]
    cells = [
        [
            _paragraph(cell, styles["cell" if number else "head"], w - PADDING)
            for cell, w in zip(row, widths, strict=True)
        ]
        for number, row in enumerate(grid.rows)
    ]
    commands: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 3),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
    ]
    if grid.ruled:
        commands += [("GRID", (0, 0), (-1, -1), 0.5, RULE), ("BACKGROUND", (0, 0), (-1, 0), SHADE)]
    else:
        commands += [("LINEABOVE", (0, 0), (-1, 0), 1.2, black), ("LINEBELOW", (0, 0), (-1, 0), 0.6, black)]
        commands += [("LINEBELOW", (0, -1), (-1, -1), 1.2, black)]
    return Table(cells, colWidths=widths, repeatRows=1, style=commands, spaceBefore=5, spaceAfter=8)


def _style(name: str, face: Path, size: float, lead: float, *, color: Color = black, **more: Any) -> Any:
    return ParagraphStyle(name, fontName=face.stem, fontSize=size, leading=lead, textColor=color, **more)


def _styles(source: Source) -> Styles:
    regular, bold = FACES[source.language]
    chinese = source.language == "zh"
    size, lead = (11.0, 18.5) if chinese else (9.5, 14.5)
    small = size - 1.0
    first, indent = (2 * size, 2 * size) if chinese else (0, 12)
    styles = [
        _style("title", bold, 19, 26, color=INK, alignment=TA_CENTER, spaceAfter=3),
        _style("sub", regular, 8.5, 13, color=RULE, alignment=TA_CENTER, spaceAfter=10),
        _style("chapter", bold, size + 3.5, lead + 5, color=INK, spaceBefore=10, spaceAfter=3, keepWithNext=1),
        _style("article", bold, size + 0.8, lead + 1, spaceBefore=6, spaceAfter=1, keepWithNext=1),
        _style("body", regular, size, lead, firstLineIndent=first, spaceAfter=4),
        _style("item", regular, size, lead, leftIndent=indent, bulletIndent=indent - size, bulletFontName=regular.stem),
        _style("caption", bold, small, small * 1.5, alignment=TA_CENTER, spaceBefore=3),
        _style("note", regular, small, small * 1.45, color=RULE, spaceAfter=5),
        _style("right", regular, size, lead, alignment=TA_RIGHT, spaceBefore=4),
        _style("head", bold, small, small * 1.35, alignment=TA_CENTER),
        _style("cell", regular, small, small * 1.35),
    ]
    return {style.name: style for style in styles}


def _scan_styles() -> Styles:
    """Larger type and wide leading, as on a notice that is pinned to a wall."""
    regular, bold = FACES["zh"]
    styles = [
        _style("chapter", bold, 19, 30, alignment=TA_CENTER, spaceBefore=12, spaceAfter=16),
        _style("body", regular, 14, 26, firstLineIndent=28, spaceAfter=4),
        _style("right", regular, 14, 26, alignment=TA_RIGHT, spaceBefore=4),
    ]
    return {style.name: style for style in styles}
