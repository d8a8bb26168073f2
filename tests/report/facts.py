"""A scored run for the tests of its reports."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

from builder.model.gate import GateKind, GateOutcome, GateResult, Release
from builder.report.line import Line
from builder.report.score_answer import ClaimFact, Piece, Told
from builder.report.score_facts import (
    About,
    Alike,
    Behind,
    Blind,
    Firm,
    Flips,
    LayerCell,
    Measured,
    Ranks,
    ScoreFacts,
    Signal,
    Use,
)
from builder.score.records import Interval, MetricRow

HOSTILE = "</script><img src=x onerror=alert(1)>\"' & \u202ecod.exe \x1b[31m | `x` [a](http://evil.example) <b>"
TOLD = {"cut": f"what else was found {HOSTILE}", "known": "-"}
CURVE = {1: 0.41, 3: 0.62, 5: 0.74, 10: 0.83}
HEADLINE = ("group_recall@5", "hit@3", "mrr", "refusal_accuracy", "citation_coverage")


def rows() -> Iterator[MetricRow]:
    """Metrics on all cases and on a few slices."""
    for by, name, n in (
        ("all", "all", 40),
        ("source", "generated", 25),
        ("source", "manual", 12),
        ("type", "multi_hop", 3),
    ):
        for k, value in CURVE.items():
            interval = Interval(low=value - 0.15, high=value + 0.12, how="bootstrap")
            yield MetricRow(
                name=f"group_recall@{k}", value=value, n=n, interval=interval, by=by, slice=name, few=n < 20
            )
            yield MetricRow(name=f"hit@{k}", value=value + 0.1, n=n, by=by, slice=name, few=n < 20)
        for metric in HEADLINE[2:]:
            out = {"no_evidence": 2, "unanswerable": 3}
            yield MetricRow(
                name=metric, value=0.8125, n=n, by=by, slice=name, few=n < 20, smallest_drop=0.21, excluded=out
            )
        yield MetricRow(name="ref_recall", value=None, n=0, by=by, slice=name, few=True, excluded={"no_evidence": n})


def told(case_id: str = "m000000000001", layer: str = "retrieval") -> Told:
    """A failing answer full of hostile texts."""
    return Told(
        case_id=case_id,
        layer=layer,
        why=(Line("score.html.repeat", {"repeat": HOSTILE}),),
        question=f"整机质保多久？{HOSTILE}",
        turns=(f"user: {HOSTILE}",),
        asked_by=HOSTILE,
        as_of=date(2026, 5, 1),
        labels={"source": "manual", "tag": HOSTILE},
        reference=f"24 个月。{HOSTILE}",
        answer=f"六个月。\n{HOSTILE}",
        status="answer",
        claims=(
            ClaimFact(text=HOSTILE, verdict="wrong", critical=True),
            ClaimFact(text="b", verdict="right", must_not=True),
        ),
        evidence=(Piece(name=HOSTILE, text=HOSTILE, marks=("evidence",)),),
        stages={
            "retrieved": (
                Piece(name=HOSTILE, text=HOSTILE, rank=1, marks=("negative:wrong_version",)),
                Piece(name="b", rank=2, marks=("unknown", "forbidden")),
            ),
            "context": (),
        },
        context_text=f"第一行\n{HOSTILE}",
        citations=(Piece(name=HOSTILE, marks=("wrong_version",)),),
    )


def gate(name: str, result: GateResult, kind: GateKind = GateKind.HARD, cases: tuple[str, ...] = ()) -> GateOutcome:
    """What came of a gate; its reason is hostile."""
    return GateOutcome(
        gate=name, kind=kind, result=result, why="unknown_metric", values={"metric": HOSTILE}, cases=cases
    )


def facts() -> ScoreFacts:
    """A run whose every text is hostile."""
    return ScoreFacts(
        run=HOSTILE,
        snapshot="v1",
        snapshot_hash="a" * 64,
        cases=40,
        repeats=2,
        rows=tuple(rows()),
        headline=HEADLINE,
        about={"mrr": About(name="mrr", definition=Line("score.few"), does_not_tell=Line("score.no_cut", TOLD))},
        flags={"unknown_ids": 3},
        release=Release(
            run=HOSTILE,
            baseline=HOSTILE,
            approved_by=HOSTILE,
            outcomes=(
                gate("p95", GateResult.NOT_MEASURED, kind=GateKind.BUDGET),
                gate(HOSTILE, GateResult.FAIL, cases=("m1", HOSTILE)),
            ),
            roll_back=(HOSTILE,),
        ),
        layers=(
            LayerCell(layer="retrieval", by="all", slice="all", case_ids=("m000000000001", "m000000000002")),
            LayerCell(layer="retrieval", by="type", slice="multi_hop", case_ids=("m000000000001",)),
            LayerCell(layer="generation", by="type", slice=HOSTILE, case_ids=("m000000000002", "m3", "m4", "m5")),
        ),
        signals=(Signal(line=Line("score.fixture"), figures=(Behind(name="hit@3", value=0.5, n=31),)),),
        failing=(told(), told("m000000000002", "generation")),
        ranks=Ranks(counts={1: 20, 2: 7, 3: 2, 14: 3, 77: 1}, missing=4),
        latency={"retrieve": tuple(float(n) for n in range(20, 90)), HOSTILE: tuple(n * 31.0 for n in range(1, 90))},
        firm=(
            Firm(
                name="hit@3",
                n=40,
                stable_pass=30,
                flaky=4,
                stable_fail=6,
                noise_floor=0.05,
                flaky_cases=("m5", "m6", "m7", "m8"),
            ),
        ),
        alike=(Alike(name="hit@3", families=5, alike=4, share=0.8, low=0.38, high=0.96, different=("m7",)),),
        flips=Flips(worse=("m3", HOSTILE), better=("m4",), passing=30, failing=7),
        measured=Measured(
            dataset="main",
            frozen_at=datetime(2026, 5, 1, tzinfo=UTC),
            sources={"manual": 12, "generated": 25, "feedback": 3},
            splits={"test": 20, "": 20},
            days=(date(2026, 1, 1), date(2026, 6, 30)),
            documents=7,
            access=("tenant:a", HOSTILE),
            config={"model": HOSTILE, "top_k": 5},
        ),
        uses=(Use(run=HOSTILE, at="2026-05-02T10:00:00Z"),),
        blind=Blind(types=("injection",), risks=("refund",), documents=(HOSTILE,)),
    )


def bare() -> ScoreFacts:
    """A run without gates, baseline, failing answers and figures."""
    full = facts()
    return replace(
        full,
        run="bm25",
        rows=(),
        release=None,
        about={},
        layers=(),
        signals=(),
        failing=(),
        ranks=Ranks(),
        latency={},
        firm=(),
        alike=(),
        flips=None,
        uses=(),
        blind=Blind(),
    )
