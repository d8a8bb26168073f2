"""Whatever a function returns is read as far as it says something."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.logs.answers import Guard
from builder.logs.given import CONTEXTS, FIELDS, Unreadable, fields_of
from builder.model.run import RunRecord

TEXT = "整机保修期为 24 个月。"
ID = "policy.md#0123456789"


@dataclass
class Document:
    """As search libraries have it."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class Node:
    """As an index library has it."""

    node_id: str
    text: str
    metadata: dict[str, Any]

    def get_content(self) -> str:
        return self.text


def record(value: Any, paths: dict[str, str] | None = None) -> RunRecord:
    return RunRecord(case_id="c", **fields_of(value, paths))


def items(value: Any) -> list[tuple[str, str | None, str | None, float | None]]:
    found = record(value).retrieved
    assert found is not None
    return [(one.id, one.text, one.doc_id, one.score) for one in found]


def test_a_text_is_the_answer_as_it_is() -> None:
    assert record(" 24 个月\n").answer == " 24 个月\n"
    assert record(" 24 个月\n").retrieved is None


def test_a_pair_is_answer_and_passages() -> None:
    assert items(("24", [TEXT, ID])) == [("", TEXT, None, None), (ID, None, None, None)]
    assert record(("24", [TEXT])).answer == "24"
    assert items((None, [(Document(TEXT, {"source": "policy.md"}), 0.5)])) == [("", TEXT, "policy.md", 0.5)]
    assert record(("24", TEXT)).context == record(("24", [TEXT])).context


def test_a_list_is_what_was_found() -> None:
    assert items([TEXT]) == [("", TEXT, None, None)]
    assert record([TEXT]).answer is None


def test_an_empty_list_says_that_nothing_was_found() -> None:
    assert record(("资料里没有。", [])).retrieved == ()
    assert record(("资料里没有。", [])).context == ()


def test_a_dictionary_has_fields_under_our_names_or_the_usual_ones() -> None:
    given = {"result": "24", "source_documents": [Document(TEXT, {"id": ID, "doc_id": "policy.md"})]}
    assert (record(given).answer, items(given)) == ("24", [(ID, TEXT, "policy.md", None)])
    ours = record(
        {
            "answer": "24",
            "retrieved": [ID, {"id": "x#1", "score": 2}, "一段 正文。"],
            "citations": [ID, {"id": "x#1", "quote": "24"}],
            "latency_ms": {"retrieval": 12, "note": "fast"},
            "usage": {"prompt_tokens": 7, "completion_tokens": 3},
            "cost": 0.5,
        }
    )
    assert [one.id for one in ours.retrieved or ()] == [ID, "x#1", ""]
    assert ours.context is None, "nobody said what was read"
    assert [one.id for one in ours.citations or ()] == [ID, "x#1"]
    assert ours.latency_ms == {"retrieval": 12.0} and ours.cost == {"total": 0.5}
    assert ours.tokens is not None and (ours.tokens["total"].input, ours.tokens["total"].output) == (7, 3)


def test_a_passage_names_its_document() -> None:
    found = [{"id": "7", "document": "policy.md", "content": TEXT}, {"text": TEXT, "document": {"x": 1}}]
    assert items({"contexts": found}) == [("7", TEXT, "policy.md", None), ("", TEXT, None, None)]


def test_what_is_wrong_in_a_passage_is_left_out_and_the_passage_stays() -> None:
    odd = {"id": "", "text": TEXT, "span": {"start": 5, "end": 2}, "score": "high", "doc_id": ""}
    assert items({"contexts": [odd, {"id": ""}, None, ""]}) == [("", TEXT, None, None)]
    good = record({"retrieved": [{"id": "x", "span": {"start": 2, "end": 5, "page": 1}}]}).retrieved
    assert good is not None and good[0].span is not None and good[0].span.end == 5


def test_an_object_is_read_by_its_attributes() -> None:
    response = SimpleNamespace(
        response="24", source_nodes=[SimpleNamespace(node=Node(ID, TEXT, {"doc_id": "policy.md"}), score=0.7)]
    )
    assert (record(response).answer, items(response)) == ("24", [(ID, TEXT, "policy.md", 0.7)])
    assert record(RunRecord(case_id="x", answer="24", context_text=TEXT)).context_text == TEXT


@pytest.mark.parametrize(
    ("said", "status", "kept"),
    [("answered", "answer", None), ("REFUSED", "refuse", None), ("handoff", "handoff", None), ("odd", None, "odd")],
)
def test_a_status_in_the_words_of_the_system(said: str, status: str | None, kept: str | None) -> None:
    found = record({"answer": "x", "status": said})
    assert found.status == status
    assert (found.model_extra or {}).get("status_said") == kept


def test_paths_lead_inwards() -> None:
    reply = {"data": {"choices": [{"text": "24"}], "hits": [{"id": ID}]}, "answer": "not this"}
    found = record(reply, {"answer": "data.choices.0.text", "retrieved": "data.hits"})
    assert found.answer == "24" and [one.id for one in found.retrieved or ()] == [ID]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (None, None), ("", None), (" ", None), (False, None), (0, None), ([], None), ({}, None),
        ("no index", "no index"), (True, "true"), (504, "504"), ({"code": 7, "message": "no index"}, "no index"),
        ({"message": "", "code": 7}, "7"), ({"x": "y"}, '{"x": "y"}'), (["a"], '["a"]'),
        (ValueError("no index"), "no index"),
    ],
)  # fmt: skip
def test_an_error_is_one_only_where_something_is_said(said: Any, error: str | None) -> None:
    assert record({"answer": "24", "error": said}).error == error


