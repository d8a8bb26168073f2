"""gates/baselines/RUN.json: a run that somebody approved, with the figures of every case, under version control.

The figures are in the file, so that a gate needs neither that run nor its snapshot.
"""

import json
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from builder.errors import InputError
from builder.model.record import Record
from builder.score.gold import Level
from builder.score.grid import aggregate_of, grid
from builder.score.measured import Measured
from builder.score.paired import case_means
from builder.text.ids import digest


class Baseline(Record):
    """An approved run."""

    schema_version: Literal[1] = 1
    """Version of this file's format."""
    run: str
    """The run."""
    snapshot: str
    """Name of its snapshot."""
    snapshot_hash: str
    """Content hash of that."""
    approved_by: str
    """Who approved it."""
    approved_at: datetime
    """When, UTC."""
    note: str = ""
    """Why, in words."""
    config: dict[str, Any] = Field(default_factory=dict)
    """The user's facts about the system."""
    level: Level = "passage"
    """What counted as found."""
    calls: int
    """Calls that were to be made."""
    failed: int
    """Of these: without an answer."""
    cases: dict[str, str]
    """The cases, with the hash of what each is measured by."""
    figures: dict[str, dict[str, float]]
    """By metric: the figure of each case that has one."""
    seal: str = ""
    """Hash over all other fields, so that a change by hand shows."""


def baseline_of(run: Measured, who: str, at: datetime, note: str = "") -> Baseline:
    """The baseline that a run becomes.

    Raises:
        InputError: nothing was scored, or a figure is no number.
    """
    names = tuple(name for name, measure in run.metrics.items() if aggregate_of(measure) == "mean")
    table = grid(run.answers, names)
    if not run.answers:
        raise InputError("baseline_empty", run=run.name)
    if table.broken.any():
        column = int(np.flatnonzero(table.broken.any(axis=0))[0])
        raise InputError("baseline_number", run=run.name, metric=names[column])
    return _sealed(
        Baseline(
            run=run.name,
            snapshot=run.scores.snapshot,
            snapshot_hash=run.scores.snapshot_hash,
            approved_by=who,
            approved_at=at,
            note=note,
            config=dict(run.config),
            level=run.level,
            calls=len(run.answers),
            failed=len(run.failed),
            cases=dict(sorted(run.hashes.items())),
            figures={name: case_means(table, column) for column, name in enumerate(names)},
        )
    )


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write the file.

    Raises:
        InputError: it cannot be written.
    """
    text = json.dumps(baseline.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file.

    Raises:
        InputError: there is none, it is broken, or it was changed by hand.
    """
    try:
        found = Baseline.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        known = sorted(other.stem for other in path.parent.glob("*.json"))
        raise InputError("baseline_missing", run=path.stem, file=path, known=", ".join(known) or "-") from error
    except OSError as error:
        raise InputError("gates_unreadable", file=path, detail=error.strerror or error) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        detail = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
        raise InputError("baseline_broken", file=path, detail=detail) from error
    if found.seal != _sealed(found).seal:
        raise InputError("baseline_changed", file=path)
    if any(not isfinite(figure) for figures in found.figures.values() for figure in figures.values()):
        raise InputError("baseline_broken", file=path, detail="figures: NaN")
    return found


def _sealed(baseline: Baseline) -> Baseline:
    values = baseline.model_dump(mode="json", exclude={"seal"})
    return baseline.replace(seal=digest(json.dumps(values, ensure_ascii=False, sort_keys=True)))
