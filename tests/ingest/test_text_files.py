"""Plain text in many encodings, and Markdown."""

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.counting import count
from builder.ingest.coverage import page_coverage
from builder.ingest.markdown import MarkdownFile, markdown_page, read_markdown
from builder.ingest.plain import decode, read_plain
from builder.model.chunk import Chunk
from builder.model.document import Page, PageOrigin, Problem
from builder.settings import ChunkSettings

CHINESE = "备件保修 6 个月，自更换之日起计算。\n有偿维修保修 3 个月。\n"
ENGLISH = "Spare parts: 6 months.\nPaid repair: 3 months.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_encodings(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_other_encodings_are_guessed() -> None:
    text = "保固期間為自購買日起二十四個月，期間內發生故障者，本公司免費維修並負擔運費。" * 4
    assert decode(text.encode("big5")) == text


def test_line_ends_are_one() -> None:
    assert decode(b"a\r\nb\rc\n") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "code"), [(b"", "zero_bytes"), (b"\n \n", "no_text"), (b"\x00\x01\x02\xff" * 9, "decode")]
)
def test_what_is_no_text(data: bytes, code: str) -> None:
    assert read_plain(data) == Problem(code=code)


def test_a_text_file_is_one_page() -> None:
    pages = read_plain(CHINESE.encode())
    assert not isinstance(pages, Problem)
    [page] = pages
    assert (page.number, page.origin, page.text, page.extractable) == (1, PageOrigin.TEXT, CHINESE, count(CHINESE))


MARKDOWN = """+++
title = "Policy"
+++
# 售后政策 #

总则在此。
软换行。

退货
----

| 产品 | 保修 |
|:--|--:|
| GTE \\| 3000 | 24 个月 |
| BX |

```
# no heading
```

### 细则
- 一项
- 两项
"""


def chunks(page: Page) -> tuple[Chunk, ...]:
    return chunk_document("d", "r", [page], ChunkSettings())


@pytest.fixture(scope="module")
def policy() -> MarkdownFile:
    found = read_markdown(MARKDOWN.encode())
    assert isinstance(found, MarkdownFile)
    return found


def test_front_matter_is_no_text(policy: MarkdownFile) -> None:
    assert policy.fields == {"title": "Policy"}
    assert policy.page.text == MARKDOWN.split("+++\n")[2]


def test_headings_and_tables_come_from_the_parser(policy: MarkdownFile) -> None:
    assert [(chunk.section, chunk.text) for chunk in chunks(policy.page)] == [
        (("售后政策",), "售后政策\n总则在此。\n软换行。"),
        (("售后政策", "退货"), "退货\n产品：GTE \\| 3000；保修：24 个月\n产品：BX"),
        (("售后政策", "退货"), "```\n# no heading\n```"),
        (("售后政策", "退货", "细则"), "细则\n- 一项\n- 两项"),
    ]


def test_every_character_is_text_or_mark(policy: MarkdownFile) -> None:
    coverage = page_coverage(policy.page, chunks(policy.page))
    assert coverage.closes and coverage.lost == 0
    assert coverage.boilerplate == count("# # ---- | | | |:--|--:| | | | | | ###")


def test_soft_breaks_are_joined() -> None:
    page = markdown_page("The warranty of the unit is twenty-four months\nfrom the day of purchase.\n\nAnother one.")
    [chunk] = chunks(page)
    assert chunk.text == "The warranty of the unit is twenty-four months from the day of purchase.\nAnother one."


def test_broken_front_matter_is_a_problem() -> None:
    found = read_markdown(b"+++\ntitle = \n+++\nBody")
    assert isinstance(found, Problem) and found.code == "front_matter"


@pytest.mark.parametrize(("data", "code"), [(b"", "zero_bytes"), (b"---\na: b\n---\n", "no_text")])
def test_empty_markdown(data: bytes, code: str) -> None:
    assert read_markdown(data) == Problem(code=code)
