"""builder gates: a proposal from a run, and the runs that others are held against."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from builder.app.people import reviewer_name
from builder.app.run_places import Places
from builder.app.score_run import Asked, scored_run
from builder.errors import InputError, UsageError
from builder.model.gate import GateKind
from builder.score.gates.baseline import Baseline, baseline_of, read_baseline, write_baseline
from builder.score.gates.proposal import proposal
from builder.score.gates.rules import of_kind
from builder.score.gates.settings import read_gates
from builder.score.measured import Measured
from builder.score.run_file import run_name
from builder.settings import Settings, Workspace
from builder.words import Words

__all__ = ["Approved", "GatesAsked", "approve", "propose"]
_FILE = "release.toml"


class GatesAsked(Asked):
    """Which run, and how it is scored."""

    run: str
    """Name or file of the run."""


class Approved(NamedTuple):
    """A baseline and its file."""

    file: Path
    """Where it lies."""
    baseline: Baseline
    """What it says."""
    replaced: Baseline | None
    """What the file said before."""


def propose(folder: Path, asked: GatesAsked, output: Path | None, say: Words) -> Path:
    """Write a commented gates file for runs like this one, gates/release.toml unless told otherwise. Returns the file.

    Raises:
        InputError: no such run or snapshot, or the file is there already.
    """
    places = Places.around(folder)
    path = folder / output if output else places.gates / _FILE
    if path.exists():
        raise InputError("file_exists", file=path)
    text = proposal(_measured(places, asked), say, datetime.now(UTC).date())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error
    read_gates(path, of_kind(GateKind.HARD), of_kind(GateKind.MANUAL))
    return path


def approve(folder: Path, asked: GatesAsked, who: str | None, note: str = "", *, replace: bool = False) -> Approved:
    """Make a run the baseline that others are held against: gates/baselines/RUN.json, with who and when.

    Raises:
        InputError: no such run or snapshot, nothing was scored, a figure is no number, or nobody to name.
        UsageError: the run is approved already, and nobody said that it shall be so anew.
    """
    places = Places.around(folder)
    measured = _measured(places, asked)
    workspace = places.workspace or Workspace(root=folder, settings=Settings())
    path = places.gates / "baselines" / f"{run_name(Path(measured.name))}.json"
    before = read_baseline(path) if path.exists() else None
    if before is not None and not replace:
        raise UsageError("baseline_there", run=before.run, who=before.approved_by, day=f"{before.approved_at:%Y-%m-%d}")
    baseline = baseline_of(measured, reviewer_name(workspace, who), datetime.now(UTC), note)
    write_baseline(path, baseline)
    return Approved(path, baseline, before)


def _measured(places: Places, asked: GatesAsked) -> Measured:
    return scored_run(places, asked.run, asked).measured
