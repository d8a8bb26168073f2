"""PDF files made for the tests."""

import zlib
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Table, TableStyle

FONTS = Path("/usr/share/fonts/truetype")
CHINESE = (FONTS / "wqy" / "wqy-zenhei.ttc", FONTS / "lxgw-wenkai" / "LXGWWenKai-Regular.ttf")
SHARED = Path(__file__).parents[2].parent / "shared"


def chinese_file() -> Path:
    """A Chinese TrueType font; the test is skipped where there is none."""
    found = next((path for path in CHINESE if path.is_file()), None)
    if found is None:
        pytest.skip("no Chinese TrueType font: apt-get install fonts-wqy-zenhei")
    return found


@cache
def _registered(path: Path) -> str:
    pdfmetrics.registerFont(TTFont("Chinese", str(path), subfontIndex=0))
    return "Chinese"


def chinese() -> str:
    """The name of a Chinese font for reportlab."""
    return _registered(chinese_file())


Line = tuple[float, float, str]
"""Left and distance from the top in points, and what is written there."""


def lines_pdf(pages: Sequence[Sequence[Line]], font: str = "Helvetica", size: float = 11) -> bytes:
    """Pages of lines at given places."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for page in pages:
        canvas.setFont(font, size)
        for left, top, text in page:
            canvas.drawString(left, A4[1] - top, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def turned_pdf(data: bytes, degrees: int) -> bytes:
    """The same pages, shown turned."""
    document = pdfium.PdfDocument(data)
    buffer = BytesIO()
    for page in document:
        page.set_rotation(degrees)
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def prose_pdf(pages: Sequence[Sequence[str]], font: str = "Helvetica", left: float = 60) -> bytes:
    """Pages of text lines, one below the other."""
    return lines_pdf([[(left, 100 + 16 * n, text) for n, text in enumerate(page)] for page in pages], font)


def table_pdf(
    rows: Sequence[Sequence[str]], font: str = "Helvetica", style: Sequence[Any] = (), repeat: int = 1
) -> bytes:
    """A ruled table, over as many pages as it needs, its header repeated."""
    buffer = BytesIO()
    table = Table([list(row) for row in rows], repeatRows=repeat)
    rules = [("GRID", (0, 0), (-1, -1), 0.7, "black"), ("FONTNAME", (0, 0), (-1, -1), font)]
    table.setStyle(TableStyle([*rules, *style]))
    SimpleDocTemplate(buffer, pagesize=A4).build([table])
    return buffer.getvalue()


def text_image(lines: Sequence[str], font: Path, size: tuple[int, int] = (1654, 2339)) -> Image.Image:
    """A white page at 200 dpi with black lines."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    letters = ImageFont.truetype(str(font), 36)
    for number, line in enumerate(lines):
        draw.text((180, 220 + 70 * number), line, font=letters, fill=0)
    return image


def scan_pdf(image: Image.Image, header: str = "") -> bytes:
    """A page that is an image, perhaps with a digital header over it."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    canvas.drawImage(ImageReader(image), 0, 0, A4[0], A4[1])
    if header:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(40, A4[1] - 20, header)
    canvas.save()
    return buffer.getvalue()


def locked_pdf() -> bytes:
    """A PDF that asks for a password."""
    buffer = BytesIO()
    canvas = Canvas(buffer, encrypt="secret")
    canvas.drawString(100, 700, "locked")
    canvas.save()
    return buffer.getvalue()


def raw_pdf(objects: Sequence[bytes]) -> bytes:
    """A PDF of numbered objects; the first is the catalog."""
    data = b"%PDF-1.5\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    rows = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    total = len(objects) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (total, rows)
    return data + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (total, start)


def zero_pages_pdf() -> bytes:
    """A PDF without pages."""
    return raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])


def _one_page(content: bytes, filters: bytes = b"", resources: bytes = b"<< >>", *more: bytes) -> bytes:
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources " + resources + b" >>",
            b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters, content),
            *more,
        ]
    )


def form_loop_pdf() -> bytes:
    """A form that draws itself."""
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Length 4 >>"
    return _one_page(b"/F Do", b"", b"<< /XObject << /F 5 0 R >> >>", form + b"\nstream\n/F Do\nendstream")


def bomb_pdf(mib: int) -> bytes:
    """A few kilobytes that unpack to `mib` MiB of page content."""
    packer = zlib.compressobj(9)
    block = b"q Q " * (256 * 1024)
    once = b"".join(packer.compress(block) for _ in range(mib)) + packer.flush()
    return _one_page(zlib.compress(once), b"/Filter [/FlateDecode /FlateDecode]")


def huge_page_pdf() -> bytes:
    """A page of 2,000,000 points."""
    data = lines_pdf([[(60, 100, "small text on a huge page")]])
    return data.replace(b"/MediaBox [ 0 0 595.2756 841.8898 ]", b"/MediaBox [ 0 0 2000000 2000000 ]")
