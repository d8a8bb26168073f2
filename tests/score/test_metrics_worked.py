"""The worked figures, by hand."""

from typing import Any

import pytest

from builder.model.case import Case, Status
from builder.model.claim import Claim, NumberCheck
from builder.score.records import Value
from builder.score.scoring import ScoredAnswers
from tests import make
from tests.score import small

LETTERS = small.letters("abcdez")


def figure(values: dict[str, Value], name: str) -> float:
    value = values[name].number
    assert value is not None, values[name]
    return value


def test_ranking_of_five_with_one_missed() -> None:
    values = small.one(LETTERS, small.asked(LETTERS, "acez"), {"retrieved": [*"abcde"]})
    expected = {"precision@5": 0.6, "recall@5": 0.75, "hit@5": 1.0, "mrr": 1.0, "map": 0.5667}
    assert {name: round(figure(values, name), 4) for name in expected} == expected


def test_graded_gain() -> None:
    grades = {"a": 3, "c": 2, "e": 1}
    values = small.one(LETTERS, small.asked(LETTERS, "ace", grades), {"retrieved": [*"abcde"]})
    assert round(figure(values, "ndcg_exp@5"), 4) == 0.9461
    assert round(figure(values, "ndcg_lin@5"), 4) == 0.9212


def test_discounted_gains_behind_it() -> None:
    from builder.score.metrics.ranking import exponential

    assert round(exponential([(1, 3), (3, 2), (5, 1)], 5), 4) == 8.8869
    assert round(exponential([(1, 3), (2, 2), (3, 1)], 5), 4) == 9.3928


def fixture_of_ten() -> ScoredAnswers:
    """Eight answerable questions, two not. E06's document at rank 2, E08's not found, E10 wrongly answered."""
    corpus = small.letters("abcdefgh")
    names = dict(zip((f"E{place:02}" for place in range(1, 9)), "abcdefgh", strict=True))
    cases = [small.asked(corpus, name, case_id=case_id) for case_id, name in names.items()]
    cases += [make.case(case_id, answerable=False, ground_truth="") for case_id in ("E09", "E10")]
    orders = {name: [name, "x1", "x2"] for name in names.values()} | {"f": ["x1", "f", "x2"], "h": ["x1", "x2", "x3"]}
    records: list[dict[str, Any]] = [
        {
            "case_id": case_id,
            "retrieved": orders[name],
            "answer": "24 个月。",
            "status": "answer",
            "citations": [] if case_id == "E08" else [name],
        }
        for case_id, name in names.items()
    ]
    records.append({"case_id": "E09", "retrieved": ["a"], "answer": "没有说明。", "status": "refuse", "citations": []})
    records.append({"case_id": "E10", "retrieved": ["a"], "answer": "可以。", "status": "answer", "citations": ["a"]})
    return small.score(corpus, cases, *records)


def test_the_fixture_of_ten() -> None:
    scored = fixture_of_ten()
    expected = {
        "hit@3": 0.875,
        "mrr": 0.8125,
        "refusal_accuracy": 0.9,
        "citation_coverage": 0.875,
        "citation_id_validity": 1.0,
    }
    assert {name: round(small.mean(scored, name), 4) for name in expected} == expected
    assert small.mean(scored, "answered_unanswerable") == 0.5 and small.mean(scored, "refused_answerable") == 0.0
    assert {value.reason for score in scored.scores[8:] if (value := score.values["mrr"])} == {"unanswerable"}


@pytest.mark.parametrize(("fails", "reason"), [({"error": "timeout"}, "error"), (None, "missing_run")])
def test_a_target_that_fails_on_two_of_ten_never_scores_higher(fails: dict[str, str] | None, reason: str) -> None:
    """Whichever two it fails on, each figure is at most as good; harm is never made good by failing."""
    whole = fixture_of_ten()
    cases = [view.case for view in whole.views]
    for first in range(10):
        for second in range(first + 1, 10):
            lost = {cases[first].case_id, cases[second].case_id}
            records = [_record(view.record) for view in whole.views if view.case.case_id not in lost]
            if fails:
                records += [{"case_id": case_id} | fails for case_id in sorted(lost)]
            worse = small.score(small.letters("abcdefgh"), cases, *records)
            assert sum(reason in score.flags for score in worse.scores) == 2
            _never_better(whole, worse)


