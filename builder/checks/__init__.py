"""Checks: (case, CheckContext) -> verdict. One small file each, used at birth, in review and in audit."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from builder.checks.context import CheckContext
from builder.model.case import Case, CheckResult

Check = Callable[[Case, CheckContext], CheckResult | None]

CHECKS: Mapping[str, str] = {
    "quote": "builder.checks.quote",
    "facts": "builder.checks.facts",
    "language": "builder.checks.language",
    "question": "builder.checks.question",
    "stands_alone": "builder.checks.stands_alone",
    "self_answered": "builder.checks.self_answered",
    "rival": "builder.checks.rival",
    "extent": "builder.checks.extent",
    "leakage": "builder.checks.leakage",
    "siblings": "builder.checks.siblings",
    "duplicate": "builder.checks.duplicate",
}
"""Modules by check name; each has `check(case, context)`, which is none where it has nothing to judge."""

__all__ = ["CHECKS", "Check", "CheckContext", "run_checks"]


def run_checks(case: Case, context: CheckContext, names: Iterable[str] = tuple(CHECKS)) -> tuple[CheckResult, ...]:
    """The verdicts of the named checks on `case`, in that order; then those that a model gave, as they were."""
    found = (import_module(CHECKS[name]).check(case, context) for name in names)
    told = tuple(result for result in case.checks if result.name not in CHECKS)
    return (*(result for result in found if result is not None), *told)
