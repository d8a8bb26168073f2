"""Figures of the final order: the last ranking that the system tells (reranked, else retrieved, else context).

A passage to be found is a chunk that holds evidence which the user may read (by document: such a document). An item
that holds evidence stands for its passage, also where other chunks hold the same: a passage is found once. A place
that holds several passages at once is read like several places in a row, so that no figure exceeds 1.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from math import log2

from builder.score.metrics.metric import (
    FINAL,
    FOUND,
    Family,
    Figures,
    Metric,
    failure,
    first_told,
    none,
    number,
    ranking,
    tells,
    units_of,
    worst,
)
from builder.score.records import Value
from builder.score.view import Mark, Ranking, Stage, View

_DISCOUNTS = tuple(1 / log2(rank + 1) for rank in range(1, 1025))
_EXP = (0.0, 1.0, 3.0, 7.0)
_LIN = (0.0, 1.0, 2.0, 3.0)
FULL = 3
_TREC = "TREC, as trec_eval counts it"
_AT = {
    "hit": (f"{_TREC} (success); many call it Recall@k", "retrieval"),
    "recall": (_TREC, "retrieval"),
    "precision": (f"{_TREC}: divided by k, also where fewer came", "ranking"),
    "ndcg_exp": ("Burges et al. 2005: gain 2^grade - 1, discount log2(rank + 1)", "ranking"),
    "ndcg_lin": ("Järvelin and Kekäläinen 2002 with discount log2(rank + 1), as trec_eval counts it", "ranking"),
    "judged": ("Sakai 2007: share of judged documents", "retrieval"),
}


def metrics(ks: Sequence[int]) -> tuple[Metric, ...]:
    """All of them, at every k."""
    family = ranking_family(tuple(ks))
    at = tuple(
        Metric(name=f"{key}@{k}", key=key, layer=layer, source=source, family=family)
        for key, (source, layer) in _AT.items()
        for k in ks
    )
    return (
        *at,
        Metric(name="mrr", key="mrr", layer="ranking", source=_TREC, family=family),
        Metric(name="map", key="map", layer="ranking", source=_TREC, family=family),
        Metric(name="ref_recall", key="ref_recall", layer="retrieval", source=_CONTEXT_RECALL, family=references),
        Metric(
            name="ref_recall_context",
            key="ref_recall_context",
            layer="context",
            source=_CONTEXT_RECALL,
            family=references,
        ),
    )


_CONTEXT_RECALL = "share of reference contexts found; ragas calls it ID-based context recall"


def ranking_family(ks: tuple[int, ...]) -> Family:
    """hit, recall, precision, ndcg_exp, ndcg_lin and judged at every k; mrr; map."""
    names = (*(f"{key}@{k}" for key in _AT for k in ks), "mrr", "map")
    hit, recall, precision, exp, lin, judged = ([f"{key}@{k}" for k in ks] for key in _AT)

    @lru_cache(maxsize=1 << 6)
    def alike(value: float | None, reason: str) -> Figures:
        unjudged = dict.fromkeys(judged, none(reason))
        return dict.fromkeys(names, Value(value, reason)) | unjudged

    def family(view: View) -> Figures:
        if view.excluded or not view.groups:
            return alike(None, view.excluded or "no_evidence")
        failed = failure(view)
        order = None if failed else first_told(view, FINAL)
        if order is None:
            told = tells(view, *FINAL)
            return alike(0.0, failed or "not_told") if told else alike(None, "not_told")
        units = units_of(view)
        relevant = max(units.values()) + 1
        gains = view.gains or (FULL,) * relevant
        places, news, precise = _relevant(order.marks, relevant)
        gained, exps, lins = _gains_so_far(_events(order.marks, gains))
        marked = [mark[0] for mark in order.marks]
        length = order.length
        values: dict[str, Value] = {}
        for at, (k, (whole_exp, whole_lin)) in enumerate(zip(ks, _ideals(gains, ks), strict=True)):
            held, gain = bisect_right(places, k), bisect_right(gained, k)
            values[hit[at]] = number(1.0 if held else 0.0)
            values[recall[at]] = number(news[held] / relevant)
            values[precision[at]] = number(held / k)
            values[exp[at]] = number(exps[gain] / whole_exp) if whole_exp else none("no_gain")
            values[lin[at]] = number(lins[gain] / whole_lin) if whole_lin else none("no_gain")
            seen = min(k, length)
            values[judged[at]] = number(bisect_right(marked, k) / seen) if seen else none("nothing_retrieved")
        values["mrr"] = number(1 / places[0] if places else 0.0)
        values["map"] = number(precise / relevant)
        return values

    return family


def _relevant(marks: Sequence[Mark], relevant: int) -> tuple[list[int], list[int], float]:
    """Ranks that hold evidence, how many passages were found before and after each, and the sum of precisions."""
    places: list[int] = []
    news = [0]
    seen: set[int] = set()
    precise = 0.0
    for rank, _, units, _ in marks:
        if not units or units[0] >= relevant:
            continue
        before = len(seen)
        seen.update(unit for unit in units if unit < relevant)
        places.append(rank)
        news.append(len(seen))
        precise += (len(seen) - before) * len(places) / rank
    return places, news, precise


def _events(marks: Sequence[Mark], gains: Sequence[int]) -> list[tuple[int, int]]:
    """Rank and grade of every passage where it comes first, several at one place one behind the other."""
    events: list[tuple[int, int]] = []
    seen: set[int] = set()
    last = 0
    for rank, _, units, _ in marks:
        new = [gains[unit] for unit in units if unit not in seen] if units else ()
        if not new:
            continue
        seen.update(units)
        for grade in sorted(new, reverse=True) if len(new) > 1 else new:
            if grade:
                last = rank if rank > last else last + 1
                events.append((last, grade))
    return events


def _gains_so_far(events: Sequence[tuple[int, int]]) -> tuple[list[int], list[float], list[float]]:
    """The ranks, and the discounted gain before the first and after each of them: exponential, linear."""
    ranks: list[int] = []
    exps, lins = [0.0], [0.0]
    for rank, grade in events:
        discount = _discount(rank)
        ranks.append(rank)
        exps.append(exps[-1] + _EXP[grade] * discount)
        lins.append(lins[-1] + _LIN[grade] * discount)
    return ranks, exps, lins


def _discount(rank: int) -> float:
    return _DISCOUNTS[rank - 1] if rank <= len(_DISCOUNTS) else 1 / log2(rank + 1)


@lru_cache(maxsize=1 << 14)
def _ideals(gains: tuple[int, ...], ks: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """The most that can be gained up to each k: exponential, linear."""
    best = [(rank, gain) for rank, gain in enumerate(sorted(gains, reverse=True), 1) if gain]
    ranks, exps, lins = _gains_so_far(best)
    return tuple((exps[at], lins[at]) for at in (bisect_right(ranks, k) for k in ks))


def exponential(events: Sequence[tuple[int, int]], k: int) -> float:
    """Discounted gain of ranks and grades up to k, with gain 2^grade - 1."""
    ranks, exps, _ = _gains_so_far(events)
    return exps[bisect_right(ranks, k)]


def references(view: View) -> Figures:
    """ref_recall and ref_recall_context: referenced passages hit / all referenced, whatever their rank."""
    return {
        "ref_recall": _recall(view, FOUND),
        "ref_recall_context": _recall(view, (Stage.CONTEXT,)),
    }


def _recall(view: View, stages: tuple[Stage, ...]) -> Value:
    if view.excluded or not view.groups:
        return none(view.excluded or "no_evidence")
    failed = failure(view)
    found: Ranking | None = None if failed else first_told(view, stages)
    if found is None:
        return worst(0.0, failed or "not_told") if tells(view, *stages) else none("not_told")
    relevant = max(units_of(view).values()) + 1
    held = {unit for mark in found.marks for unit in mark.units if unit < relevant}
    return number(len(held) / relevant)


__all__ = ["exponential", "metrics", "ranking", "ranking_family", "references"]
