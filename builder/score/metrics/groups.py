"""Figures of evidence groups: all of them are needed, of each any one alternative is enough."""

from collections.abc import Sequence
from functools import lru_cache

from builder.score.metrics.metric import (
    FINAL,
    Family,
    Figures,
    Metric,
    failure,
    first_told,
    none,
    number,
    ranking,
    share,
    tells,
    units_of,
    worst,
)
from builder.score.metrics.ranking import FULL, exponential
from builder.score.records import Value
from builder.score.view import Mark, Stage, View

_KEYS = ("group_recall", "all_groups", "group_ndcg")
_SOURCE = "own; the outer and inner lists are those of AutoRAG's retrieval_gt"
_COVERED = {"candidates": Stage.RETRIEVED, "reranked": Stage.RERANKED, "context": Stage.CONTEXT}


def metrics(ks: Sequence[int]) -> tuple[Metric, ...]:
    """group_recall, all_groups, group_ndcg at every k; the share of groups that each stage still has."""
    family = group_family(tuple(ks))
    layers = {"candidates": "retrieval", "reranked": "ranking", "context": "context"}
    return (
        *(
            Metric(
                name=f"{key}@{k}",
                key=key,
                layer="ranking" if key == "group_ndcg" else "retrieval",
                source=_SOURCE,
                family=family,
            )
            for key in _KEYS
            for k in ks
        ),
        *(
            Metric(
                name=f"stage_coverage.{name}", key="stage_coverage", layer=layers[name], source="own", family=coverage
            )
            for name in _COVERED
        ),
    )


def group_family(ks: tuple[int, ...]) -> Family:
    """group_recall, all_groups and group_ndcg at every k."""
    names = tuple(f"{key}@{k}" for key in _KEYS for k in ks)
    recall, every, ndcg = ([f"{key}@{k}" for k in ks] for key in _KEYS)

    @lru_cache(maxsize=1 << 6)
    def alike(value: float | None, reason: str) -> Figures:
        return dict.fromkeys(names, Value(value, reason))

    def family(view: View) -> Figures:
        if view.excluded or not view.groups:
            return alike(None, view.excluded or "no_evidence")
        failed = failure(view)
        order = None if failed else first_told(view, FINAL)
        if order is None:
            told = tells(view, *FINAL)
            return alike(0.0, failed or "not_told") if told else alike(None, "not_told")
        events, firsts = _events(order.marks, view)
        best = sorted(((rank, grade) for rank, grade in enumerate(_best(view), 1) if grade))
        values: dict[str, Value] = {}
        count = len(view.groups)
        for at, k in enumerate(ks):
            hit = sum(rank <= k for rank in firsts)
            values[recall[at]] = number(hit / count)
            values[every[at]] = number(1.0 if hit == count else 0.0)
            values[ndcg[at]] = share(exponential(events, k), exponential(best, k), "no_gain")
        return values

    return family


def _grade(view: View, target: tuple[int, int]) -> int:
    return view.gains[units_of(view)[target]] if view.gains else FULL


def _best(view: View) -> list[int]:
    """The best grade of each group, the highest first."""
    return sorted((max(_grade(view, target) for target in group) for group in view.groups), reverse=True)


def _events(marks: Sequence[Mark], view: View) -> tuple[list[tuple[int, int]], list[int]]:
    """Rank and grade of the first hit of each group, several at one place one behind the other; and its true rank."""
    group_of = {target: number for number, group in enumerate(view.groups) for target in group}
    events: list[tuple[int, int]] = []
    firsts: list[int] = []
    seen: set[int] = set()
    last = 0
    for rank, hits, _, _ in marks:
        new: dict[int, int] = {}
        for target in hits:
            group = group_of.get(target)
            if group is not None and group not in seen:
                new[group] = max(new.get(group, 0), _grade(view, target))
        seen.update(new)
        firsts += [rank] * len(new)
        for grade in sorted(new.values(), reverse=True):
            if grade:
                last = max(rank, last + 1)
                events.append((last, grade))
    return events, firsts


def coverage(view: View) -> Figures:
    """stage_coverage: the share of groups of which a stage has an alternative, at any rank."""
    return {f"stage_coverage.{name}": _covered(view, stage) for name, stage in _COVERED.items()}


def _covered(view: View, stage: Stage) -> Value:
    if view.excluded or not view.groups:
        return none(view.excluded or "no_evidence")
    failed = failure(view)
    found = None if failed else ranking(view, stage)
    if found is None:
        return worst(0.0, failed or "not_told") if tells(view, stage) else none("not_told")
    held = {target for mark in found.marks for target in mark.hits}
    return number(sum(not held.isdisjoint(group) for group in view.groups) / len(view.groups))
