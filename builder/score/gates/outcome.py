"""What comes of a rule over single answers: broken by some, unknown of some, waived for some, or passed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.score.gates.rule import Ask, Rule, Seen, Sight
from builder.score.view import View


def not_measured(gate: str, kind: GateKind, why: str, **values: object) -> GateOutcome:
    """It cannot be told, although it was asked as it should be: exit 1."""
    told = {name: str(value) for name, value in values.items()}
    return GateOutcome(gate=gate, kind=kind, result=GateResult.NOT_MEASURED, why=why, values=told)


def refused(gate: str, kind: GateKind, why: str, **values: object) -> GateOutcome:
    """It cannot be judged as it is asked: exit 3."""
    return not_measured(gate, kind, why, **values).replace(refused=True)


@dataclass
class _Sights:
    """What a rule saw, by case; the worst of a case's answers stands for it."""

    broken: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)

    def add(self, case_id: str, seen: Seen) -> None:
        if seen.sight is not Sight.ASIDE:
            self.looked.add(case_id)
        if seen.sight is Sight.BROKEN:
            self.broken.setdefault(case_id, seen.why)
        if seen.sight is Sight.UNKNOWN:
            self.unknown.setdefault(case_id, seen.why)


def by_case(rule: Rule, views: Iterable[View], ask: Ask, waived: frozenset[str]) -> GateOutcome:
    """Look at all answers. Zero broken cases pass, and only where every case that the rule speaks of could be told."""
    sights = _Sights()
    for view in views:
        sights.add(view.case.case_id, rule.look(view, ask))
    if not sights.looked:
        return refused(rule.name, rule.kind, "no_case")
    failing = _without(sights.broken, waived)
    unknown = _without(sights.unknown, waived | failing.keys())
    let_pass = (sights.broken.keys() | sights.unknown.keys()) & waived
    result, why = GateResult.PASS, "waived" if let_pass else "held"
    if failing:
        result, why = GateResult.FAIL, "broken"
    elif unknown:
        result, why = GateResult.NOT_MEASURED, "unknown"
    return GateOutcome(
        gate=rule.name,
        kind=rule.kind,
        result=result,
        why=why,
        values={
            "n": str(len(sights.looked)),
            "count": str(len(failing)),
            "unknown": str(len(unknown)),
            "waived": str(len(let_pass)),
        },
        n=len(sights.looked),
        cases=tuple(sorted(failing)),
        unknown=tuple(sorted(unknown)),
        because=failing | unknown,
        waived=tuple(sorted(let_pass)),
    )


def _without(cases: Mapping[str, str], others: Iterable[str]) -> dict[str, str]:
    out = frozenset(others)
    return {case_id: why for case_id, why in cases.items() if case_id not in out}
