"""The same facts as Markdown: tables that stay tables, and nobody's words become markup."""

import re

import pytest
from markdown_it import MarkdownIt

from builder.report.score_markdown import plain, score_markdown
from builder.words import words
from tests.report.browser import Reader
from tests.report.facts import HOSTILE, bare, facts


@pytest.fixture(params=["zh", "en"])
def markdown(request: pytest.FixtureRequest) -> str:
    return score_markdown(facts(), words(request.param))


def test_nobody_s_words_become_markup(markdown: str) -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    found = Reader(html)
    assert not {"script", "img", "a", "b", "code"} & set(found.tags)
    assert "</script><img src=x onerror=alert(1)>" in found.text


def test_tables_are_tables(markdown: str) -> None:
    html = MarkdownIt("commonmark").enable("table").render(markdown)
    rows = [len(re.findall("<t[hd]", row)) for row in re.findall("<tr>(.*?)</tr>", html, re.DOTALL)]
    assert len(rows) > 25
    assert set(rows) <= {4, 5, 6}
    assert "\n\n\n" not in markdown


def test_the_facts_are_there(markdown: str) -> None:
    for told in ("0.74 (n = 40 · 0.59–0.86)", "m000000000001 m000000000002", "tenant:a", "top\\_k = 5"):
        assert told in markdown


@pytest.mark.parametrize(
    ("language", "told"), [("en", "**Not judged: no gates.**"), ("zh", "**未作判定：没有门禁。**")]
)
def test_without_gates(language: str, told: str) -> None:
    markdown = score_markdown(bare(), words(language))
    assert told in markdown
    assert "\n\n\n" not in markdown


@pytest.mark.parametrize("text", ["a|b", "*x*", "_y_", "[a](b)", "`c`", "<i>", "# h", "a\nb", HOSTILE])
def test_plain_text_is_shown_as_it_is(text: str) -> None:
    rendered = Reader(MarkdownIt("commonmark", {"html": True}).render(plain(text)))
    assert rendered.tags == ["p"]
    shown = " ".join(text.replace("\u202e", "\\u202e").replace("\x1b", "\\x1b").split())
    assert rendered.text.strip() == shown