def _record(record: Any) -> dict[str, Any]:
    values: dict[str, Any] = record.model_dump(exclude_none=True)
    return values


def _never_better(whole: ScoredAnswers, worse: ScoredAnswers) -> None:
    for name, metric in whole.metrics.items():
        if metric.layer == "engineering" or metric.safety or name.startswith("judged@"):
            continue
        if any(score.values[name].number is not None for score in whole.scores):
            change = small.mean(worse, name) - small.mean(whole, name)
            assert (change if metric.better == "higher" else -change) <= 1e-12, name


def test_whole_documents_as_references_cap_recall() -> None:
    corpus = small.letters("abcdefghi")
    whole, exact = small.asked(corpus, "abcdefghi"), small.asked(corpus, "c")
    assert figure(small.one(corpus, whole, {"retrieved": ["c"]}), "ref_recall") == pytest.approx(1 / 9)
    assert figure(small.one(corpus, whole, {"retrieved": [*"abcde"]}), "recall@5") == pytest.approx(5 / 9)
    assert figure(small.one(corpus, exact, {"retrieved": ["c"]}), "ref_recall") == 1.0


def test_gold_at_rank_50_behind_unknown_ids() -> None:
    order = [f"unknown{place}" for place in range(49)] + ["a"]
    scored = small.score(LETTERS, [small.asked(LETTERS, "a")], {"case_id": "m000000000001", "retrieved": order})
    assert scored.scores[0].values["mrr"] == Value(0.02)
    assert scored.views[0].unmapped == 49 and "unknown_ids" in scored.scores[0].flags
    assert scored.scores[0].values["judged@20"] == Value(0.0)


def test_repeated_ids_count_once_and_are_counted() -> None:
    case = small.asked(LETTERS, "b")
    scored = small.score(LETTERS, [case], {"case_id": case.case_id, "retrieved": ["a", "a", "a", "b"]})
    assert scored.scores[0].values["mrr"].number == 0.5
    assert scored.views[0].duplicates == 2 and "duplicate_ids" in scored.scores[0].flags


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"evidence_groups": ()}, "no_evidence"),
        ({"answerable": False, "ground_truth": ""}, "unanswerable"),
        ({"as_of": "2027-01-01", "valid_to": "2026-12-31"}, "expired"),
    ],
)
def test_left_out_and_never_zero(fields: dict[str, Any], reason: str) -> None:
    case = small.asked(LETTERS, "a", **fields)
    values = small.one(LETTERS, case, {"retrieved": ["a"]})
    for name in ("hit@5", "recall@5", "mrr", "map", "ndcg_exp@5", "group_recall@5", "ref_recall"):
        assert values[name] == Value(None, reason)


def test_without_any_gain_there_is_no_ndcg() -> None:
    values = small.one(LETTERS, small.asked(LETTERS, "a", {"a": 0}), {"retrieved": ["a"]})
    assert values["ndcg_exp@5"] == values["ndcg_lin@5"] == values["group_ndcg@5"] == Value(None, "no_gain")
    assert values["recall@5"].number == 1.0


def test_what_a_run_never_tells_is_left_out_and_what_it_tells_elsewhere_counts() -> None:
    cases = [small.asked(LETTERS, "a", case_id=name) for name in ("m1", "m2")]
    scored = small.score(LETTERS, cases, {"case_id": "m1", "retrieved": ["a"]}, {"case_id": "m2"})
    assert scored.scores[1].values["mrr"] == Value(0.0, "not_told")
    assert scored.scores[0].values["ref_recall_context"] == Value(None, "not_told")
    assert scored.scores[0].values["refusal_accuracy"] == Value(None, "not_told")


def test_stages_lose_evidence_one_after_the_other() -> None:
    record = {"retrieved": [*"abc"], "reranked": [*"ab"], "context": ["a"]}
    values = small.one(LETTERS, small.asked(LETTERS, "abc"), record)
    found = [round(figure(values, f"stage_coverage.{name}"), 2) for name in ("candidates", "reranked", "context")]
    assert found == [1.0, 0.67, 0.33]
    assert figure(values, "recall@5") == pytest.approx(2 / 3)
    assert figure(values, "ref_recall") == 1.0 and figure(values, "ref_recall_context") == pytest.approx(1 / 3)


