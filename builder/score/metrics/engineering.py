"""Time, failures, tokens and cost, by stage as the run tells them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from builder.model.run import WHOLE, RunRecord
from builder.score.metrics.metric import OPEN, Family, Figures, Metric, failure, none, number
from builder.score.records import Value
from builder.score.view import View

_TIMEOUT = re.compile(r"time[d ]{0,2}[ _-]?out|deadline exceeded|超时", re.IGNORECASE)
_RATES = ("error_rate", "timeout_rate", "empty_rate", "downgrade_rate")
_QUANTILES: tuple[Literal["p50", "p95", "p99"], ...] = ("p50", "p95", "p99")
_COUNTS = ("input", "cached", "output")


def metrics(records: Sequence[RunRecord] = ()) -> tuple[Metric, ...]:
    """Rates; latency of every stage that the records tell at P50, P95 and P99; ttft; tokens and cost by stage."""
    latency = _stages(record.latency_ms for record in records)
    tokens = _stages((record.tokens for record in records), summed=True)
    cost = _stages((record.cost for record in records), summed=True)
    family = spent_family(latency, tokens, cost)
    return (
        *(
            Metric(name=name, key=name, layer="engineering", source="own", family=rates, better="lower")
            for name in _RATES
        ),
        *(_spent(f"latency_{how}.{stage}", "latency", family, how) for stage in latency for how in _QUANTILES),
        *(_spent(f"ttft_{how}", "ttft", family, how) for how in _QUANTILES),
        *(_spent(f"tokens_{count}.{stage}", "tokens", family) for stage in tokens for count in _COUNTS),
        *(_spent(f"cost.{stage}", "cost", family) for stage in cost),
    )


def _spent(name: str, key: str, family: Family, how: Literal["mean", "p50", "p95", "p99"] = "mean") -> Metric:
    return Metric(
        name=name, key=key, layer="engineering", source="own; quantiles over answers by nearest rank",
        family=family, better="lower", range=OPEN, aggregate=how,
    )  # fmt: skip


def _stages(told: Iterable[Mapping[str, object] | None], summed: bool = False) -> tuple[str, ...]:
    """The stages that are told, in the order in which they come up; what sums up has a total."""
    found = dict.fromkeys(stage for some in told for stage in some or ())
    if found and summed:
        found.setdefault(WHOLE)
    return tuple(found)


def rates(view: View) -> Figures:
    """error_rate, timeout_rate, empty_rate, downgrade_rate: 1 where it happened."""
    lost = failure(view)
    record = view.record
    text = record.error if record and record.error else ""
    downgraded = record.downgraded if record else None
    told = record is not None and (record.answer is not None or "answer" in view.told)
    empty = record is not None and not lost and not (record.answer or "").strip() and record.status is None
    return {
        "error_rate": number(float(bool(lost))),
        "timeout_rate": none("missing_run") if record is None else number(float(bool(_TIMEOUT.search(text)))),
        "empty_rate": none(lost) if lost else number(float(empty)) if told else none("not_told"),
        "downgrade_rate": none(lost or "not_told") if downgraded is None else number(float(downgraded)),
    }


def spent_family(latency: Sequence[str], tokens: Sequence[str], cost: Sequence[str]) -> Family:
    """What an answer took. A failed one counts with what it tells."""

    def family(view: View) -> Figures:
        record = view.record
        why = failure(view) or "not_told"
        values: dict[str, Value] = {}
        for stage in latency:
            value = _one(None if record is None else record.latency_ms, stage, why)
            values |= {f"latency_{how}.{stage}": value for how in _QUANTILES}
        first = record.ttft_ms if record else None
        values |= {f"ttft_{how}": none(why) if first is None else number(first) for how in _QUANTILES}
        values |= dict(_tokens(record, tokens, why))
        spent = record.cost if record else None
        values |= {f"cost.{stage}": _one(_summed(spent), stage, why) for stage in cost}
        return values

    return family


def _one(told: Mapping[str, float] | None, stage: str, why: str) -> Value:
    value = (told or {}).get(stage)
    return none(why) if value is None else number(float(value))


def _summed(told: Mapping[str, float] | None) -> Mapping[str, float] | None:
    return told if not told or WHOLE in told else {**told, WHOLE: sum(told.values())}


def _tokens(record: RunRecord | None, stages: Sequence[str], why: str) -> Iterator[tuple[str, Value]]:
    told = (record.tokens if record else None) or {}
    for count in _COUNTS:
        found = {stage: value for stage, one in told.items() if (value := getattr(one, count)) is not None}
        whole = _summed({stage: float(value) for stage, value in found.items()})
        for stage in stages:
            yield f"tokens_{count}.{stage}", _one(whole, stage, why)
