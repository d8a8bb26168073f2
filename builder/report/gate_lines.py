"""Gates in words: the sentence of a release, why each gate came out as it did, and the cases with their layer."""

from collections.abc import Iterator, Mapping

from builder.model.gate import GateOutcome, Release
from builder.words import Words

SHOWN = 20
"""Cases that are named one by one."""
Layers = Mapping[str, str]
"""The first broken layer of each failing case."""


def verdict(release: Release, say: Words) -> str:
    """Release, or do not release because of what."""
    if release.released:
        return say("score.release.release")
    if release.broken:
        because = say("score.release.calls_failed", share=f"{release.error_share:.0%}")
    elif not release.outcomes:
        because = say("score.release.no_gates")
    else:
        failing = (outcome for outcome in release.outcomes if not outcome.passed)
        because = say("score.semicolon").join(
            say("score.release.gate", gate=outcome.gate, why=reason(outcome, say)) for outcome in failing
        )
    return say("score.release.do_not_release", because=because)


def reason(outcome: GateOutcome, say: Words) -> str:
    """Why a gate came out as it did, with its figures."""
    return say(f"gates.why.{outcome.why}", **outcome.values)


def case_lines(outcome: GateOutcome, layers: Layers, say: Words) -> Iterator[tuple[str, str, str]]:
    """The cases of a gate that break it or cannot be told: id, why, and the first broken layer; then how many more."""
    cases = (*outcome.cases, *outcome.unknown)
    for case_id in cases[:SHOWN]:
        why = outcome.because.get(case_id, "")
        yield case_id, say(f"gates.case.{why}") if why else "", layer(layers.get(case_id, ""), say)
    if len(cases) > SHOWN:
        yield say("gates.more", count=len(cases) - SHOWN), "", ""


def layer(name: str, say: Words) -> str:
    """A layer in words; one that the word lists do not know is shown as it is."""
    key = f"score.layer.{name}"
    return say(key) if key in say else name
