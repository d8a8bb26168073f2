"""Checks: (case, CheckContext) -> verdict. One small file each, used at birth, in review and in audit."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from builder.checks.context import CheckContext
from builder.model.case import Case, CheckResult

Check = Callable[[Case, CheckContext], CheckResult]

CHECKS: Mapping[str, str] = {"quote": "builder.checks.quote"}
"""Modules by check name; each has `check(case, context)`."""

__all__ = ["CHECKS", "Check", "CheckContext", "run_checks"]


def run_checks(case: Case, context: CheckContext, names: Iterable[str] = tuple(CHECKS)) -> tuple[CheckResult, ...]:
    """The verdicts of the named checks on `case`, in that order."""
    return tuple(import_module(CHECKS[name]).check(case, context) for name in names)
