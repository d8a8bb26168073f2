"""Passages: assembled from spans and glue, and cut again."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builder.model.parts import Glue, Part, Parts, Span, covers, spans
from builder.text.passages import assemble, slice_parts

PAGES = {1: "整机质保期为 24 个月，自出厂之日起计算。", 2: "备件保修 6 个月；有偿维修保修 3 个月。"}


@st.composite
def span_parts(draw: st.DrawFn) -> Span:
    page = draw(st.sampled_from(sorted(PAGES)))
    start = draw(st.integers(0, len(PAGES[page]) - 1))
    return Span(page=page, start=start, end=draw(st.integers(start + 1, len(PAGES[page]))))


GLUE = st.sampled_from(["", " | ", "：", "\n"]).map(lambda text: Glue(glue=text))
ANY: st.SearchStrategy[Part] = span_parts() | GLUE
PARTS: st.SearchStrategy[Parts] = st.lists(ANY, min_size=1, max_size=6).map(tuple)


def test_assembled_with_glue() -> None:
    parts = (Span(page=1, start=0, end=2), Glue(glue=" | "), Span(page=2, start=0, end=2), Glue(glue=""))
    assert assemble(parts, PAGES) == "整机 | 备件"


@given(PARTS, st.data())
def test_a_slice_of_the_parts_is_a_slice_of_the_text(parts: Parts, data: st.DataObject) -> None:
    text = assemble(parts, PAGES)
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    cut = slice_parts(parts, start, end)
    assert assemble(cut, PAGES) == text[start:end]
    assert covers(parts, cut)
    assert all(part.glue for part in (cut[0], cut[-1]) if isinstance(part, Glue))


@given(PARTS, st.data())
def test_two_slices_join_to_the_whole(parts: Parts, data: st.DataObject) -> None:
    text = assemble(parts, PAGES)
    assume(len(text) > 1)
    at = data.draw(st.integers(1, len(text) - 1))
    assert assemble(slice_parts(parts, 0, at) + slice_parts(parts, at, len(text)), PAGES) == text


@given(span_parts(), span_parts())
def test_empty_glue_within_is_kept(left: Span, right: Span) -> None:
    parts = (left, Glue(glue=""), right)
    length = len(assemble(parts, PAGES))
    assert slice_parts(parts, 0, length) == parts
    assert spans(slice_parts((Glue(glue=""), *parts), 0, length)) == (left, right)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (-1, 1)])
def test_no_such_range(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no such range"):
        slice_parts((Span(page=1, start=0, end=5),), start, end)


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        assemble((Span(page=9, start=0, end=1),), PAGES)


def test_a_span_behind_the_end_of_its_page() -> None:
    with pytest.raises(IndexError, match="page 1 has"):
        assemble((Span(page=1, start=0, end=999),), PAGES)
