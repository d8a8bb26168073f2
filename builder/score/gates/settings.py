"""gates/*.toml: which rules a run must pass, and where the bounds are."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from builder.errors import InputError
from builder.model.record import Record
from builder.score.records import ALL

Model = TypeVar("Model", bound=Record)


class CaseGate(Record):
    """A rule that no case may break, hard or manual."""

    rule: str
    """Its name, as in the registry."""
    allow: tuple[str, ...] = ()
    """side_effect_tool: tools that may be called."""
    topics: tuple[str, ...] = ()
    """high_risk: only these; empty: all."""


class StatisticalGate(Record):
    """Not worse than the approved baseline."""

    metric: str
    """Name of the metric."""
    tolerance: float = Field(gt=0, allow_inf_nan=False)
    """How much worse it may be, in the metric's own unit; finer than the set can show is refused."""
    slices: tuple[str, ...] = Field(default=(ALL,), min_length=1)
    """`all`, or `risk=refund`."""
    min_n: int = Field(default=20, ge=2)
    """With fewer cases it is not measured."""
    test: Literal["bootstrap", "sign_flip"] = "bootstrap"
    """Where p comes from; both keep the cases of a document family together."""


class BudgetGate(Record):
    """A figure within a bound. Which side is good belongs to the metric."""

    metric: str
    """Name of the metric."""
    limit: float = Field(allow_inf_nan=False)
    """The worst figure that passes."""
    statistic: Literal["mean", "p50", "p90", "p95", "p99", "sum"] | None = None
    """What is looked at; none: what the metric itself reports."""
    slice: str = ALL
    """`all`, or `risk=refund`."""
    min_n: int = Field(default=20, ge=1)
    """With fewer cases it is not measured."""


class GatesFile(Record):
    """All gates."""

    schema_version: Literal[1] = 1
    """Version of this file's format."""
    max_error_share: float | None = Field(default=None, ge=0, le=1)
    """More failed calls than this share: the measurement is broken, exit 4."""
    alpha: float = Field(default=0.05, gt=0, lt=1)
    """How often one of the statistical gates may pass by chance, all of them together."""
    roll_back: tuple[str, ...] = ()
    """When to go back, in words; reports print them."""
    hard: tuple[CaseGate, ...] = ()
    """Not one case may break them."""
    statistical: tuple[StatisticalGate, ...] = ()
    """Against the approved baseline; together the family that Holm's p counts."""
    budget: tuple[BudgetGate, ...] = ()
    """Latency and cost."""
    manual: tuple[CaseGate, ...] = ()
    """A person must have looked."""

    @property
    def count(self) -> int:
        """How many gates."""
        return len(self.hard) + len(self.statistical) + len(self.budget) + len(self.manual)


def read_gates(path: Path, hard: Sequence[str], manual: Sequence[str]) -> GatesFile:
    """The gates of a file; `hard` and `manual` are the rules that there are.

    Raises:
        InputError: no TOML, a wrong key or value, an unknown rule, or no gate at all; names file and key.
    """
    found = read_toml(GatesFile, path)
    if not found.count:
        raise InputError("gates_empty", file=path)
    for gates, known, kind in ((found.hard, hard, "hard"), (found.manual, manual, "manual")):
        for gate in gates:
            if gate.rule not in known:
                raise InputError("gates_rule", file=path, kind=kind, rule=gate.rule, known=", ".join(known))
    return found


def read_toml(model: type[Model], path: Path) -> Model:
    """The record in a TOML file of the folder gates.

    Raises:
        InputError: it cannot be read, is no TOML, or has a wrong key or value; names file and key.
    """
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return model(**values)
    except OSError as error:
        raise InputError("gates_unreadable", file=path, detail=error.strerror or error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("settings_syntax", file=path, detail=error) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError("settings_value", file=path, key=key, detail=first["msg"]) from error
