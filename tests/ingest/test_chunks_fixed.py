"""The fixed-size chunker: windows over the body, nothing lost, nothing twice unless it overlaps."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import InputError
from builder.ingest.chunk import BUILT_IN, GROUP, chunk_document, chunker_version, find_chunker
from builder.ingest.coverage import page_coverage
from builder.ingest.csv_faq import read_csv
from builder.ingest.markdown import markdown_page
from builder.ingest.plain import text_page
from builder.model.chunk import Chunk
from builder.model.document import Page, Problem
from builder.model.parts import spans
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from tests.folder import ROOT
from tests.ingest.test_chunks import PAGES, laid_out

TEXT = "".join(f"第{n}句话在这里说明一件事情。" for n in "甲乙丙丁戊己庚辛壬癸")


def chunks(pages: Sequence[Page], **wanted: object) -> tuple[Chunk, ...]:
    return chunk_document("d", "r", pages, ChunkSettings(name="fixed", **wanted))


@settings(deadline=None, max_examples=120)
@given(
    drawn=PAGES,
    target=st.integers(50, 200),
    maximum=st.integers(100, 300),
    overlap=st.sampled_from([0, 0, 10, 400]),
    border=st.sampled_from(["sentence", "hard"]),
)
def test_reversible_complete_and_within_the_size(
    drawn: list[tuple[str, bool, int]], target: int, maximum: int, overlap: int, border: str
) -> None:
    pages = [
        laid_out(text, number, heading) if box else text_page(text).replace(number=number)
        for number, (text, box, heading) in enumerate(drawn, 1)
    ]
    found = chunks(pages, target=target, maximum=maximum, overlap=overlap, border=border)
    texts = {page.number: page.text for page in pages}
    limit = target if border == "hard" else max(target, maximum)
    assert all(assemble(chunk.parts, texts) == chunk.text and len(chunk.text) <= limit for chunk in found)
    assert all(chunk.text.strip() == chunk.text != "" for chunk in found)
    for page in pages:
        coverage = page_coverage(page, found)
        assert coverage.closes and coverage.lost == 0
    used = Counter((span.page, at) for one in found for span in spans(one.parts) for at in range(span.start, span.end))
    assert overlap or not used or max(used.values()) == 1


def test_hard_windows_have_the_size_to_the_character() -> None:
    found = chunks([text_page(TEXT)], target=50, border="hard")
    assert [chunk.text for chunk in found] == [TEXT[at : at + 50] for at in range(0, len(TEXT), 50)]
    overlapping = chunks([text_page(TEXT)], target=50, overlap=20, border="hard")
    assert all(left.text[-20:] == right.text[:20] for left, right in pairwise(overlapping))


def test_sentences_are_whole() -> None:
    found = chunks([text_page(TEXT)], target=50)
    assert [chunk.text.count("。") for chunk in found] == [3, 3, 3, 1]
    assert all(chunk.text.endswith("。") and chunk.text.startswith("第") for chunk in found)
    overlapping = chunks([text_page(TEXT)], target=50, overlap=20)
    assert all(
        right.text.startswith(left.text[left.text[:-1].rfind("。") + 1 :]) for left, right in pairwise(overlapping)
    )


def test_headings_and_tables_are_text_like_any_other() -> None:
    page = markdown_page("# 政策\n\n一句话。\n\n| 项 | 值 |\n|--|--|\n| 保修 | 24 个月 |\n")
    [chunk] = chunks([page])
    assert (chunk.section, chunk.text) == ((), "政策\n一句话。\n项 | 值\n保修 | 24 个月")


def test_large_documents_in_time_that_grows_with_them() -> None:
    rows = "".join(f"第 {n} 行,值 {n}\n" for n in range(20_000))
    pages = read_csv(f"名称,数值\n{rows}".encode())
    assert not isinstance(pages, Problem)
    found = chunks(pages, target=200)
    assert sum(chunk.text.count("\n") + 1 for chunk in found) == 20_001


def test_built_in_chunkers_are_the_entry_points_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"][GROUP] == BUILT_IN
    for name, value in BUILT_IN.items():
        assert find_chunker(name) is EntryPoint(name=name, value=value, group=GROUP).load()


def test_names_and_versions() -> None:
    assert {chunker_version(name).split("/")[0] for name in BUILT_IN} == set(BUILT_IN)
    with pytest.raises(InputError, match="structure, fixed"):
        chunker_version("nobody")
