"""The first look: script, languages, lines and columns of a page."""

import pytest
from PIL import Image, ImageDraw
from PIL.Image import Image as Picture

from builder.ingest.ocr import tesseract
from builder.ingest.ocr.engine import OcrLine, OcrPage
from builder.ingest.ocr.profile import SAMPLE, one_column, sample_lines
from builder.ingest.ocr.script import Script, languages_for, narrow_codes, script_of, sure_texts, wide_codes
from builder.ingest.ocr.turning import turned
from tests.ingest import pdfs

SIZE = (1654, 2339)


def page(*columns: tuple[int, int], short: bool = False) -> Picture:
    """Bars for lines: each column from left to right, 30 lines; every third is short where asked."""
    image = Image.new("L", SIZE, 250)
    draw = ImageDraw.Draw(image)
    for left, right in columns:
        for number in range(30):
            end = left + (right - left) // 3 if short and number % 3 == 0 else right
            draw.rectangle((left, 200 + 60 * number, end, 230 + 60 * number), fill=20)
    return image


def test_columns() -> None:
    assert one_column(page((180, 1480)))
    assert one_column(page((180, 1480), short=True))
    assert one_column(Image.new("L", SIZE, 255))
    assert not one_column(page((180, 780), (880, 1480)))
    assert not one_column(page((180, 780), (880, 1480)).rotate(2, fillcolor=250))
    assert not one_column(page((180, 500), (620, 1000), (1100, 1480), short=True))


def test_a_few_lines_stand_for_the_page() -> None:
    sheet = sample_lines(page((180, 1480)))
    assert sheet.width == SIZE[0] and SAMPLE * 30 < sheet.height < SAMPLE * 70
    bands = sample_lines(turned(page((180, 1480)), 90))
    assert 0 < bands.height < SIZE[0]
    assert sample_lines(Image.new("L", (40, 10), 255)).height > 0


def test_languages_by_script() -> None:
    assert (wide_codes("chi_sim+eng+jpn"), narrow_codes("chi_sim+eng+jpn")) == ("chi_sim+jpn", "eng")
    assert languages_for(Script.WIDE, "chi_sim+eng") == "chi_sim"
    assert languages_for(Script.NARROW, "chi_sim+eng+deu") == "eng+deu"
    assert languages_for(Script.UNKNOWN, "chi_sim+eng") == "chi_sim+eng"
    assert languages_for(Script.WIDE, "deu") == "deu"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("保修期为 24 个月", Script.WIDE),
        ("The warranty of GTE-3000 (热水器) is 24 months", Script.WIDE),
        ("The warranty of GTE-3000 is 24 months, of every part but the filter 值", Script.NARROW),
        ("24.5 %", Script.UNKNOWN),
    ],
)
def test_script(text: str, script: Script) -> None:
    assert script_of([text]) is script


def test_only_sure_lines_tell() -> None:
    lines = [OcrLine(text=text, box=(0, 0, 1, 1), height=1, confidences=(c, c)) for text, c in (("a", 90), ("人", 30))]
    assert sure_texts(OcrPage(lines=tuple(lines)), 75) == ("a",)


ENGLISH = tuple(f"{n}. The warranty of the water heater GTE-3000 is 24 months from purchase." for n in range(1, 15))
CHINESE = ("本办法适用于公司全体员工及劳务派遣人员。", "各服务网点应在二十四小时内答复用户。")


@pytest.fixture
def reader() -> tesseract.Tesseract:
    """Tesseract with both languages."""
    if not tesseract.available("chi_sim+eng"):
        pytest.skip("tesseract with chi_sim and eng is not installed")
    return tesseract.Tesseract()


def image(lines: tuple[str, ...]) -> Picture:
    picture = pdfs.text_image(lines, pdfs.chinese_file())
    picture.info["dpi"] = (200.0, 200.0)
    return picture


@pytest.mark.parametrize("degrees", [0, 180, 270])
def test_script_and_direction(reader: tesseract.Tesseract, degrees: int) -> None:
    look = reader.look(turned(image(ENGLISH + CHINESE * 3), degrees), "chi_sim+eng")
    assert (look.script, look.degrees) == (Script.WIDE, (360 - degrees) % 360)
    assert reader.look(image(ENGLISH), "chi_sim+eng").script is Script.NARROW


def test_chinese_lines_that_the_look_missed(reader: tesseract.Tesseract) -> None:
    """Two Chinese lines among fourteen others, beside those that the look takes: weak lines are looked at again."""
    mixed = image((ENGLISH[0], CHINESE[0], *ENGLISH[1:7], CHINESE[1], *ENGLISH[7:]))
    assert reader.look(mixed, "chi_sim+eng").script is Script.NARROW
    read = reader.read(mixed, "chi_sim+eng")
    text = "\n".join(line.text for line in read.lines)
    assert CHINESE[0][:12] in text and CHINESE[1][:12] in text
    assert read.engine.endswith(" chi_sim")
