"""Citations: as told, or from the marks of an answer."""

from typing import Any

import pytest

from builder.model.case import Status
from builder.score.markers import markers, without_markers
from builder.score.records import Value
from builder.score.refusals import status_of
from tests import make
from tests.score import small
from tests.score.test_matching import CASE, CORPUS, GOLD, NEW_CHUNK

GOLD_ID = NEW_CHUNK.chunk_id


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Within 30 days [1].", [((0,), ())]),
        ("Both [1, 2] and [3-5].", [((0, 1), ()), ((2, 3, 4), ())]),
        ("x [1][2].", [((0,), ()), ((1,), ())]),
        ("See [S1] and [Source 2].", [((0,), ()), ((1,), ())]),
        ("ok【1†source】", [((0,), ("source",))]),
        ("ok【4:0†manual.pdf】", [((0,), ("manual.pdf",))]),
        ("a [^1] b\n[^1]: note", [((0,), ())]),
        ('a <cite id="k3"/> b', [((), ("k3",))]),
        ("a <cite>2</cite>", [((1,), ())]),
        ("a [citation:1] b", [((0,), ())]),
        ("a ##0$$ ##12$$", [((0,), ()), ((12,), ())]),
        ("a [ID:0][ID:3]", [((0,), ()), ((3,), ())]),
        ("[65f1c0ffee65f1c0ffee65f1](CITE)", [((), ("65f1c0ffee65f1c0ffee65f1",))]),
        ("[doc2]", [((1,), ())]),
        ("see [1](https://x.example/a)", [((0,), ())]),
        ("质保 24 个月（来源：售后政策 第3页）。", [((), ("售后政策 第3页",))]),
        ("Yes (Source: policy.md).", [((), ("policy.md",))]),
        ("需要13A保险丝[1]。", [((0,), ())]),
        ("全角［１］", [((0,), ())]),
        ("<co: 0,2>warm</co: 0,2>", [((0, 2), ())]),
        ("arr[0] = 5; `x[1]`", []),
        ("- [x] task [ ] other", []),
        ("in [2024] sales", []),
        ("[1]: https://x.example", []),
        ("![1](a.png)", []),
        ("[1-900] pages", [((0, 899), ())]),
    ],
)
def test_marks(answer: str, expected: list[tuple[tuple[int, ...], tuple[str, ...]]]) -> None:
    assert [(mark.places, mark.names) for mark in markers(answer)] == expected


def test_marks_are_no_numbers() -> None:
    assert without_markers("24 个月[1]。见 [2]") == "24 个月。见 "


def values(record: dict[str, Any], **fields: Any) -> dict[str, Value]:
    return small.one(CORPUS, CASE.replace(**fields), record)


def test_marks_count_the_passages_in_the_prompt() -> None:
    found = values({"answer": f"{GOLD}[2]", "context": ["old.md#00000000bb", GOLD_ID]})
    assert found["citation_coverage"].number == found["citation_group_recall"].number == 1.0
    assert found["citation_gold_precision"].number == found["sentence_citation_share"].number == 1.0


def test_a_mark_beyond_the_passages_dangles() -> None:
    found = values({"answer": f"{GOLD}[7]", "context": [GOLD_ID]})
    assert (found["citation_dangling"].number, found["citation_id_validity"].number) == (1.0, 0.0)
    untold = values({"answer": f"{GOLD}[7]"})
    assert untold["citation_dangling"] == untold["citation_id_validity"] == Value(None, "not_told")


