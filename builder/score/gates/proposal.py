"""builder gates init --from RUN: a commented proposal. Every bound in it is derived from that run, none ships."""

import json
from collections.abc import Iterator
from datetime import date
from math import ceil, floor, log10

from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.model.run import WHOLE
from builder.score.gates.budget import judge_budget
from builder.score.gates.hygiene import error_share
from builder.score.gates.judge import judge
from builder.score.gates.rules import of_kind
from builder.score.gates.settings import BudgetGate, CaseGate, GatesFile
from builder.score.grid import aggregate_of
from builder.score.measured import Measured
from builder.score.records import ALL, MetricRow
from builder.score.slices import FEW
from builder.words import Words

_HEADLINES = (
    "group_recall@",
    "all_groups@",
    "claim_recall",
    "refusal_accuracy",
    "citation_coverage",
    "citation_id_validity",
)
"""Figures that a release is usually held to, by how their names begin; of several places the fifth."""
_BUDGETS = ("latency_p95", "cost")
"""Figures of the whole answer; where only stages are told, those."""
_MOST_SLICES = 5


def proposal(run: Measured, say: Words, today: date) -> str:
    """The text of a gates file for a run like this one."""
    lines = [
        *_comment(say("gates.proposal.head", run=run.name, snapshot=run.scores.snapshot, cases=len(run.cases))),
        "schema_version = 1",
        *_comment(say("gates.proposal.errors", share=f"{100 * error_share(run):.1f}")),
        f"max_error_share = {max(0.01, ceil(100 * error_share(run)) / 100):g}",
        *_comment(say("gates.proposal.alpha")),
        "alpha = 0.05",
        *_comment(say("gates.proposal.roll_back")),
        "roll_back = []",
        *_rules(run, say, GateKind.HARD, today),
        *_statistical(run, say),
        *_budget(run, say),
        *_rules(run, say, GateKind.MANUAL, today),
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _rules(run: Measured, say: Words, kind: GateKind, today: date) -> Iterator[str]:
    """Rules that this run can show stand as they are; one that no case speaks of is commented out."""
    yield ""
    yield from _comment(say(f"gates.proposal.{kind}"))
    gates = tuple(CaseGate(rule=name) for name in of_kind(kind))
    file = GatesFile(hard=gates) if kind is GateKind.HARD else GatesFile(manual=gates)
    told = {outcome.gate: outcome for outcome in judge(run, file, today=today)}
    for gate in gates:
        outcome = told[gate.rule]
        off = "# " if outcome.refused else ""
        yield ""
        yield from _comment(_now(outcome, say))
        yield f"{off}[[{kind}]]"
        yield f"{off}rule = {_text(gate.rule)}"


def _now(outcome: GateOutcome, say: Words) -> str:
    if outcome.refused:
        return say("gates.proposal.no_case")
    key = {GateResult.PASS: "passes", GateResult.FAIL: "fails", GateResult.NOT_MEASURED: "untold"}[outcome.result]
    return say(f"gates.proposal.{key}", n=outcome.n, count=len(outcome.cases or outcome.unknown))


def _statistical(run: Measured, say: Words) -> Iterator[str]:
    yield ""
    yield from _comment(say("gates.proposal.statistical"))
    rows = {(row.name, row.by, row.slice): row for row in run.scores.metrics}
    for name in _headlines(run):
        row = rows.get((name, ALL, ALL))
        if row is None or row.value is None:
            continue
        enough = row.n >= FEW and row.smallest_drop is not None
        off = "" if enough else "# "
        finest = row.smallest_drop or 1.0
        yield ""
        yield from _comment(say("gates.proposal.figure", value=f"{row.value:.3f}", n=row.n, finest=f"{finest:.3f}"))
        if others := _others(run, row):
            yield from _comment("\n".join([say("gates.proposal.others"), *others]))
        yield f"{off}[[statistical]]"
        yield f"{off}metric = {_text(name)}"
        yield f"{off}tolerance = {ceil(100 * finest) / 100:g}"
        yield f"{off}slices = [{_text(ALL)}]"
        yield f"{off}min_n = {FEW}"


def _headlines(run: Measured) -> Iterator[str]:
    for head in _HEADLINES:
        fitting = [name for name in run.metrics if name.startswith(head) and aggregate_of(run.metrics[name]) == "mean"]
        if fitting:
            yield next((name for name in fitting if name.endswith("@5")), fitting[0])


def _others(run: Measured, whole: MetricRow) -> list[str]:
    """High-risk topics and types, with what they can show."""
    rows = [row for row in run.scores.metrics if row.name == whole.name and row.by in ("risk", "type", "source")]
    rows = sorted((row for row in rows if row.n >= FEW and row.smallest_drop is not None), key=lambda row: -row.n)
    return [f'"{row.by}={row.slice}": n {row.n}, {row.smallest_drop:.3f}' for row in rows[:_MOST_SLICES]]


def _budget(run: Measured, say: Words) -> Iterator[str]:
    yield ""
    yield from _comment(say("gates.proposal.budget"))
    for name in _spent(run):
        outcome = judge_budget(run, BudgetGate(metric=name, limit=0, min_n=1))
        if outcome.figure is None:
            continue
        off = "" if outcome.n >= FEW else "# "
        yield ""
        yield from _comment(say("gates.proposal.spent", value=f"{outcome.figure:g}", n=outcome.n))
        yield f"{off}[[budget]]"
        yield f"{off}metric = {_text(name)}"
        yield f"{off}limit = {_rounded_up(outcome.figure):g}"


def _spent(run: Measured) -> Iterator[str]:
    for head in _BUDGETS:
        whole = f"{head}.{WHOLE}"
        yield from [whole] if whole in run.metrics else [name for name in run.metrics if name.startswith(f"{head}.")]


def _rounded_up(value: float) -> float:
    """To two digits: 1,834 is 1,900."""
    if value <= 0:
        return 0.0
    step = 10.0 ** (floor(log10(value)) - 1)
    return float(f"{ceil(value / step - 1e-9) * step:.6g}")


def _text(value: str) -> str:
    """A TOML string; JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False)
