"""Gates in words: the sentence of a release, why each gate came out as it did, and the cases with their layer."""

from collections.abc import Iterator, Mapping, Sequence

from builder.model.gate import GateOutcome, GateResult, Release
from builder.report.score_wording import counted, layer_name
from builder.words import Words

SHOWN = 20
"""Cases that are named one by one."""
Layers = Mapping[str, str]
"""The first broken layer of each failing case."""
_WORST = {GateResult.FAIL: 0, GateResult.NOT_MEASURED: 1, GateResult.PASS: 2}


def verdict(release: Release | None, say: Words) -> str:
    """Release, or do not release because of what; or that nobody asked any gate."""
    waived = sum(len(outcome.waived) for outcome in release.outcomes) if release else 0
    if release is None or release.released:
        return (
            say("score.release.release_waived", count=waived) if waived else say(f"score.release.{standing(release)}")
        )
    return say("score.release.do_not_release", because=say("score.semicolon").join(because(release, say)))


def standing(release: Release | None) -> str:
    """release, do_not_release, or not_judged."""
    if release is None:
        return "not_judged"
    return "release" if release.released else "do_not_release"


def because(release: Release, say: Words) -> tuple[str, ...]:
    """Why it is not released, what failed first."""
    if release.broken:
        return (say("score.release.calls_failed", share=f"{release.error_share:.1%}"),)
    if not release.outcomes:
        return (say("score.release.no_gates"),)
    failing = (outcome for outcome in ordered(release) if not outcome.passed)
    return tuple(say("score.release.gate", gate=outcome.gate, why=reason(outcome, say)) for outcome in failing)


def ordered(release: Release | None) -> Sequence[GateOutcome]:
    """All gates: what failed, what was not measured, what passed."""
    return sorted(release.outcomes if release else (), key=lambda outcome: _WORST[outcome.result])


def outcome_name(outcome: GateOutcome) -> str:
    """pass, fail, not_measured, or waived: passed because a waiver lets the cases pass that break it."""
    return "waived" if outcome.passed and outcome.waived else outcome.result.value


def kind_name(outcome: GateOutcome, say: Words) -> str:
    """What the gate rests on."""
    return counted(f"score.gate.kind.{outcome.kind}", outcome.kind.value, say)


def reason(outcome: GateOutcome, say: Words) -> str:
    """Why a gate came out as it did, with its figures."""
    return say(f"gates.why.{outcome.why}", **outcome.values)


def named(outcome: GateOutcome) -> tuple[str, ...]:
    """The cases that break it, then those that cannot be told; of a passed one those that a waiver lets pass."""
    return outcome.waived if outcome.passed else (*outcome.cases, *outcome.unknown)


def held_against(release: Release | None, say: Words) -> str:
    """The baseline, and who approved it; empty without one."""
    if release is None or not release.baseline:
        return ""
    return say("gates.held", baseline=release.baseline, who=release.approved_by)


def case_lines(outcome: GateOutcome, layers: Layers, say: Words) -> Iterator[tuple[str, str, str]]:
    """The cases that a gate names: id, why, and the first broken layer; then how many more."""
    cases = named(outcome)
    for case_id in cases[:SHOWN]:
        why, layer = outcome.because.get(case_id, ""), layers.get(case_id, "")
        yield case_id, say(f"gates.case.{why}") if why else "", layer_name(layer, say) if layer else ""
    if len(cases) > SHOWN:
        yield say("gates.more", count=len(cases) - SHOWN), "", ""
