"""Options of all commands that score: which snapshot, how deep, what counts as found, whose ids."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from builder.errors import UsageError

KS = "1,3,5,10,20"
"""How many candidates are looked at where nobody says so."""


class Level(StrEnum):
    """What counts as found."""

    PASSAGE = "passage"
    DOCUMENT = "document"


Snapshot = Annotated[
    str | None, typer.Option("--snapshot", help="Its snapshot: name or folder; else the one that the run names.")
]
Ks = Annotated[str, typer.Option("--k", help="How many candidates to look at.")]
Levels = Annotated[Level, typer.Option("--level", help="Found is the passage, or any of its document.")]
Map = Annotated[
    Path | None, typer.Option("--map", help="JSON lines {id, doc_id, span}: what the system's ids stand for.")
]


def ks_of(text: str) -> tuple[int, ...]:
    """1,3,5 as numbers.

    Raises:
        UsageError: no such list.
    """
    names = names_of(text)
    if not names or not all(name.isascii() and name.isdigit() and 0 < int(name) <= 10_000 for name in names):
        raise UsageError("score_k", given=text)
    return tuple(sorted({int(name) for name in names}))


def names_of(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(dict.fromkeys(name.strip() for name in text.replace("，", ",").split(",") if name.strip()))
