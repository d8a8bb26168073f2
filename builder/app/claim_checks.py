"""The deterministic checks of a claim that a person wrote."""

from builder.model.claim import Check


def checks_of(text: str) -> tuple[Check, ...]:
    """One check for each number, date or amount in `text`; none where only a person or a judge can tell."""
    from builder.generate.claims import propose  # when it is used: the reviewer starts without it

    return tuple(claim.check for claim in propose(text) if claim.check is not None)
