"""Small inputs that broke other generators: of each reply exactly its complete items, and numbers never guessed."""

import pytest

from builder.generate.items import Dropped, Item, passage_numbers, read_item
from builder.llm.client import read_completion
from builder.llm.failures import CallFailed, Reason
from builder.llm.reply import read_items

GOOD = '{"question":"Q4","ground_truth":"a","source_index":1}'
FENCED = '```json\n[{"question":"q","ground_truth":"run ```ls```, then ]}","source_index":1}]\n```'


def kept(text: str, finished: bool = True) -> tuple[list[str], list[str]]:
    """Answers of the complete items, and why others were dropped."""
    items = [read_item(value, [1, 2, 3], "en") for value in read_items(text, finished).items]
    return (
        [item.answer for item in items if isinstance(item, Item)],
        [item.reason for item in items if isinstance(item, Dropped)],
    )


@pytest.mark.parametrize(
    ("text", "answers", "drops"),
    [
        (
            '{"items":[{"question":"Q1"},{"question":"","answer":"x"},{"question":"Q2","answer":42},'
            f'{{"question":"Q3","answer":null,"source_index":1}},{GOOD}]}}',
            ["42", "a"],
            ["no_answer", "no_question", "no_answer"],
        ),
        (f"[{GOOD},{GOOD},{GOOD[:-9]}", ["a", "a"], []),
        (f'{{"items":[{GOOD},{GOOD},{{"question":"Q3","ground_truth":"The refund window is 30 da', ["a", "a"], []),
        (GOOD, ["a"], []),
        (FENCED, ["run ```ls```, then ]}"], []),
        (f'<think>draft: {{"question":"d","ground_truth":"d"}}</think>{GOOD}', ["a"], []),
        (f'{{"items":[{GOOD},]}}', ["a"], []),
        (f"{GOOD}{GOOD}", ["a", "a"], []),
        ("42", [], []),
        ("", [], []),
        ('{"question":"q","answer":["7 days","14 days"]}', ["7 days; 14 days"], []),
        ('{"question":"q","answer":12.50}', ["12.50"], []),
        ('{"question":"q","answer":true}', ["yes"], []),
        ('{"question":"q","answer":"x","source_index":"c_00', [], []),
        ('{"question":"q","answer":"x","source_index":12', [], []),
    ],
)
def test_exactly_the_complete_items_are_kept(text: str, answers: list[str], drops: list[str]) -> None:
    assert kept(text) == (answers, drops)


@pytest.mark.parametrize("text", [f'{{"items":[{GOOD},{GOOD},{GOOD}]}}', f"{GOOD}\n{GOOD}\n{GOOD}"])
def test_a_reply_cut_for_its_length_keeps_its_complete_items_only(text: str) -> None:
    whole = [text[: end + 1].count(GOOD) for end in range(len(text))]
    assert [len(kept(text[: end + 1], finished=False)[0]) for end in range(len(text))] == whole


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        ("2", (2,)),
        ("#2", (2,)),
        ("[2]", (2,)),
        ("２", (2,)),
        ("片段2", (2,)),
        ("chunk 2", (2,)),
        (2, (2,)),
        ("2.0", (2,)),
        ("1,3", (1, 3)),
        ([1, 3], (1, 3)),
        ([1, 1], (1,)),
        (0, ()),
        (-1, ()),
        (99, ()),
        ([1, 99], ()),
        ("the second one", ()),
        (None, ()),
        (True, ()),
    ],
)
def test_source_numbers_are_looked_up_and_never_guessed(value: object, numbers: tuple[int, ...]) -> None:
    assert passage_numbers(value, frozenset({1, 2, 3})) == numbers


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"choices": []}, Reason.NO_CHOICES),
        ({"choices": None}, Reason.NO_CHOICES),
        ({"choices": [{"message": None}]}, Reason.NO_CHOICES),
        ({"error": {"message": "overloaded"}}, Reason.NO_CHOICES),
        ([], Reason.NO_CHOICES),
        ({"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}, Reason.BLANK),
        ({"choices": [{"message": {"content": "  \n "}, "finish_reason": "stop"}]}, Reason.BLANK),
        ({"choices": [{"message": {"content": None, "reasoning_content": "Let me see."}}]}, Reason.BLANK),
    ],
)
def test_bodies_without_a_reply(body: object, reason: Reason) -> None:
    with pytest.raises(CallFailed) as failed:
        read_completion(body)
    assert failed.value.reason is reason and failed.value.transient


def test_content_that_lies_elsewhere() -> None:
    thought = {"choices": [{"message": {"content": None, "reasoning_content": GOOD}}]}
    parts = {"choices": [{"message": {"content": [{"type": "text", "text": GOOD}]}}]}
    assert read_completion(thought).text == read_completion(parts).text == GOOD
