"""Which answers are laid before a person, and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from builder.review.answers.desk import Key, Why
from builder.text.ids import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One answer, as far as its place depends on it."""

    key: Key
    risk: bool = False
    """Its case is of a high-risk topic."""
    unstable: bool = False
    """The run's answers to the case differ."""
    score: int | None = None
    """0-100; none where nothing is known."""
    passed: bool = False
    critical: bool = False
    """It fails, and nothing makes up for it."""


def ordered(candidates: Iterable[Candidate], *, sample: int, seed: int) -> tuple[tuple[Key, Why], ...]:
    """Critical failures, then high risk, then what is unstable (all answers to a case together), then a sample.

    The sample takes in turn failures with a high score, passes with a low one, and answers of which nothing is known.
    """
    rest = sorted(candidates, key=lambda one: (digest(str(seed), one.key.case_id), one.key.repeat))
    found: list[tuple[Key, Why]] = []
    for why in (Why.CRITICAL, Why.RISK, Why.UNSTABLE):
        found += [(one.key, why) for one in rest if _first(one) is why]
    left = [one for one in rest if _first(one) is None]
    return (*found, *_sample(left, sample))


def _first(one: Candidate) -> Why | None:
    """Why an answer is always shown; none where only the sample may bring it up."""
    if one.critical:
        return Why.CRITICAL
    if one.risk:
        return Why.RISK
    return Why.UNSTABLE if one.unstable else None


def _sample(left: Sequence[Candidate], size: int) -> Iterator[tuple[Key, Why]]:
    failures = [one for one in left if one.score is not None and not one.passed]
    passes = [one for one in left if one.score is not None and one.passed]
    piles = [
        [
            (one.key, Why.HIGH_FAILURE if one.score else Why.SAMPLE)
            for one in sorted(failures, key=_score, reverse=True)
        ],
        [(one.key, Why.LOW_PASS if _score(one) < 100 else Why.SAMPLE) for one in sorted(passes, key=_score)],
        [(one.key, Why.UNKNOWN) for one in left if one.score is None],
    ]
    taken = 0
    while taken < size and any(piles):
        for pile in piles:
            if pile and taken < size:
                yield pile.pop(0)
                taken += 1


def _score(one: Candidate) -> int:
    return one.score or 0