def test_chinese_without_digits_is_judged() -> None:
    claim = Claim(text="定制商品不可以取消")
    case = small.asked(LETTERS, "a", ground_truth="不可以取消。", claims=(claim,))
    values = small.one(LETTERS, case, {"retrieved": ["a"], "answer": "不可以取消。", "citations": ["a"]})
    assert values["refusal_accuracy"].number == 1.0 and values["citation_coverage"].number == 1.0
    assert values["citation_numbers_lexical"] == Value(None, "no_numbers")
    assert values["claim_recall"] == Value(None, "undecided") and values["claims_undecided"].number == 1.0


WARRANTY = Claim(text="整机质保 24 个月", critical=True, check=NumberCheck(value="24", unit="month"))


@pytest.mark.parametrize(
    ("answer", "recall", "right", "wrong", "critical"),
    [
        ("整机质保二十四个月。", 1.0, 1.0, 0.0, 0.0),
        ("整机质保 12 个月。", 0.0, 0.0, 1.0, 1.0),
        ("请保留发票。", 0.0, None, 0.0, 0.0),
    ],
)
def test_wrong_and_not_stated_are_told_apart(
    answer: str, recall: float, right: float | None, wrong: float, critical: float
) -> None:
    case = small.asked(LETTERS, "a", claims=(WARRANTY,))
    values = small.one(LETTERS, case, {"answer": answer, "status": "answer"})
    got = [values[name].number for name in ("claim_recall", "claims_right", "claims_wrong", "critical_claims_wrong")]
    assert got == [recall, right, wrong, critical]


def test_a_derived_status_is_labelled() -> None:
    case: Case = make.case(answerable=False, ground_truth="")
    scored = small.score(LETTERS, [case], {"case_id": case.case_id, "answer": "抱歉，资料中没有相关信息。"})
    assert scored.scores[0].values["refusal_accuracy"].number == 1.0
    assert "status_derived" in scored.scores[0].flags and scored.views[0].status is Status.REFUSE


def test_a_missing_repeat_is_missing() -> None:
    cases = [small.asked(LETTERS, "a", case_id=name) for name in ("m1", "m2")]
    records = [{"case_id": "m1", "repeat": 1, "retrieved": ["a"]}, {"case_id": "m1", "repeat": 2, "retrieved": ["a"]}]
    scored = small.score(LETTERS, cases, *records, {"case_id": "m2", "retrieved": ["a"]})
    assert [(score.case_id, score.repeat) for score in scored.scores] == [("m1", 1), ("m1", 2), ("m2", 1), ("m2", 2)]
    assert scored.scores[3].values["mrr"] == Value(0.0, "missing_run")


def test_time_failures_tokens_and_cost() -> None:
    cases = [small.asked(LETTERS, "a", case_id=name) for name in ("m1", "m2", "m3")]
    scored = small.score(
        LETTERS,
        cases,
        {
            "case_id": "m1",
            "answer": "好",
            "latency_ms": {"retrieve": 5, "total": 20},
            "tokens": {"rewrite": {"input": 10, "cached": 4}, "generate": {"input": 5, "output": 7}},
            "cost": {"generate": 0.25, "judge": 0.5},
            "ttft_ms": 3,
            "downgraded": True,
        },
        {"case_id": "m2", "error": "ReadTimeout: timed out", "latency_ms": 9000},
        {"case_id": "m3", "answer": " "},
    )
    first, second, third = (score.values for score in scored.scores)
    assert (first["latency_p95.total"].number, second["latency_p95.total"].number) == (20.0, 9000.0)
    assert third["latency_p95.retrieve"] == Value(None, "not_told")
    assert (first["tokens_input.total"].number, first["tokens_cached.total"].number) == (15.0, 4.0)
    assert first["cost.total"].number == 0.75 and first["ttft_p50"].number == 3.0
    assert [values["error_rate"].number for values in (first, second, third)] == [0.0, 1.0, 0.0]
    assert (second["timeout_rate"].number, third["empty_rate"].number) == (1.0, 1.0)
    assert first["downgrade_rate"].number == 1.0
    assert scored.metrics["latency_p95.total"].aggregate == "p95"
