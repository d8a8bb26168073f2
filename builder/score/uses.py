"""Uses of the test split: runs/uses.jsonl. A set that is looked at often is no test any more, so looks are counted."""

from datetime import datetime
from pathlib import Path

from builder.errors import InputError
from builder.model.case import Split
from builder.model.record import Record
from builder.score.json_lines import append, numbered, parsed

FILE = "uses.jsonl"
SCHEMA_VERSION = 1


class SplitUse(Record):
    """One run that asked cases of the test split."""

    schema_version: int = SCHEMA_VERSION
    """Version of the file format."""
    run: str
    """The run."""
    snapshot: str
    """The snapshot."""
    snapshot_hash: str
    """Its content hash."""
    split: Split = Split.TEST
    """The split."""
    cases: int
    """How many cases of it were to be asked."""
    target: str = ""
    """What was asked."""
    at: datetime
    """When, UTC."""


def read_uses(runs: Path) -> tuple[SplitUse, ...]:
    """All uses that are written down, oldest first; none where there is no file.

    Raises:
        InputError: a line is none; the line is named.
    """
    path = runs / FILE
    lines = numbered(path, growing=True) if path.exists() else ()
    found = [(number, parsed(SplitUse, line, path, number)) for number, line in lines]
    for number, use in found:
        if use.schema_version != SCHEMA_VERSION:
            raise InputError("run_line", file=path, line=number, detail=f"schema_version {use.schema_version}")
    return tuple(use for _, use in found)


def uses_of(runs: Path, snapshot_hash: str) -> int:
    """How many runs have asked the test split of this snapshot."""
    return sum(use.snapshot_hash == snapshot_hash for use in read_uses(runs))


def note_use(runs: Path, use: SplitUse, *, anew: bool = False) -> int:
    """Write a use down, once a run however often it is gone on with. Returns how many there are of this snapshot.

    Args:
        runs: the folder of runs.
        use: the use.
        anew: the run begins now; one of that name that was removed has had its look all the same.

    Raises:
        InputError: the file is broken, or cannot be written.
    """
    known = {(one.run, one.snapshot_hash) for one in read_uses(runs)}
    if anew or (use.run, use.snapshot_hash) not in known:
        append(runs / FILE, [use])
    return uses_of(runs, use.snapshot_hash)
