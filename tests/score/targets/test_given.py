"""Whatever a function returns is read as far as it says something."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.logs.answers import Guard
from builder.logs.given import Unreadable, fields_of
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
NAMES = st.sampled_from(
    ["answer", "retrieved", "context", "contexts", "citations", "status", "latency_ms", "cost", "tokens", "tool_calls"]
)


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
