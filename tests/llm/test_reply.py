"""Items out of replies: what is complete is kept, what is cut never appears."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from builder.llm.reply import read_items

A = {"question": "Q1?", "ground_truth": "A1", "source_index": 1}
B = {"question": "Q2?", "ground_truth": "A2", "source_index": 2}
J_A, J_B = json.dumps(A), json.dumps(B)
RAW = Path(__file__).parents[3] / "shared" / "llm"

READ: list[tuple[str, str, list[object]]] = [
    ("wrapped", f'{{"items":[{J_A},{J_B}]}}', [A, B]),
    ("wrapped by another name", f'{{"qa_pairs": [{J_A}, {J_B}]}}', [A, B]),
    ("wrapped beside other fields", f'{{"count": 2, "note": "x", "cases": [{J_A},{J_B}], "ok": true}}', [A, B]),
    ("bare list", f"[{J_A},\n{J_B}]", [A, B]),
    ("one object", J_A, [A]),
    ("two objects", f"{J_A}\n\n{J_B}", [A, B]),
    ("two objects with a comma", f"{J_A},{J_B}", [A, B]),
    ("list of wrappers", f'[{{"items":[{J_A}]}},{{"items":[{J_B}]}}]', [A, B]),
    ("wrapper in a wrapper", f'{{"data":{{"items":[{J_A}]}}}}', [A]),
    ("wrapper in a wrapper beside other fields", f'{{"n":1,"data":{{"qa_pairs":[{J_A},{J_B}]}},"ok":true}}', [A, B]),
    (
        "an object in an item",
        '{"question":"q?","ground_truth":{"a":1},"meta":{"x":{}}}',
        [{"question": "q?", "ground_truth": {"a": 1}, "meta": {"x": {}}}],
    ),
    ("numbered objects", f'{{"1":{J_A},"2":{J_B}}}', [A, B]),
    ("fence", f"```json\n[{J_A}]\n```", [A]),
    ("fence and prose", f"Here are 2 [two] items {{as asked}}:\n```\n[{J_A},{J_B}]\n```\nDone [1].", [A, B]),
    ("trailing full stop", f'{{"items":[{J_A}]}}.', [A]),
    ("trailing comma", f'{{"items":[{J_A},{J_B},]}}', [A, B]),
    ("thoughts", f"<think>{J_B}</think>{J_A}", [A]),
    ("thoughts, opened in the prompt", f"maybe {J_B}\n</think>\n\n[{J_A}]", [A]),
    ("thoughts without end", f"<think>{J_A}", []),
    ("mixed list keeps places", f'["x", {J_A}, null, 7, {J_B}]', ["x", A, None, 7, B]),
    (
        "raw line break in a string",
        '[{"question":"a\nb?","ground_truth":"c"}]',
        [{"question": "a\nb?", "ground_truth": "c"}],
    ),
    (
        "fence within an answer",
        '{"question":"q?","ground_truth":"```x```"}',
        [{"question": "q?", "ground_truth": "```x```"}],
    ),
    ("decimals stay", '{"question":"q?","ground_truth":12.50}', [{"question": "q?", "ground_truth": "12.50"}]),
    ("single quotes", "[{'question':'q?','ground_truth':'a'}]", [{"question": "q?", "ground_truth": "a"}]),
    ("comma before the brace", '[{"question":"q?","ground_truth":"a",}]', [{"question": "q?", "ground_truth": "a"}]),
    ("one of two is broken", f'[{{"question": oops oops :: ]]}}, {J_A}]', []),
    (
        "full-width signs",
        "｛“items”：［｛“question”：“q？”，“ground_truth”：“a，b”｝］｝",
        [{"question": "q？", "ground_truth": "a，b"}],
    ),
    (
        "full-width colon and comma",
        '{"question"："q？"，"ground_truth"："a：b，c"}',
        [{"question": "q？", "ground_truth": "a：b，c"}],
    ),
    (
        "quotation marks in quotation marks",
        "{“question”：“q”，“ground_truth”：“他说“好”，走了”}",
        [{"question": "q", "ground_truth": "他说“好”，走了"}],
    ),
    (
        "one plain, one full-width",
        f'[{J_A},{{“question”：“c”，“ground_truth”：“d"e”}}]',
        [A, {"question": "c", "ground_truth": 'd"e'}],
    ),
    ("empty list, full-width", "｛“items”：［］｝", []),
    (
        "full-width text in plain JSON",
        '{"question":"“甲”：乙，丙？","ground_truth":"［1］，｛2｝"}',
        [{"question": "“甲”：乙，丙？", "ground_truth": "［1］，｛2｝"}],
    ),
    ("thinking", f"<thinking>{J_B}</thinking>{J_A}", [A]),
    ("number", "42", []),
    ("empty", "", []),
    ("empty list", '{"items":[]}', []),
    ("prose", "I am sorry, but I cannot do this.", []),
    ("list of texts", '["a","b"]', []),
    ("deep nesting", "[" * 100_000, []),
    ("full stop of brackets", "[[[]]]{}", []),
]


@pytest.mark.parametrize(("text", "items"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_shapes(text: str, items: list[object]) -> None:
    read = read_items(text, finished=True)
    assert list(read.items) == items
    assert (read.note in ("unreadable", "empty")) == (not items)


@pytest.mark.parametrize("item", [{"question": "他说“好”，为何？", "ground_truth": '七天，"生鲜"除外：见【三】'}])
def test_cut_anywhere_full_width_json_gives_only_complete_items(item: dict[str, str]) -> None:
    wide = "，".join(f"“{key}”：“{value}”" for key, value in item.items())
    text = f"好的：｛“items”：［｛{wide}｝，｛{wide}｝］｝"
    assert read_items(text, finished=True).items == (item, item)
    for end in range(len(text)):
        for finished in (False, True):
            assert all(found == item for found in read_items(text[:end], finished=finished).items)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('{"items":[]}', "empty"),
        ("[]", "empty"),
        ('```json\n{"items": []}\n```', "empty"),
        ("｛“items”：［］｝", "empty"),
        ("[1]", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_an_empty_list_is_no_unreadable_reply(text: str, note: str) -> None:
    assert read_items(text, finished=True).note == note


def test_claims_of_a_cut_item_are_no_items() -> None:
    cut = f'{{"items":[{J_A},{{"question":"c?","claims":[{{"text":"x"}},{{"te'
    assert read_items(cut, finished=False).items == (A,)
    assert read_items('{"claims":[{"text":"x"},{"te', finished=False).items == ()


def test_a_cut_reply_says_so() -> None:
    assert read_items(f'{{"items":[{J_A},{J_B[:-3]}', finished=False).cut
    assert not read_items(f'{{"items":[{J_A}]}}', finished=True).cut


def test_repair_is_not_tried_on_a_reply_that_does_not_balance() -> None:
    cut = '[{"question":"q?","ground_truth":"The refund window is 30 da'
    assert read_items(cut, finished=True).items == ()
    assert read_items("[{'question':'q?','ground_truth':'x}y'}]", finished=True).items in (
        (),
        ({"question": "q?", "ground_truth": "x}y"},),
    )


TEXT = st.text(st.sampled_from("aé保修12 \"\\\n{}[],:`'<>/think。“”：，｛｝"), max_size=12)
ITEM = st.fixed_dictionaries(
    {"question": TEXT, "ground_truth": TEXT | st.integers() | st.lists(TEXT, max_size=2)},
    optional={
        "source_index": st.integers(0, 9) | TEXT,
        "claims": st.lists(st.fixed_dictionaries({"text": TEXT}), max_size=2),
    },
)
WRAPS = st.sampled_from(
    [
        "%s",
        '{"items":%s}',
        '{"n":1,"data":{"items":%s}}',
        '{"n":1,"cases":%s,"end":[]}',
        "```json\n%s\n```",
        "<think>no</think>\n%s.",
        "Sure: %s",
    ]
)


@settings(max_examples=60, deadline=None)
@example(items=[], wrap='{"n":1,"cases":%s,"end":[]}', spaces=None, lines=False)
@example(
    items=[{"question": '{"question":"x"}', "ground_truth": ["[", "{"]}] * 2, wrap="Sure: %s", spaces=1, lines=False
)
@given(items=st.lists(ITEM, max_size=3), wrap=WRAPS, spaces=st.sampled_from([None, 1]), lines=st.booleans())
def test_cut_anywhere_a_reply_gives_only_complete_items(
    items: list[dict[str, Any]], wrap: str, spaces: int | None, lines: bool
) -> None:
    body = "\n".join(map(json.dumps, items)) if lines else json.dumps(items, ensure_ascii=False, indent=spaces)
    text = wrap.replace("%s", body) if not lines else body
    whole = read_items(text, finished=True).items
    if "</think>" not in body and "<think>" not in body:
        assert list(whole) == items
    for end in range(len(text)):
        for finished in (False, True):
            read = read_items(text[:end], finished=finished).items
            assert all(item in items for item in read if isinstance(item, dict) and item.get("question"))


RAW_FILES = sorted(RAW.glob("*__*.json")) if RAW.is_dir() else []


def _stands_closed_in(text: str, item: object) -> bool:
    """Every text of the item stands in the reply with its closing quote."""
    values = item.values() if isinstance(item, dict) else [item]
    return all(json.dumps(value, ensure_ascii=False) in text for value in values if isinstance(value, str))


@pytest.mark.skipif(not RAW_FILES, reason="raw replies of small models are not on this machine (../shared/llm)")
@pytest.mark.parametrize("file", RAW_FILES, ids=lambda file: file.stem)
def test_raw_replies_of_small_models(file: Path) -> None:
    """All strictly valid replies give all their items; a cut one never gives more than its complete ones."""
    for record in json.loads(file.read_text(encoding="utf-8"))["records"]:
        text, finished = record["content"], record["finish"] == "stop"
        read = read_items(text, finished=finished)
        try:
            value = json.loads(text)
        except ValueError:
            assert finished or all(_stands_closed_in(text, item) for item in read.items)
            continue
        listed = value["items"] if isinstance(value, dict) and "items" in value else value
        assert list(read.items) == (listed if isinstance(listed, list) else [listed])


COMPLETE: dict[str, list[int]] = {
    "gemma3-270m-base__en__single__free": [0, 2, 2, 0, 0, 0, 2, 0, 0, 0],  # the form of the prompt, repeated
    "gemma3-270m-base__en__single__schema": [0, 0, 0, 0, 0, 1, 0, 1, 0, 1],
    "qwen2.5-coder-0.5b__en__batch__schema": [10],
    "qwen2.5-coder-0.5b__en__five__schema": [5, 5],
    "qwen2.5-coder-0.5b__en__single__free": [7, 1, 1, 1, 1, 1, 1, 1, 1, 1],  # eight objects, the last one cut
    "qwen2.5-coder-0.5b__en__single__schema": [1] * 10,
    "qwen2.5-coder-0.5b__zh__single__free": [1, 2, 1, 2, 1, 1, 1, 2, 2, 1],
    "qwen2.5-coder-0.5b__zh__single__schema": [1] * 10,
    "qwen2.5-coder-1.5b__en__single__free": [3, 3, 1, 2, 3, 3, 4, 3, 2, 4],  # 1 and 9 are cut in their last item
    "qwen2.5-coder-1.5b__en__single__schema": [1] * 10,
    "qwen2.5-coder-1.5b__zh__five__schema": [5, 5],
    "qwen2.5-coder-1.5b__zh__single__free": [1, 1, 1, 3, 1, 1, 1, 1, 1, 1],
    "qwen2.5-coder-1.5b__zh__single__schema": [1] * 10,
    "smollm2-135m__en__single__free": [0, 0, 0, 2, 0, 0, 0, 0, 0, 0],  # lists in lists, cut in the third
    "smollm2-135m__en__single__schema": [1] * 10,
    "smollm2-135m__zh__single__free": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    "smollm2-135m__zh__single__schema": [0, 1, 0, 1, 0, 0, 1, 0, 0, 1],
}
"""Complete items a reply, counted before this reader saw them: valid JSON by json.loads, all others by eye."""


@pytest.mark.skipif(not RAW_FILES, reason="raw replies of small models are not on this machine (../shared/llm)")
def test_of_real_replies_exactly_the_complete_items_are_kept() -> None:
    found = {
        file.stem: [
            len(read_items(record["content"], record["finish"] == "stop").items)
            for record in json.loads(file.read_text(encoding="utf-8"))["records"]
        ]
        for file in RAW_FILES
    }
    assert found == {stem: counts for stem, counts in COMPLETE.items() if stem in found}
    assert set(found) <= set(COMPLETE)
