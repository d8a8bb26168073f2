"""One answer that a system gave, as its log tells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from builder.model.case import Turn
from builder.model.record import Record

Rating = Literal["down", "up"]

GENERIC = "log"
"""The system of a file that no reader knows by name; CSV and JSONL alike, so that the same log gives the same cases."""


class LogRecord(Record):
    """One answer. Made by `door.read_log` only, which redacts every text."""

    record_id: str
    """The log's own id; where it has none, or the id is personal data, a hash of the content."""
    system: str
    """The system that wrote the log, or `log`."""
    time: str | None = None
    """When, as written."""
    question: str
    """What was asked; empty where the log does not say."""
    answer: str = ""
    """What the system answered."""
    contexts: tuple[str, ...] = ()
    """What it had retrieved."""
    rating: Rating | None = None
    """What the user thought of it."""
    comment: str = ""
    """Why, in the user's words."""
    user: str | None = None
    """Who asked."""
    conversation: tuple[Turn, ...] = ()
    """Earlier turns, oldest first."""
    link: str | None = None
    """Where the record can be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """Why a row, or a value in it, was not taken."""

    row: int
    """CSV: number in a spreadsheet, the header is 1. JSONL: line. JSON: item, from 1."""
    code: str
    """A key of the word lists below `import.problem.`."""
    detail: str = ""
    """The value, or what the parser said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFile:
    """A log as read."""

    file: str
    """File name, without its folder."""
    format: str
    """The entry of `files.FORMATS` that read it."""
    records: tuple[LogRecord, ...]
    """The records, in file order."""
    problems: tuple[RowProblem, ...]
    """Rows that could not be read, and ratings that could not be understood."""
    taken: Mapping[str, str]
    """Which column (several: joined by ", ") was taken for which field."""
    ignored: tuple[str, ...]
    """Columns that were taken for nothing."""
    redacted: Mapping[str, int]
    """What was taken out, by kind."""
