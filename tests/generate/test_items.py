"""One value becomes an item or is dropped by reason; numbers are looked up and never guessed."""

from typing import Any

import pytest

from builder.generate.items import Dropped, Item, as_text, passage_numbers, read_item, sentence_numbers

SENT = frozenset({1, 2, 3})

UNDERSTOOD: list[tuple[Any, tuple[int, ...]]] = [
    (2, (2,)),
    ("2", (2,)),
    ("2.0", (2,)),  # 2.0 in JSON: decimals stay as they are written
    ("[2]", (2,)),
    ("【2】", (2,)),
    ("片段2", (2,)),
    ("片段 2", (2,)),
    ("[片段2]", (2,)),
    ("第2段", (2,)),
    ("Passage 2", (2,)),
    ("[Passage 2]", (2,)),
    ("chunk 2", (2,)),
    ("#2", (2,)),
    ("２", (2,)),
    ([1, 3], (1, 3)),
    (["片段1", "3"], (1, 3)),
    ([1, 1], (1,)),
    ("1,3", (1, 3)),
    ("1、3", (1, 3)),
    ("１，３", (1, 3)),
    ("[1, 3]", (1, 3)),
    ("1 and 3", (1, 3)),
]
UNKNOWN: list[Any] = [
    *(0, -1, 4, 99, "0", "-1", "99", "2.5", "1-3", "two", "policy.pdf", "", None, True, False, [], {}, [[]], [1, 99]),
    *("1,x", ["1", None], {"a": 1}, "2024 年版", "片段", "the second", "12345678901234567890", [True]),
]


@pytest.mark.parametrize(("value", "numbers"), UNDERSTOOD, ids=[str(row[0]) for row in UNDERSTOOD])
def test_passage_numbers_that_are_understood(value: Any, numbers: tuple[int, ...]) -> None:
    assert passage_numbers(value, SENT) == numbers


@pytest.mark.parametrize("value", UNKNOWN, ids=str)
def test_passage_numbers_that_are_unknown(value: Any) -> None:
    assert passage_numbers(value, SENT) == ()


def test_a_number_that_was_not_sent_is_not_guessed_where_only_one_was_sent() -> None:
    for value in (None, 2, "x"):
        item = read_item({"question": "q?", "ground_truth": "a", "source_index": value}, [1])
        assert isinstance(item, Item) and item.numbers == ()


@pytest.mark.parametrize(
    ("value", "passages", "rows"),
    [
        ([1, 2], 1, ((1, 2),)),
        (3, 1, ((3,),)),
        ("1,2", 1, ((1, 2),)),
        ({"1": [2]}, 1, ((2,),)),
        ([[1], [2, 3]], 2, ((1,), (2, 3))),
        ({"1": [1], "2": [2]}, 2, ((1,), (2,))),
        ([1, 2], 2, ()),  # which passage does each belong to?
        ([[1], []], 2, ()),
        ("all", 1, ()),
        ([1], 0, ()),
    ],
)
def test_sentence_numbers(value: Any, passages: int, rows: tuple[tuple[int, ...], ...]) -> None:
    assert sentence_numbers(value, passages) == rows


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (42, "not_an_object"),
        (None, "not_an_object"),
        (["q", "a"], "not_an_object"),
        ({}, "no_question"),
        ({"question": "", "answer": "x"}, "no_question"),
        ({"question": "  ", "answer": "x"}, "no_question"),
        ({"question": None, "answer": "x"}, "no_question"),
        ({"question": "q?"}, "no_answer"),
        ({"question": "q?", "answer": None}, "no_answer"),
        ({"question": "q?", "answer": []}, "no_answer"),
        ({"question": "q?", "answer": "", "answerable": True}, "no_answer"),
    ],
)
def test_half_items_are_dropped_by_reason(value: Any, reason: str) -> None:
    assert read_item(value, SENT) == Dropped(reason)


@pytest.mark.parametrize(
    "value",
    [
        {"question": "q?", "ground_truth": "a", "source_index": 1, "sentences": [1], "quote": "x"},
        {"Question": " q? ", "Answer": " a ", "Source": "[1]", "Sentence": "1", "evidence": ["x"]},
        {"问题": "q?", "参考答案": "a", "片段": "片段1", "句": [1], "引文": "x"},
        {"q": "q?", "a": "a", "source_index": "1", "sentences": "1", "quotes": "x"},
    ],
)
def test_field_names_that_are_understood(value: Any) -> None:
    assert read_item(value, SENT) == Item(question="q?", answer="a", numbers=(1,), sentences=((1,),), quotes=("x",))


def test_unanswerable_items_need_no_answer() -> None:
    for word in (False, "false", "否"):
        item = read_item({"question": "q?", "answerable": word}, SENT)
        assert isinstance(item, Item) and not item.answerable


@pytest.mark.parametrize(
    ("value", "language", "text"),
    [
        (42, "en", "42"),
        (0, "en", "0"),
        (True, "zh", "是"),
        (False, "en", "no"),
        (["a", 2, None], "zh", "a；2"),
        ({"月": 6}, "zh", "月：6"),
        ({"a": ["b", "c"]}, "en", "a: b; c"),
    ],
)
def test_values_are_written_out(value: Any, language: str, text: str) -> None:
    assert as_text(value, language) == text


def test_claims_of_the_model_are_read() -> None:
    item = read_item({"question": "q?", "answer": "a", "claims": ["x", {"text": "y"}, {"text": ""}]}, SENT)
    assert isinstance(item, Item) and item.claims == ("x", "y")
