"""Evidence is verbatim, in the named chunk, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.generate.evidence import ground
from builder.generate.items import Item
from builder.generate.prompt import numbered
from builder.model.chunk import Chunk
from builder.model.parts import Glue, Span
from builder.text.passages import assemble
from tests.generate.make import HANDBOOK, WARRANTY, chunk

PAGES = {
    1: "第一页。备件保修 6 个月，自更换之日起计算。页脚 3",
    2: "页眉 有偿维修保修 3 个月。生鲜商品除外。另一条。又一条。末条。",
}


def spanned() -> Chunk:
    """A chunk over two pages, with glue between: as the chunker makes them."""
    parts = (Span(page=1, start=4, end=23), Glue(glue="\n"), Span(page=2, start=3, end=len(PAGES[2])))
    return chunk(assemble(parts, PAGES)).replace(parts=parts)


def item(**fields: object) -> Item:
    return Item(question="q?", answer="a", **fields)  # type: ignore[arg-type]


@given(data=st.data())
def test_every_quote_is_the_assembled_slice_of_its_chunk(data: st.DataObject) -> None:
    source = spanned()
    passage = numbered([source])[0]
    row = data.draw(st.lists(st.integers(-1, len(passage.sentences) + 2), max_size=4))
    start = data.draw(st.integers(0, len(source.text) - 1))
    quote = source.text[start : data.draw(st.integers(start + 1, len(source.text)))]
    quotes = data.draw(st.lists(st.sampled_from([quote, "nowhere to be found", ""]), max_size=2))
    grounding = ground(
        item(numbers=(1,), sentences=(tuple(row),) if row else (), quotes=tuple(quotes)), {1: passage}, {1: source}
    )
    assert grounding.groups
    for group in grounding.groups:
        for evidence in group:
            assert evidence.quote == assemble(evidence.parts, PAGES)
            assert evidence.quote in source.text and source.holds(evidence.reading_id, evidence.parts)


@pytest.mark.parametrize(
    ("row", "quotes"),
    [
        ((1,), ["备件保修 6 个月，自更换之日起计算。"]),
        ((1, 2), ["备件保修 6 个月，自更换之日起计算。\n有偿维修保修 3 个月。"]),
        ((2, 4), ["有偿维修保修 3 个月。生鲜商品除外。另一条。"]),
        ((6, 1), ["备件保修 6 个月，自更换之日起计算。", "末条。"]),
    ],
)
def test_sentence_numbers_become_the_smallest_ranges(row: tuple[int, ...], quotes: list[str]) -> None:
    source = spanned()
    grounding = ground(item(numbers=(1,), sentences=(row,)), {1: numbered([source])[0]}, {1: source})
    assert [group[0].quote for group in grounding.groups] == quotes and grounding.how == "sentences"


def test_quotes_are_looked_for_in_the_named_chunk_only() -> None:
    left, right = chunk(WARRANTY), chunk(HANDBOOK, ordinal=1)
    passages = dict(enumerate(numbered([left, right]), 1))
    chunks = {1: left, 2: right}
    found = ground(item(numbers=(2,), quotes=("claims must be filed  in the portal",)), passages, chunks)
    assert found.how == "folded" and found.groups[0][0].quote == "Claims must be filed in the portal"
    elsewhere = ground(item(numbers=(1,), quotes=("Claims must be filed in the portal",)), passages, chunks)
    assert elsewhere.how == "whole" and elsewhere.groups[0][0].quote == WARRANTY
    assert ground(item(quotes=("Claims must be filed in the portal",)), passages, chunks).groups == ()


def test_several_passages_are_all_needed() -> None:
    left, right = chunk(WARRANTY), chunk(HANDBOOK, ordinal=1)
    found = ground(
        item(numbers=(1, 2), sentences=((1,), (4,))), dict(enumerate(numbered([left, right]), 1)), {1: left, 2: right}
    )
    assert [len(group) for group in found.groups] == [1, 1]
    assert found.groups[1][0].quote == "The probation period is 3 months."


def test_a_sentence_number_that_is_not_there_makes_the_whole_chunk_the_quote() -> None:
    source = chunk()
    found = ground(item(numbers=(1,), sentences=((1, 99),)), {1: numbered([source])[0]}, {1: source})
    assert found.how == "whole" and found.groups[0][0].quote == source.text
