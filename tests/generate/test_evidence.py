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
    return Item(**({"question": "q?", "answer": "a"} | fields))  # type: ignore[arg-type]


def grounded(one: Item, *chunks: Chunk) -> tuple[str, list[str]]:
    """How the evidence was found, and its quotes."""
    found = ground(one, dict(enumerate(numbered(chunks), 1)), dict(enumerate(chunks, 1)))
    return found.found, [evidence.quote for group in found.groups for evidence in group]


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
    other = ground(item(numbers=(1,), quotes=("Claims must be filed in the portal",)), passages, chunks)
    assert (other.found, other.groups) == ("misattributed:2", ())
    nowhere = ground(item(numbers=(1,), quotes=("Lifts are never to be used by anyone",)), passages, chunks)
    assert (nowhere.found, nowhere.groups) == ("elsewhere", ())
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
    one = item(numbers=(1,), sentences=((1, 99),), question="备件保修多久？", answer="6 个月。")
    found = ground(one, {1: numbered([source])[0]}, {1: source})
    assert found.how == "whole" and found.groups[0][0].quote == source.text


def test_without_quote_and_numbers_the_whole_chunk_is_the_quote() -> None:
    one = item(numbers=(1,), question="备件保修多久？", answer="6 个月。")
    assert grounded(one, chunk()) == ("whole", [WARRANTY])


@pytest.mark.parametrize(
    "quotes", [("备件的保修期为半年，从换上之日算。",), ("有偿维修保修 3 个月，自维修完成之日起计算。",)]
)
def test_a_wrong_quote_gives_way_to_the_sentence_that_bears_the_answer_out(quotes: tuple[str, ...]) -> None:
    source = chunk("备件保修 6 个月，自更换之日起计算。生鲜商品除外。")
    one = item(numbers=(1,), question="备件保修多久？", answer="备件保修 6 个月。", quotes=quotes)
    assert grounded(one, source) == ("elsewhere", ["备件保修 6 个月，自更换之日起计算。"])
    wrong = item(numbers=(1,), question="备件保修多久？", answer="备件保修 9 个月。", quotes=quotes)
    assert grounded(wrong, source) == ("elsewhere", [])


@pytest.mark.parametrize(
    ("question", "answer", "row", "found", "quotes"),
    [
        ("备件保修多久？", "备件保修 6 个月。", (1,), "sentences", ["备件保修 6 个月，自更换之日起计算。"]),
        (
            "有偿维修保修多久？",
            "有偿维修保修 3 个月。",
            (1,),
            "repaired:1>2",
            ["有偿维修保修 3 个月，自维修完成之日起计算。"],
        ),
        # What is wrong stays with the sentence that was named: the check must see it.
        ("备件保修多久？", "备件保修 3 个月。", (1,), "sentences", ["备件保修 6 个月，自更换之日起计算。"]),
        ("备件保修多久？", "备件保修 5 个月。", (1,), "sentences", ["备件保修 6 个月，自更换之日起计算。"]),
    ],
)
def test_a_wrong_sentence_number_is_repaired(
    question: str, answer: str, row: tuple[int, ...], found: str, quotes: list[str]
) -> None:
    one = item(numbers=(1,), sentences=(row,), question=question, answer=answer)
    assert grounded(one, chunk()) == (found, quotes)


def test_a_sentence_that_is_needed_too_is_added() -> None:
    source = chunk("Refunds take 5 days. They need a receipt. Claims are filed within 30 days.")
    one = item(
        numbers=(1,),
        sentences=((1,),),
        question="How do refunds work?",
        answer="In 5 days; claims are filed within 30 days.",
    )
    assert grounded(one, source)[0] == "repaired:1>1,3"


def test_a_wrong_passage_number_leaves_no_evidence_and_names_the_right_passage() -> None:
    left, right = chunk(WARRANTY), chunk(HANDBOOK, ordinal=1)
    asked = {"question": "How long is the probation period?", "answer": "The probation period is 3 months."}
    assert grounded(item(numbers=(1,), sentences=((4,),), **asked), left, right) == ("misattributed:2", [])
    assert grounded(item(numbers=(2,), sentences=((4,),), **asked), left, right)[0] == "sentences"
    assert grounded(item(numbers=(1,), **asked), left, right) == ("misattributed:2", [])
