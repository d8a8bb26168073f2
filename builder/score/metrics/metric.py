"""What a metric is, and what all of them share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Literal

from builder.model.case import Status
from builder.score.records import Value
from builder.score.view import Mark, Ranking, Stage, View
from builder.words import Words, words

Figures = Mapping[str, Value]
Family = Callable[[View], Figures]
"""Figures of one answer that are counted together, by name."""
SHARE = (0.0, 1.0)
OPEN = (0.0, inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of an answer, with what people must know of it. The words stand in the word lists, by `key`."""

    name: str
    """Its name, `recall@5`."""
    key: str
    """Names its words: the name without k and stage."""
    layer: str
    """The layer that it looks at."""
    source: str
    """Where the definition comes from."""
    family: Family
    """Counts it, together with its like."""
    better: Literal["higher", "lower"] = "higher"
    """Which way is good."""
    range: tuple[float, float] = SHARE
    """Lowest and highest value."""
    aggregate: Literal["mean", "p50", "p95", "p99"] = "mean"
    """How the figures of answers become one."""
    safety: bool = False
    """Counts harm: a failed answer did none and is left out as not measured, never as the worst."""

    def value(self, view: View) -> Value:
        """The figure of one answer."""
        return self.family(view)[self.name]

    def definition_in(self, say: Words) -> str:
        """What it is, in one line."""
        return say(f"score.measures.{self.key}")

    def does_not_tell_in(self, say: Words) -> str:
        """What it does not tell, in one line."""
        return say(f"score.blind_to.{self.key}")

    @property
    def definition(self) -> str:
        """What it is, in English."""
        return self.definition_in(words("en"))

    @property
    def does_not_tell(self) -> str:
        """What it does not tell, in English."""
        return self.does_not_tell_in(words("en"))


# Values


@lru_cache(maxsize=1 << 15)
def number(value: float) -> Value:
    """A figure."""
    return Value(value)


@lru_cache(maxsize=1 << 8)
def none(reason: str) -> Value:
    """No figure, and why."""
    return Value(None, reason)


@lru_cache(maxsize=1 << 8)
def worst(value: float, reason: str) -> Value:
    """The figure of an answer that failed, and why."""
    return Value(value, reason)


def share(part: float, whole: float, reason: str) -> Value:
    """A part of a whole; `reason` where there is no whole."""
    return number(part / whole) if whole else none(reason)


# Answers


def failure(view: View) -> str:
    """Why there is no answer: missing_run, error; empty where there is one."""
    if view.record is None:
        return "missing_run"
    return "error" if view.record.error is not None else ""


def tells(view: View, *names: str) -> bool:
    """True where the run tells one of these anywhere; a run without any answer is missing all that it might tell."""
    return not view.told.isdisjoint(names) or (not view.told and bool(failure(view)))


def accepted(view: View) -> tuple[Status, ...]:
    """What the system may rightly do."""
    return view.case.acceptable_status or ((Status.ANSWER,) if view.case.answerable else (Status.REFUSE,))


def status(view: View) -> Status | None:
    """What the system did."""
    return view.status or (view.record.status if view.record else None)


# Stages


def ranking(view: View, stage: Stage) -> Ranking | None:
    """A stage in short; none where it is not told."""
    found = view.rankings.get(stage)
    if found is None and stage in view.stages:
        places = view.stages[stage]
        marks = (
            Mark(place.rank, place.hits, tuple(sorted({units_of(view)[hit] for hit in place.hits})), place.negative)
            for place in places
            if place.judged or place.hits
        )
        return Ranking(len(places), tuple(marks))
    return found


def units_of(view: View) -> Mapping[tuple[int, int], int]:
    """The passage of each piece of evidence; where nothing is told each piece is one."""
    if view.units:
        return view.units
    return {target: number for number, target in enumerate(target for group in view.groups for target in group)}


FINAL = (Stage.RERANKED, Stage.RETRIEVED, Stage.CONTEXT)
"""The system's last word on the order: the first of these that it tells."""
FOUND = (Stage.RETRIEVED, Stage.RERANKED, Stage.CONTEXT)
"""All that it found: the first of these that it tells."""


def first_told(view: View, stages: tuple[Stage, ...]) -> Ranking | None:
    """The first of several stages that this answer tells."""
    for stage in stages:
        found = ranking(view, stage)
        if found is not None:
            return found
    return None