@pytest.mark.parametrize(
    ("given", "name", "arguments"),
    [
        ("refund", "refund", None),
        ({"name": "refund", "args": {"id": 1}, "id": "7", "type": "tool_call"}, "refund", {"id": 1}),
        ({"type": "function", "function": {"name": "refund", "arguments": '{"id": 1}'}}, "refund", '{"id": 1}'),
        ({"tool_name": "refund", "input": "x"}, "refund", "x"),
        (SimpleNamespace(type="function", function=SimpleNamespace(name="refund", arguments="{}")), "refund", "{}"),
        ({"name": "refund", "error": {"message": "no"}, "side_effect": "yes"}, "refund", None),
    ],
)
def test_a_call_of_a_tool_in_the_forms_that_systems_have(given: Any, name: str, arguments: Any) -> None:
    (call,) = record({"answer": "x", "tool_calls": [given]}).tool_calls or ()
    assert (call.name, call.arguments) == (name, arguments)
    assert call.side_effect is None and call.error in (None, "no")


@pytest.mark.parametrize("calls", ["refund", {"name": "refund"}, 1, [{"id": 1}], [None]])
def test_a_call_without_a_name_is_not_passed_over(calls: Any) -> None:
    """Whether a tool with side effects was called must be known."""
    with pytest.raises(Unreadable, match="tool_calls"):
        fields_of({"answer": "x", "tool_calls": calls})


def test_a_passage_of_a_form_that_nobody_knows_keeps_its_place() -> None:
    found = items({"retrieved": [{"uuid": 7, "body": TEXT}, {"id": "b"}, object, None]})
    assert [one[0] for one in found] == ["", "b", ""]
    assert TEXT in str(found[0][1])


def test_ids_and_scores_may_be_numbers_of_any_kind() -> None:
    import numpy as np

    found = [np.int64(7), 1.5, UUID(int=1), {"id": np.int64(8), "score": np.float32(0.5)}, ("x", np.float64(2))]
    assert [(one[0], one[3]) for one in items({"retrieved": found})] == [
        ("7", None), ("1.5", None), ("00000000-0000-0000-0000-000000000001", None), ("8", 0.5), ("x", 2.0),
    ]  # fmt: skip


def test_what_only_names_a_document_is_not_lost() -> None:
    made = record({"answer": "x", "retrieved": [{"document": "a.pdf", "page": 2}], "citations": [{"source": "a.pdf"}]})
    assert [(one.id, one.doc_id) for one in made.retrieved or ()] == [("a.pdf", "a.pdf")]
    assert [(one.id, one.doc_id) for one in made.citations or ()] == [("a.pdf", "a.pdf")]


def test_a_citation_by_its_words_is_one() -> None:
    made = record({"answer": "x", "citations": [TEXT, {"text": TEXT, "doc_id": "policy.md"}]})
    first, second = made.citations or ()
    assert (first.id, first.quote, first.doc_id) == (TEXT, TEXT, None)
    assert (second.quote, second.doc_id) == (TEXT, "policy.md")


def test_a_named_tuple_is_an_object() -> None:
    class Given(NamedTuple):
        answer: str
        retrieved: list[str]
        citations: list[str]

    made = record(Given("24", [ID], [ID]))
    assert made.answer == "24" and (made.citations or ())[0].id == ID


@pytest.mark.parametrize(
    "details",
    [
        {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
        {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}},
        {"input_tokens": 9, "output_tokens": 2, "input_token_details": {"cache_read": 4}},
        {"input": 9, "output": 2, "cached": 4},
    ],
)
def test_cached_tokens_stand_where_endpoints_put_them(details: dict[str, Any]) -> None:
    tokens = (record({"answer": "x", "usage": details}).tokens or {})["total"]
    assert (tokens.input, tokens.cached, tokens.output) == (9, 4, 2)


def test_what_is_beside_the_answer_never_costs_the_answer() -> None:
    made = record({"answer": "24", "ttft_ms": "soon", "filters": "tenant = a", "latency_ms": "x", "cost": True})
    assert (made.answer, made.ttft_ms, made.filters) == ("24", None, {"filter": "tenant = a"})


def test_circles_and_depths_are_refused() -> None:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    deep: dict[str, Any] = {}
    for _ in range(100):
        deep = {"a": deep}
    for filters in (circle, deep, {("a", 1): 2}):
        with pytest.raises(Unreadable):
            fields_of({"answer": "x", "filters": filters})


@pytest.mark.parametrize("value", [{}, {"colour": "blue"}, {"answer": None}, SimpleNamespace(x=1), (), 5, ("a", [], 1)])
def test_what_says_nothing_is_no_answer(value: Any) -> None:
    with pytest.raises(Unreadable):
        fields_of(value)


def test_what_no_file_takes_goes() -> None:
    found = record({"answer": "a\ud800b\0c", "cost": float("nan"), "retrieved": [{"id": "x", "score": float("inf")}]})
    assert found.answer == "a\ufffdbc"
    assert RunRecord.model_validate_json(found.model_dump_json(exclude_defaults=True)) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([*FIELDS, CONTEXTS, "response", "usage", "documents", "references"])


@given(st.dictionaries(NAMES, JSON, max_size=6))
@settings(max_examples=200)
def test_any_reply_is_read_or_refused_and_can_be_written(value: dict[str, Any]) -> None:
    from pydantic import ValidationError

    try:
        values, _ = Guard().clean(fields_of(value))
        made = RunRecord(case_id="c", **values)
    except (Unreadable, ValidationError):
        return
    assert RunRecord.model_validate_json(made.model_dump_json(exclude_defaults=True)) == made
