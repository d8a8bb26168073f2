"""Figures of the passages that the model read, and of what came before the evidence."""

from builder.model.case import NegativeReason
from builder.score.metrics.metric import (
    FINAL,
    Figures,
    Metric,
    failure,
    first_told,
    none,
    number,
    tells,
    worst,
)
from builder.score.records import Value
from builder.score.view import Stage, View

_REASONS = tuple(reason.value for reason in NegativeReason)


def metrics() -> tuple[Metric, ...]:
    """context_precision, noise, wrong_version_share; negative_before, by reason."""
    source = "own; the names are those of common RAG metrics, counted here from judged passages"
    return (
        Metric(name="context_precision", key="context_precision", layer="context", source=source, family=context),
        Metric(name="noise", key="noise", layer="context", source=source, family=context, better="lower"),
        Metric(
            name="wrong_version_share",
            key="wrong_version_share",
            layer="context",
            source="own",
            family=context,
            better="lower",
        ),
        *(
            Metric(name=name, key="negative_before", layer="ranking", source="own", family=negatives, better="lower")
            for name in ("negative_before", *(f"negative_before.{reason}" for reason in _REASONS))
        ),
    )


def context(view: View) -> Figures:
    """Shares of the passages in the context."""
    why = view.excluded or ("" if view.groups else "no_evidence")
    if why:
        return _alike(none(why), none(why))
    failed = failure(view)
    if failed or Stage.CONTEXT not in view.stages:
        lost = failed or "not_told"
        told = tells(view, Stage.CONTEXT)
        return _alike(worst(0.0, lost), worst(1.0, lost)) if told else _alike(none("not_told"), none("not_told"))
    places = view.stages[Stage.CONTEXT]
    if not places:
        return _alike(worst(0.0, "empty_context"), none("empty_context"))
    helpful = sum(bool(place.hits) or place.grade > 0 for place in places)
    return {
        "context_precision": number(sum(bool(place.hits) for place in places) / len(places)),
        "noise": number(1 - helpful / len(places)),
        "wrong_version_share": number(sum(place.wrong_version for place in places) / len(places)),
    }


def _alike(high: Value, low: Value) -> Figures:
    return {"context_precision": high, "noise": low, "wrong_version_share": low}


def negatives(view: View) -> Figures:
    """1 where a hard negative stands before the first evidence (or there is no evidence); by reason."""
    asked = {negative.reason.value for negative in view.case.hard_negatives}
    names = ("", *_REASONS)
    why = view.excluded or ("" if view.groups else "no_evidence") or ("" if asked else "no_negatives")
    if why:
        return {_name(name): none(why) for name in names}
    failed = failure(view)
    order = None if failed else first_told(view, FINAL)
    if order is None:
        value = worst(1.0, failed or "not_told") if tells(view, *FINAL) else none("not_told")
        return {_name(name): value if not name or name in asked else none("no_negatives") for name in names}
    first = next((mark.rank for mark in order.marks if mark.hits), order.length + 1)
    before = {mark.negative.value for mark in order.marks if mark.negative and not mark.hits and mark.rank < first}
    values = {_name(name): number(float(name in before)) if name in asked else none("no_negatives") for name in names}
    return values | {"negative_before": number(float(bool(before)))}


def _name(reason: str) -> str:
    return f"negative_before.{reason}" if reason else "negative_before"
