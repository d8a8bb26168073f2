"""The lab over 210 cases, faults everywhere: enough for gates of figures, each of which fails for its own faults."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from builder.model.case import Case
from builder.model.gate import GateOutcome, GateResult
from builder.model.run import RunHeader
from builder.score.cuts import families
from builder.score.diagnosis import Blame, diagnose
from builder.score.gates.baseline import baseline_of
from builder.score.gates.judge import judge
from builder.score.gates.settings import read_gates
from builder.score.layers.finding import Layer
from builder.score.map_file import Map, by_id
from builder.score.measured import Measured
from builder.score.records import Scores
from builder.score.run_file import Run
from builder.snapshot.lines import load, parse_case, read_lines
from tests.folder import ROOT
from tests.score.lab.cases import cases_of
from tests.score.lab.corpus import samples
from tests.score.lab.measure import run_of, scored_of
from tests.score.lab.rag import Fault
from tests.score.lab.test_lab import LAYERS

RIGHT = {
    Fault.STALE_DOCUMENT: "wrong_version_share",
    Fault.OLD_INDEX: "wrong_version_share",
    Fault.OCR_LINE_LOST: "stage_coverage.candidates",
    Fault.CHUNK_CUT: "stage_coverage.candidates",
    Fault.EXCEPTION_DROPPED: "stage_coverage.candidates",
    Fault.EXCEPTION_DEMOTED: "group_ndcg@5",
    Fault.CONTEXT_SKIPS_BEST: "stage_coverage.context",
    Fault.CONTEXT_TRUNCATED: "context_sufficiency",
    Fault.NEGATION_COMPRESSED: "context_sufficiency",
    Fault.ALWAYS_REFUSES: "refused_answerable",
    Fault.WRONG_VERSION_CITED: "citation_wrong_version",
    Fault.WRONG_PASSAGE_CITED: "citation_group_recall",
}
"""The gate of a fault, and the first that may fail. Faults that are not here have a hard gate."""
LATER = {Fault.CHUNK_CUT: 1, Fault.INJECTION_OBEYED: 1}
"""Cases in which nothing else can be proven than what the fault led to in a later layer."""


class Seen(NamedTuple):
    """One run of the wide lab, and who is blamed in it."""

    measured: Measured
    blames: dict[str, Blame]


Wide = Callable[[Fault | None], Seen]


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Wide:
    """Runs by fault, each made once."""
    cases = all_cases()

    @cache
    def made(fault: Fault | None) -> Seen:
        rag, records = run_of(samples(), cases, tmp_path_factory.mktemp("wide") / "index", fault, everywhere=True)
        run = Run(name=fault or "plain", header=RunHeader(snapshot="lab"), records=tuple(records))
        return seen(cases, run, by_id(rag.map()))

    return made


def all_cases() -> tuple[Case, ...]:
    """The frozen set of the samples, and the lab's own."""
    lines = read_lines(ROOT / "snapshots/sample/cases.jsonl")
    return (*(parse_case(load(line)) for line in lines), *cases_of(samples()))


def seen(cases: tuple[Case, ...], run: Run, entries: Map) -> Seen:
    found, known = scored_of(samples(), cases, run, entries)
    pairs = zip(found.views, found.scores, strict=True)
    blames = [blame for view, score in pairs if (blame := diagnose(view, score, known))]
    measured = Measured(
        scores=Scores(run=run.name, snapshot="lab", snapshot_hash="lab", cases=len(cases), metrics=()),
        answers=found.scores,
        cases={case.case_id: case for case in cases},
        metrics=found.metrics,
        families=families(cases, tuple(samples().documents.values())),
        views=found.views,
    )
    return Seen(measured, {blame.case_id: blame for blame in blames})


def outcomes(wide: Wide, fault: Fault | None) -> Iterator[GateOutcome]:
    """The gates on a run with a fault, against the approved run without one."""
    gates = read_gates(Path(__file__).with_name("gates.toml"), (), ())
    approved = baseline_of(wide(None).measured, "qa", datetime(2026, 3, 10, tzinfo=UTC))
    yield from judge(wide(fault).measured, gates, approved, today=date(2026, 3, 10))


def test_the_same_system_passes_every_gate(wide: Wide) -> None:
    found = list(outcomes(wide, None))
    assert len(found) == len(set(RIGHT.values())) + 1
    assert {outcome.result for outcome in found} == {GateResult.PASS}


@pytest.mark.parametrize("fault", RIGHT)
def test_the_right_gate_fails_and_none_before_it(fault: Fault, wide: Wide) -> None:
    found = {outcome.gate: outcome for outcome in outcomes(wide, fault)}
    failing = [name for name, outcome in found.items() if outcome.result is not GateResult.PASS]
    assert failing[0] == RIGHT[fault]
    assert found[RIGHT[fault]].result is GateResult.FAIL


@pytest.mark.parametrize("fault", list(Fault))
def test_what_a_fault_broke_is_blamed_on_its_layer(fault: Fault, wide: Wide) -> None:
    """Of cases that fail with the fault only: those that the system got wrong before have layers of their own."""
    before, now = wide(None).blames, wide(fault).blames
    broken = [blame.layer for case_id, blame in now.items() if case_id not in before]
    others = [layer for layer in broken if layer is not LAYERS[fault]]
    assert len(broken) > 2 * len(others), "the fault breaks something"
    assert len(others) == LATER.get(fault, 0)
    order = list(Layer)
    assert all(order.index(layer) > order.index(LAYERS[fault]) for layer in others)


def test_the_system_is_no_toy(wide: Wide) -> None:
    """It gets most of the cases right, and some wrong by itself."""
    blames = wide(None).blames
    assert 0.1 < len(blames) / len(all_cases()) < 0.3
    assert {blame.layer for blame in blames.values()} == {Layer.GENERATION, Layer.REFUSAL, Layer.CITATION}
