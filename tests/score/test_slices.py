"""Figures by slice: what they rest on, how sure they are, and what repeats and rewordings tell."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.case import Case, Evidence, Source, Style
from builder.model.document import DocumentMetadata
from builder.model.parts import Span
from builder.model.run import Citation, RunRecord
from builder.model.snapshot import FrozenDocument
from builder.score.cuts import cuts_of, families, labelled, labels
from builder.score.records import AnswerScore, MetricRow, Value
from builder.score.repeats import alike, stability
from builder.score.slices import rows
from builder.score.view import Cited, View
from tests import make
from tests.score.measured import METRICS, Metric, answers, column, ids

RECALL = {"group_recall@5": METRICS["group_recall@5"]}
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def evidence(doc_id: str) -> Evidence:
    return Evidence(doc_id=doc_id, reading_id="r", quote="24", parts=(Span(page=1, start=0, end=2),))


def document(doc_id: str, **metadata: object) -> FrozenDocument:
    return FrozenDocument(
        doc_id=doc_id,
        source_path=doc_id,
        sha256="0",
        media_type="text/plain",
        metadata=DocumentMetadata.model_validate(metadata),
    )


def table(values: list[float | None], families_: dict[str, str] | None = None, **fields: object) -> MetricRow:
    scored = column(values)
    known = {one.case_id: make.case(one.case_id) for one in scored}
    return rows(scored, known, families_ or {}, RECALL, resamples=500)[0]


def test_fifty_of_fifty_is_a_rate_with_wilsons_interval() -> None:
    row = table([1.0] * 50)
    assert row.interval is not None
    assert (row.value, row.n, row.few) == (1.0, 50, False)
    assert (round(row.interval.low, 3), row.interval.high, row.interval.how) == (0.929, 1.0, "wilson")


def test_what_is_no_rate_is_resampled_by_family() -> None:
    values: list[float | None] = [0.1, 0.9] * 20
    alone = table(values)
    together = table(values, {case_id: str(number % 2 * 10 + number // 10) for number, case_id in enumerate(ids(40))})
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval.how == "bootstrap"
    assert together.interval.high - together.interval.low > 1.5 * (alone.interval.high - alone.interval.low)


def test_a_rate_of_few_families_is_less_sure() -> None:
    values: list[float | None] = [*[1.0] * 10, *[0.0] * 10, *[1.0] * 20]
    alone = table(values)
    together = table(values, {case_id: str(number // 10) for number, case_id in enumerate(ids(40))})
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval.low < alone.interval.low - 0.1


def test_too_few_and_what_they_can_show() -> None:
    assert table([1.0] * 19).few
    assert not table([1.0] * 20).few
    assert table([1.0, 0.0] * 140).smallest_drop == pytest.approx(0.05, abs=0.001)
    assert table([1.0, 0.0] * 55).smallest_drop == pytest.approx(0.10, abs=0.003)
    assert table([1.0]).interval is None


def test_left_out_by_reason_and_never_counted() -> None:
    row = table([1.0, None, 0.0, None])
    assert (row.value, row.n, row.excluded) == (0.5, 2, {"no_evidence": 2})
    nothing = table([None, None])
    assert (nothing.value, nothing.n, nothing.interval) == (None, 0, None)


def test_what_is_no_number_leaves_no_figure() -> None:
    row = table([1.0, math.nan, 1.0])
    assert row.value is None
    assert row.interval is None
    assert row.excluded["not_a_number"] == 1


def test_a_case_asked_several_times_counts_once() -> None:
    scored = [
        AnswerScore(case_id="m1", repeat=repeat, values={"group_recall@5": Value(number)})
        for repeat, number in ((1, 1.0), (2, 1.0), (3, 0.0), (4, 0.0))
    ]
    scored.append(AnswerScore(case_id="m2", repeat=1, values={"group_recall@5": Value(1.0)}))
    row = rows(scored, {}, {}, RECALL)[0]
    assert (row.value, row.n) == (0.75, 2)


def test_the_same_seed_gives_the_same_intervals() -> None:
    scored = column([number / 30 for number in range(30)])
    one, same, other = (rows(scored, {}, {}, RECALL, seed=seed)[0] for seed in (1, 1, 2))
    assert one == same
    assert one.interval != other.interval


def test_quantiles_rest_on_answers() -> None:
    metrics = {"latency_ms": Metric("latency_ms", better="lower", aggregate="p95")}
    row = rows(column([float(number) for number in range(1, 101)], "latency_ms"), {}, {}, metrics)[0]
    assert row.value == 95
    assert row.smallest_drop is None
    assert row.interval is not None
    assert row.interval.low < 95 <= row.interval.high


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=30))
def test_a_figure_lies_in_its_interval(values: list[float | None]) -> None:
    row = table(values)
    assert row.n + sum(row.excluded.values()) == len(values)
    if row.interval is not None and row.value is not None:
        assert 0 <= row.interval.low <= row.interval.high <= 1
        assert row.interval.low - 0.25 <= row.value <= row.interval.high + 0.25


# Cuts


def test_all_cuts_of_a_case() -> None:
    case = make.case(
        source=Source.FEEDBACK,
        risk="refund",
        tags=("vip", "weekly"),
        evidence_groups=((evidence("a.md"), evidence("b.md")),),
    )
    documents = {
        "a.md": document(
            "a.md", tenant="acme", roles=("hr",), authority="board", version_label="2026", extra={"line": "x"}
        ),
        "b.md": document("b.md"),
    }
    assert set(cuts_of(case, documents)) == {
        ("source", "feedback"),
        ("type", "single_fact"),
        ("style", "formal"),
        ("risk", "refund"),
        ("split", "none"),
        ("answerable", "yes"),
        ("tag", "vip"),
        ("tag", "weekly"),
        ("document", "a.md"),
        ("document", "b.md"),
        ("language", "en"),
        ("tenant", "acme"),
        ("role", "hr"),
        ("authority", "board"),
        ("version_label", "2026"),
        ("line", "x"),
    }


def test_slices_add_up() -> None:
    sources = [Source.GENERATED] * 4 + [Source.MANUAL] * 2 + [Source.FEEDBACK]
    cases = {case_id: make.case(case_id, source=source) for case_id, source in zip(ids(7), sources, strict=True)}
    found = rows(column([1, 1, 1, 0, 0, 1, 0]), cases, {}, RECALL)
    by_source = {row.slice: (row.value, row.n) for row in found if row.by == "source"}
    assert by_source == {"generated": (0.75, 4), "manual": (0.5, 2), "feedback": (0.0, 1)}
    assert (found[0].by, found[0].slice, found[0].n) == ("all", "all", 7)


def test_families_are_those_of_documents() -> None:
    documents = [document("a.md", family="policy"), document("b.md", family="policy"), document("c.md")]
    cases = [
        make.case("m1", evidence_groups=((evidence("a.md"),),)),
        make.case("m2", evidence_groups=((evidence("b.md"),), (evidence("c.md"),))),
        make.case("m3", evidence_groups=((evidence("gone.md"),),)),
        make.case("m4"),
        make.case("m5", family="m4"),
    ]
    assert families(cases, documents) == {
        "m1": "document:policy",
        "m2": "document:policy",
        "m3": "document:gone.md",
        "m4": "case:m4",
        "m5": "case:m4",
    }


def cited(known: bool = True, **fields: object) -> Cited:
    facts: dict[str, object] = {"citation": Citation(id="1"), "places": {}, "known": known} | fields
    return Cited(**facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("citations", "wanted"),
    [
        (None, "untold"),
        ((), "no_citation"),
        ((cited(hits=frozenset({(0, 0)})), cited(known=False)), "unknown_id"),
        ((cited(hits=frozenset({(0, 0)})), cited(wrong_version=True)), "wrong_version"),
        ((cited(hits=frozenset({(0, 0)})), cited()), "evidence"),
        ((cited(),), "no_evidence"),
    ],
)
def test_the_result_of_citations(citations: tuple[Cited, ...] | None, wanted: str) -> None:
    assert labels(View(case=make.case(), citations=citations))["citation"] == wanted


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        (None, "failed"),
        ({"error": "timeout"}, "failed"),
        ({"answer": "x"}, "untold"),
        ({"answer": "x", "status": "answer"}, "answered"),
        ({"answer": "x", "status": "refuse"}, "refuse"),
        ({"answer": "x", "status": "refuse", "refusal_reason": "no_source"}, "no_source"),
    ],
)
def test_why_it_refused(record: dict[str, object] | None, wanted: str) -> None:
    told = None if record is None else RunRecord.model_validate({"case_id": "m1"} | record)
    assert labels(View(case=make.case(), record=told))["refusal"] == wanted


def test_cut_by_what_only_the_run_tells() -> None:
    view = View(case=make.case("m000000000000"), citations=())
    found = rows(column([1.0]), {}, {}, RECALL, labels=labelled([view]))
    assert [(row.by, row.slice) for row in found] == [
        ("all", "all"),
        ("citation", "no_citation"),
        ("refusal", "failed"),
    ]


# Repeats and rewordings


def repeated(figures: dict[str, list[float]]) -> list[AnswerScore]:
    return [
        AnswerScore(case_id=case_id, repeat=repeat, values={"group_recall@5": Value(number)})
        for case_id, numbers in figures.items()
        for repeat, number in enumerate(numbers, 1)
    ]


def test_stable_flaky_and_stable_fail() -> None:
    (found,) = stability(repeated({"a": [1, 1], "b": [0, 1], "c": [0, 0], "d": [1]}), RECALL)
    assert (found.n, found.stable_pass, found.flaky, found.stable_fail) == (3, 1, 1, 1)
    assert found.flaky_cases == ("b",)
    assert found.noise_floor > 0


def test_where_lower_is_better_zero_passes() -> None:
    metrics = {"group_recall@5": Metric("group_recall@5", better="lower")}
    (found,) = stability(repeated({"a": [0, 0], "b": [1, 1]}), metrics)
    assert (found.stable_pass, found.stable_fail) == (1, 1)


def test_nothing_was_repeated() -> None:
    assert stability(repeated({"a": [1], "b": [0]}), RECALL) == ()


def test_the_noise_floor_holds_95_of_100_pairs_of_runs() -> None:
    import numpy as np

    random = np.random.default_rng(4)
    chance = random.uniform(0.2, 0.9, 200)
    drawn = {str(case): (random.random(4) < p).astype(float).tolist() for case, p in enumerate(chance)}
    (found,) = stability(repeated(drawn), RECALL)
    pairs = (random.random((2000, 2, 200)) < chance).mean(axis=2)
    within = np.mean(np.abs(pairs[:, 0] - pairs[:, 1]) <= found.noise_floor)
    assert 0.92 <= within <= 0.98


def test_one_question_in_several_styles() -> None:
    cases: dict[str, Case] = {}
    for number, case_id in enumerate(ids(6)):
        family = ids(6)[number // 2 * 2]
        style = Style.COLLOQUIAL if number % 2 else Style.FORMAL
        cases[case_id] = make.case(case_id, family=family, style=style)
    (found,) = alike(column([1, 1, 1, 0, 0, 0]), cases, RECALL)
    assert (found.families, found.alike, found.different) == (3, 2, (ids(6)[2],))
    assert found.low < found.share < found.high
    assert alike(column([1, 1]), {case_id: make.case(case_id) for case_id in ids(2)}, RECALL) == ()
    assert alike(answers({"a": {"group_recall@5": 0.4}}), cases, RECALL) == ()
