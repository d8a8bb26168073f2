"""Gates as Markdown for a pull request: release or not and why, every gate, the cases with their first broken layer."""

from collections.abc import Iterator, Sequence

from builder.model.gate import GateOutcome, GateResult, Release
from builder.report.gate_lines import (
    Layers,
    case_lines,
    held_against,
    kind_name,
    ordered,
    outcome_name,
    reason,
    verdict,
)
from builder.report.score_markdown import plain
from builder.words import Words

_MARKS = {GateResult.PASS: "✅", GateResult.FAIL: "❌", GateResult.NOT_MEASURED: "⚠️"}


def pull_request(release: Release, layers: Layers, say: Words) -> str:
    """The whole comment."""
    outcomes = ordered(release)
    held = held_against(release, say)
    lines = [
        f"### {'✅' if release.released else '❌'} {plain(say('gates.title', run=release.run))}",
        "",
        f"**{plain(verdict(release, say))}**",
        *(["", plain(held)] if held else []),
        *_table(outcomes, say),
        *(line for outcome in outcomes for line in _cases(outcome, layers, say)),
        *_roll_back(release, say),
        "",
        plain(say("score.fixture")),
    ]
    return "\n".join(lines) + "\n"


def _table(outcomes: Sequence[GateOutcome], say: Words) -> Iterator[str]:
    if not outcomes:
        return
    yield ""
    heads = ("outcome", "gate", "gate_kind", "found")
    yield f"| {' | '.join(plain(say(f'head.{head}')) for head in heads)} |"
    yield f"|{'---|' * len(heads)}"
    for outcome in outcomes:
        result = f"{_MARKS[outcome.result]} {say(f'score.gate.{outcome_name(outcome)}')}"
        waived = f" {say('gates.waived', cases=' '.join(outcome.waived))}" if outcome.waived else ""
        told = plain(reason(outcome, say) + waived)
        yield f"| {result} | {plain(outcome.gate)} | {plain(kind_name(outcome, say))} | {told} |"


def _cases(outcome: GateOutcome, layers: Layers, say: Words) -> Iterator[str]:
    """The cases that break a gate, or cannot be told; of a passed one nobody needs to look at any."""
    lines = [] if outcome.passed else list(case_lines(outcome, layers, say))
    if not lines:
        return
    yield ""
    yield f"**{plain(outcome.gate)}**"
    yield ""
    for case_id, why, layer in lines:
        blamed = say("gates.layer", layer=layer) if layer else ""
        yield f"- {' · '.join(plain(part) for part in (case_id, why, blamed) if part)}"


def _roll_back(release: Release, say: Words) -> Iterator[str]:
    if release.roll_back:
        yield ""
        yield f"**{plain(say('gates.roll_back'))}**"
        yield ""
        yield from (f"- {plain(line)}" for line in release.roll_back)
