"""Verdicts, made short."""

from builder.model.case import CheckOutcome, CheckResult


def passed(name: str, detail: str = "", **values: str) -> CheckResult:
    """A pass."""
    return CheckResult(name=name, outcome=CheckOutcome.PASS, detail=detail, values=values)


def warned(name: str, detail: str, **values: str) -> CheckResult:
    """A warning."""
    return CheckResult(name=name, outcome=CheckOutcome.WARN, detail=detail, values=values)


def failed(name: str, detail: str, **values: str) -> CheckResult:
    """A failure."""
    return CheckResult(name=name, outcome=CheckOutcome.FAIL, detail=detail, values=values)
