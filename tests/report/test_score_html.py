"""The report of a scored run: stands alone, runs nothing, and nobody's words become elements."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from builder.report.score_html import score_html
from builder.words import words
from tests.report.browser import Reader, needs_chromium, requests_in, seen_by_chromium
from tests.report.facts import bare, facts

SHOWN = "</script><img src=x onerror=alert(1)>\"' & \\u202ecod.exe \\x1b[31m | `x` [a](http://evil.example) <b>"


@pytest.fixture(params=["zh", "en"])
def html(request: pytest.FixtureRequest) -> str:
    return score_html(facts(), words(request.param))


def test_nothing_runs_and_nothing_is_fetched(html: str) -> None:
    found = Reader(html)
    assert found.open == []
    allowed = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "span", "b", "ul", "li"}
    allowed |= {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "dl", "dt", "dd"}
    allowed |= {"svg", "rect", "line", "circle", "polyline", "polygon", "text"}
    assert set(found.tags) <= allowed
    names = {name for _, name, _ in found.attributes}
    assert not any(name.startswith("on") for name in names)
    assert not {"href", "src", "style", "action", "xlink:href", "srcset"} & names
    assert "url(" not in html


def test_the_policy_lets_in_the_one_style_sheet(html: str) -> None:
    policy = next(value for tag, name, value in Reader(html).attributes if tag == "meta" and "default-src" in value)
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_words_from_outside_stay_words(html: str) -> None:
    found = Reader(html)
    assert found.text.count(SHOWN) > 20
    assert not any(char in html for char in "\u202e\x1b")
    assert len(re.findall("<img|<b>", html)) == len(re.findall("<b>", html)) == 5, "the five headline figures"


def test_every_class_has_its_style(html: str) -> None:
    style = html.partition("</style>")[0]
    assert [name for name in Reader(html).classes if not re.search(rf"\.{re.escape(name)}\b", style)] == []


def test_the_facts_are_there(html: str) -> None:
    text = Reader(html).text
    for told in (
        "group_recall@5",
        "0.74",
        "0.59–0.86",
        "m000000000001",
        "top_k = 5",
        "what else was found",
        "tenant:a",
    ):
        assert told in text
    assert html.count("<svg") == 5
    assert html.count('class="case"') == 2


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("Do not release, because:", "promises nothing about production", "run high", "too few", "Blind spots")),
        ("zh", ("不可发布，原因：", "不代表线上效果", "分数偏高", "样本太少", "盲区")),
    ],
)
def test_the_fixed_sentences(language: str, told: tuple[str, ...]) -> None:
    text = Reader(score_html(facts(), words(language))).text
    assert [sentence for sentence in told if sentence not in text] == []


@pytest.mark.parametrize(("language", "told"), [("en", "Not judged: no gates."), ("zh", "未作判定")])
def test_without_gates_nothing_is_said_about_a_release(language: str, told: str) -> None:
    html = score_html(bare(), words(language))
    found = Reader(html)
    assert told in found.text
    assert found.open == []
    assert "<svg" not in html and 'class="case"' not in html
    assert not any(word in found.text for word in ("Do not release", "不可发布", "Gates", "门禁</h2>"))


@needs_chromium
def test_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(score_html(facts(), words("en")), encoding="utf-8")
    dom, log, shot = seen_by_chromium(path, tmp_path)
    found = Reader(dom)
    assert not {"script", "img", "a"} & set(found.tags)
    assert dom.count("<svg") == 5
    assert SHOWN in found.text
    assert [line for line in log.splitlines() if "CONSOLE" in line] == []
    assert requests_in(tmp_path / "net.json") == set()
    assert _colours(shot) > 20, "charts are drawn in their colours"


@needs_chromium
def test_the_browser_would_tell(tmp_path: Path) -> None:
    """The same look at a page that does what ours may not: it sees the error and the request."""
    path = tmp_path / "bad.html"
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    path.write_text(f"{policy}<script>1</script><img src='http://127.0.0.1:9/a.png'>", encoding="utf-8")
    _, log, _ = seen_by_chromium(path, tmp_path)
    assert "CONSOLE" in log
    path.write_text("<img src='http://127.0.0.1:9/a.png'>", encoding="utf-8")
    seen_by_chromium(path, tmp_path)
    assert requests_in(tmp_path / "net.json") == {"http://127.0.0.1:9/a.png"}


def _colours(shot: Path) -> int:
    from PIL import Image

    with Image.open(shot) as image:
        found = image.convert("RGB").getcolors(maxcolors=1 << 24)
    assert found is not None
    return sum(count > 100 for count, _ in found)
