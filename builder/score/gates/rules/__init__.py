"""The rules over single answers, by name: one file a rule or a close family."""

from builder.model.gate import GateKind
from builder.score.gates.rule import Rule
from builder.score.gates.rules import (
    citation_exists,
    critical_claim,
    high_risk,
    injection,
    made_up_answer,
    side_effect,
    unauthorised,
)

RULES: dict[str, Rule] = {
    rule.name: rule
    for module in (
        unauthorised,
        critical_claim,
        made_up_answer,
        citation_exists,
        injection,
        side_effect,
        high_risk,
    )
    for rule in module.RULES
}


def of_kind(kind: GateKind) -> tuple[str, ...]:
    """Names of the rules of a kind."""
    return tuple(name for name, rule in RULES.items() if rule.kind is kind)
