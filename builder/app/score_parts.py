"""The parts of a report: what a scored run, its blames and its gates tell, without any wording."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from builder.model.case import Case, QuestionType, ReviewState
from builder.model.run import RunHeader
from builder.model.snapshot import Snapshot
from builder.report.score_facts import Blind, Flips, LayerCell, Measured, Ranks, Use
from builder.report.score_rows import ALL
from builder.score.cuts import Cut
from builder.score.diagnosis import Blame, layer_table
from builder.score.uses import SplitUse
from builder.score.view import Stage, View

MAPPED = (ALL, "type", "source", "style", "risk", "document")
"""Cuts that layers are laid against where nobody asks for others."""


def measured_on(cases: Sequence[Case], header: RunHeader, snapshot: Snapshot) -> Measured:
    """What the figures were measured on."""
    manifest = snapshot.manifest
    days = [day for case in cases for day in (case.as_of, case.valid_from, case.valid_to) if day is not None]
    return Measured(
        dataset=manifest.dataset,
        frozen_at=manifest.created_at,
        sources=_counts(case.source for case in cases),
        splits=_counts(case.split or "" for case in cases),
        days=(min(days), max(days)) if days else None,
        documents=len(snapshot.documents),
        access=manifest.access_levels,
        config=dict(header.config),
        unreviewed=sum(case.review_state is ReviewState.UNREVIEWED for case in cases),
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    return {str(name): count for name, count in Counter(names).most_common()}


def blind_spots(cases: Sequence[Case], snapshot: Snapshot, risks: Iterable[str]) -> Blind:
    """Types, high-risk topics and documents that no case looks at."""
    types = {case.question_type for case in cases}
    topics = {case.risk for case in cases}
    cited = {evidence.doc_id for case in cases for evidence in case.evidence}
    return Blind(
        types=tuple(kind.value for kind in QuestionType if kind not in types),
        risks=tuple(risk for risk in risks if risk not in topics),
        documents=tuple(one.doc_id for one in snapshot.documents if not one.retired and one.doc_id not in cited),
    )


def first_ranks(views: Iterable[View]) -> Ranks:
    """Ranks of the first evidence in the last ranking that the system tells; a failed call found none."""
    counts: Counter[int] = Counter()
    missing = 0
    for view in views:
        if not view.groups:
            continue
        places = view.stages.get(Stage.RERANKED) or view.stages.get(Stage.RETRIEVED) or ()
        first = next((place.rank for place in places if place.hits), None)
        counts[first or 0] += first is not None
        missing += first is None
    counts.pop(0, None)
    return Ranks(counts=dict(sorted(counts.items())), missing=missing)


def latencies(views: Iterable[View]) -> dict[str, tuple[float, ...]]:
    """Milliseconds by stage, stages in the order in which they are told first."""
    found: dict[str, list[float]] = {}
    for view in views:
        for stage, value in ((view.record.latency_ms if view.record else None) or {}).items():
            found.setdefault(stage, []).append(value)
    return {stage: tuple(values) for stage, values in found.items()}


def layer_cells(
    blames: Sequence[Blame], cases: Mapping[str, Case], slices: Mapping[str, Sequence[Cut]], cuts: Iterable[str]
) -> tuple[LayerCell, ...]:
    """Layers against the slices of each cut; `slices` are those of each case."""

    def within(by: str, case: Case) -> list[str]:
        return [ALL] if by == ALL else [name for cut, name in slices.get(case.case_id, ()) if cut == by]

    return tuple(
        LayerCell(layer=cell.layer.value, by=by, slice=cell.slice, case_ids=cell.case_ids)
        for by in dict.fromkeys((ALL, *cuts))
        for cell in layer_table(blames, cases, by, lambda case, by=by: within(by, case)).cells  # type: ignore[misc]
    )


def flips_between(before: Mapping[str, bool], now: Mapping[str, bool]) -> Flips:
    """How cases changed: whether each passes, in the baseline and now; only common ones count."""
    common = sorted(before.keys() & now.keys())
    return Flips(
        worse=tuple(case_id for case_id in common if before[case_id] and not now[case_id]),
        better=tuple(case_id for case_id in common if now[case_id] and not before[case_id]),
        passing=sum(before[case_id] and now[case_id] for case_id in common),
        failing=sum(not before[case_id] and not now[case_id] for case_id in common),
    )


def passing(cases: Iterable[str], blames: Iterable[Blame]) -> dict[str, bool]:
    """Whether each case passes: not one of its answers is known to fail."""
    failing = {blame.case_id for blame in blames}
    return {case_id: case_id not in failing for case_id in cases}


def uses_so_far(uses: Iterable[SplitUse], snapshot_hash: str) -> tuple[Use, ...]:
    """Runs that asked the test split of this snapshot, oldest first."""
    first: dict[str, SplitUse] = {}
    for use in uses:
        if use.snapshot_hash == snapshot_hash:
            first.setdefault(use.run, use)
    return tuple(Use(run=use.run, at=f"{use.at:%Y-%m-%dT%H:%M:%SZ}") for use in first.values())
