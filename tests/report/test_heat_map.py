"""The page heat map: stands alone, runs nothing, and a document's words stay words."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from builder.ingest.coverage import document_coverage
from builder.model.coverage import CoverageReport, PageShare, Place, Rule, RuleOutcome
from builder.model.document import DocumentMetadata, Page, PageOrigin, Problem
from builder.report.heat_map import heat_map
from builder.words import words
from tests.make import chunk, document, page

HOSTILE = "</script><img src=x onerror=alert(1)>\"' & \u202ecod.exe \x1b[31m"


class Reader(HTMLParser):
    """What a browser would see: elements with their attributes, and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def report() -> CoverageReport:
    of = document(
        "a/</style>.pdf", metadata=DocumentMetadata(title=HOSTILE), problem=Problem(code="truncated"), page_count=5
    )
    pages = [
        page("一段话，两句。"),
        page("没有片段的一页。", 2),
        Page(number=3, origin=PageOrigin.BLANK),
        Page(number=4, origin=PageOrigin.WAITING),
        Page(number=5, origin=PageOrigin.FAILED, extractable=7),
        Page(number=6, origin=PageOrigin.OCR, text="识别", confidence=70),
    ]
    row = document_coverage(of, pages, [chunk(of, "一段话，两句。")])
    where = (Place(doc_id=HOSTILE, page=3, text="<b>"),)
    rules = (Rule(name="negation", outcome=RuleOutcome.FAIL, found=1, where=where),)
    return CoverageReport(totals=row, pages=PageShare(expected=5, covered=1, blank=1), documents=(row,), rules=rules)


@pytest.fixture(params=["zh", "en"])
def html(request: pytest.FixtureRequest) -> str:
    return heat_map(report(), words(request.param))


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


def test_nothing_runs_and_nothing_is_fetched(html: str) -> None:
    found = read(html)
    assert not {"script", "img", "link", "iframe", "object", "a", "form", "svg", "base"} & set(found.tags)
    assert {name for _, name, _ in found.attributes} == {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "title",
    }
    assert "http://" not in html and "https://" not in html and "url(" not in html


def test_the_policy_lets_in_the_one_style_sheet(html: str) -> None:
    policy = next(value for tag, name, value in read(html).attributes if tag == "meta" and "default-src" in value)
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert html.index("Content-Security-Policy") < html.index("<style>")


def test_words_of_a_document_stay_words(html: str) -> None:
    found = read(html)
    assert "</script><img src=x onerror=alert(1)>\"' & \\u202ecod.exe \\x1b[31m" in found.text
    assert "a/</style>.pdf" in found.text
    assert not any(char in html for char in "\u202e\x1b")


def test_a_tile_for_every_page(html: str) -> None:
    tiles = re.findall(r'<li class="([^"]+)" title="([^"]+)">(\d+)</li>', html)
    assert [css for css, _, _ in tiles] == ["l4", "l0", "blank", "waiting", "l0", "l0 ocr"]
    assert [number for _, _, number in tiles] == list("123456")
    assert all(number in title for _, title, number in tiles)


def test_every_class_has_its_style(html: str) -> None:
    used = {name for _, key, value in read(html).attributes if key == "class" for name in value.split()}
    style = html.partition("</style>")[0]
    assert [name for name in used if f".{name}" not in style] == []


def test_the_language() -> None:
    assert '<html lang="zh-CN">' in heat_map(report(), words("zh")) and "页面覆盖" in heat_map(report(), words("zh"))
    assert '<html lang="en">' in heat_map(report(), words("en"))


def test_without_documents() -> None:
    empty = CoverageReport(totals=report().totals.model_copy(update={"lost": 0}), pages=PageShare(), documents=())
    assert "<section" not in heat_map(empty, words("en"))