def test_a_mark_that_names_the_document() -> None:
    found = values({"answer": "不适用（来源：售后政策 第1页）。", "retrieved": ["other.md#1"]})
    assert (found["citation_dangling"].number, found["citation_not_retrieved"].number) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ([GOLD_ID], {"citation_id_validity": 1.0, "citation_not_retrieved": 0.0, "citation_gold_precision": 1.0}),
        (["made-up"], {"citation_id_validity": 0.0, "citation_dangling": 1.0, "citation_gold_precision": 0.0}),
        (["old.md#00000000bb"], {"citation_not_retrieved": 1.0, "citation_wrong_version": 1.0}),
        ([GOLD_ID, "other.md#1"], {"citation_gold_precision": 0.5, "citation_group_recall": 1.0}),
        (["chunk-17"], {"citation_id_validity": 1.0, "citation_dangling": 0.0}),
    ],
)
def test_citations_as_told(cited: list[str], expected: dict[str, float]) -> None:
    found = values({"answer": GOLD, "context": [GOLD_ID, "chunk-17"], "citations": cited})
    assert {name: found[name].number for name in expected} == expected


def test_required_citations() -> None:
    required = (make.evidence(NEW_CHUNK, GOLD), make.evidence(NEW_CHUNK, "运费由公司承担。"))
    other = small.quote(CORPUS, "old.md#00000000bb")
    record = {"answer": GOLD, "citations": [GOLD_ID]}
    assert values(record, required_citations=required)["required_citations"].number == 1.0
    assert values(record, required_citations=(*required, other))["required_citations"].number == pytest.approx(2 / 3)
    assert values(record)["required_citations"] == Value(None, "no_required")


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("质保 24 个月[1]。换货 7 日。", 0.5),
        ("质保 24 个月。[1]换货 7 日。【2†source】", 1.0),
        ("质保 24 个月。【1†source】换货 7 日。", 0.5),
        ("## 结论\n质保 24 个月[1]。还有问题吗？", 1.0),
        ("质保 24 个月。", 0.0),
    ],
)
def test_sentences_with_a_mark(answer: str, share: float) -> None:
    told = {"case_id": "m2", "answer": "好[1]。"}
    record = {"case_id": CASE.case_id, "answer": answer, "status": "answer", "context": [GOLD_ID, "old.md#00000000bb"]}
    scored = small.score(CORPUS, [CASE, make.case("m2")], record, told)
    assert scored.scores[0].values["sentence_citation_share"].number == share


def test_citations_beside_the_answer_say_nothing_of_sentences() -> None:
    found = values({"answer": GOLD, "citations": [GOLD_ID], "status": "answer"})
    assert found["sentence_citation_share"] == Value(None, "no_markers")


@pytest.mark.parametrize(("answer", "share"), [("整机质保二十四个月[1]。", 1.0), ("整机质保 36 个月[1]。", 0.0)])
def test_numbers_of_a_sentence_stand_in_its_source(answer: str, share: float) -> None:
    found = values({"answer": answer, "context": [GOLD_ID], "status": "answer"})
    assert found["citation_numbers_lexical"].number == share


def test_a_refusal_needs_no_citation() -> None:
    found = values({"answer": "抱歉，资料中没有相关信息。", "citations": []})
    assert found["citation_coverage"] == Value(None, "not_answered")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("抱歉，资料中没有相关信息。", Status.REFUSE),
        ("根据现有资料，无法回答该问题。", Status.REFUSE),
        ("我不知道。", Status.REFUSE),
        ("Sorry, I can't help with that.", Status.REFUSE),
        ("The documents do not mention it.", Status.REFUSE),
        ("请问您的机型是哪一款？", Status.CLARIFY),
        ("已为您转人工客服。", Status.HANDOFF),
        ("整机质保 24 个月，人为损坏除外。", Status.ANSWER),
        ("超过 7 天不予受理。", Status.ANSWER),
        ("无法提供发票的不能退货，有发票的 7 日内可退。", Status.ANSWER),
        ("不可以退货。", Status.ANSWER),
        ("The warranty does not cover batteries. It lasts 24 months.", Status.ANSWER),
        ("  ", None),
    ],
)
def test_what_an_answer_sounds_like(answer: str, status: Status | None) -> None:
    assert status_of(answer) is status
