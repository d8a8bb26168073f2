"""The gates of `builder score --gates`: read, asked, and written for continuous integration."""

from datetime import UTC, datetime
from pathlib import Path

from builder.app.run_places import Places
from builder.model.gate import GateKind, Release
from builder.score.gates.baseline import read_baseline
from builder.score.gates.judge import judge, release
from builder.score.gates.rules import RULES, of_kind
from builder.score.gates.settings import read_gates
from builder.score.gates.waivers import read_waivers
from builder.score.measured import Measured


def judged_release(places: Places, measured: Measured, gates: Path, baseline: str | None) -> Release:
    """What all gates say of a run.

    Raises:
        InputError: no such gates file or baseline, or a broken one.
    """
    path = places.gates_file(gates)
    asked = read_gates(path, of_kind(GateKind.HARD), of_kind(GateKind.MANUAL))
    waivers = read_waivers(path.parent / "waivers.toml", RULES)
    approved = read_baseline(_baseline(places, path, baseline)) if baseline else None
    outcomes = judge(measured, asked, approved, waivers, today=datetime.now(UTC).date())
    return release(measured, asked, approved, outcomes)


def _baseline(places: Places, gates: Path, name: str) -> Path:
    """Where the approved run lies: beside the gates file, or at a path."""
    given = places.folder / name
    return given if given.suffix == ".json" and given.is_file() else gates.parent / "baselines" / f"{name}.json"
