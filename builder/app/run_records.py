"""What a run is asked to do, and what it reports."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from pydantic import Field

from builder.errors import UsageError
from builder.model.case import Split
from builder.model.record import Record
from builder.model.run import RunRecord

CONCURRENCY = 4
TIMEOUT = 60.0
TOP = 10
_OPTIONS = {
    "target": "--target",
    "repeats": "--repeat",
    "retry_failed": "--retry-failed",
    "top": "--top",
    "fields": "--field",
    "body": "--body",
    "headers": "--header",
}
"""Options that do not go with everything."""
_SHOWN = ("answer", "status", "retrieved", "reranked", "context", "context_text", "citations", "tool_calls")


class RunAsked(Record):
    """The options of `builder run`."""

    snapshot: str
    """Name of the snapshot."""
    target: str = "bm25"
    """bm25, module:function, or an address."""
    name: str | None = None
    """Name of the run; none: made of snapshot, target and splits."""
    concurrency: int = Field(default=CONCURRENCY, ge=1)
    """Calls at a time."""
    timeout: float = Field(default=TIMEOUT, gt=0)
    """Seconds a call."""
    repeats: int = Field(default=1, ge=1)
    """How often each case is asked."""
    splits: tuple[Split, ...] = ()
    """Only cases of these splits; empty: all."""
    limit: int | None = Field(default=None, ge=1)
    """At most so many cases."""
    seed: int = 0
    """Seed of the choice within a limit."""
    config: dict[str, str] = Field(default_factory=dict)
    """The user's facts about the system."""
    top: int = Field(default=TOP, ge=1)
    """bm25: passages an answer."""
    body: Path | None = None
    """Address: file with the template of the body."""
    headers: tuple[str, ...] = ()
    """Address: header lines; `{NAME}` is filled from the environment."""
    fields: dict[str, str] = Field(default_factory=dict)
    """Dotted paths by field of the answer."""
    retry_failed: bool = False
    """Ask again what failed before."""


class RunReport(Record):
    """What became of a run."""

    run: str
    """Its name."""
    file: str
    """Its file."""
    snapshot: str
    """The snapshot that was asked."""
    target: str
    """What was asked."""
    cases: int
    """Cases that were to be asked."""
    repeats: int = 1
    """How often each."""
    there: int = 0
    """Answers that were there before."""
    asked: int = 0
    """Calls that were made now."""
    failed: int = 0
    """Of all answers to be had: those that failed, and were not had since."""
    missing: int = 0
    """Answers that are still to be had."""
    errors: dict[str, int] = Field(default_factory=dict)
    """Failed calls of this time, by kind."""
    last_error: str = ""
    """What the last of them said."""
    stopped: bool = False
    """The first calls all failed, and the others were not made."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """What was taken out of the answers, by kind."""
    holds: dict[str, int] = Field(default_factory=dict)
    """How many of the answers tell a field."""
    test_cases: int = 0
    """Cases of the test split among those to be asked."""
    test_uses: int = 0
    """Runs that have asked the test split of this snapshot."""
    format: str = ""
    """The reader, where the answers come from a file."""
    rows: int = 0
    """Rows of that file."""
    unmapped: dict[str, int] = Field(default_factory=dict)
    """Rows that belong to no case, by reason."""
    unmapped_rows: tuple[tuple[int, str, str], ...] = ()
    """The first of them: row, reason, what it says."""

    @property
    def broken(self) -> bool:
        """Nothing was answered, though something was asked."""
        return self.stopped or (self.asked > 0 and sum(self.errors.values()) == self.asked)


def told_facts(config: Mapping[str, str]) -> dict[str, str]:
    """The user's facts in the order of their names."""
    return dict(sorted(config.items()))


def refuse_others(asked: RunAsked, allowed: Collection[str], what: str) -> None:
    """What cannot be heeded is refused, not passed over.

    Raises:
        UsageError: an option was given that does not go with `what`.
    """
    usual = RunAsked(snapshot=asked.snapshot)
    given = (name for name in _OPTIONS if getattr(asked, name) != getattr(usual, name))
    if odd := [name for name in given if name not in allowed]:
        raise UsageError("run_option", option=_OPTIONS[odd[0]], what=what)


def held(records: Iterable[RunRecord], fields: Collection[str] = ()) -> dict[str, int]:
    """How many answers tell a field; 0 only for fields that were asked for by name."""
    answered = [record for record in records if record.error is None]
    wanted = {"context" if name == "contexts" else name for name in fields}
    counts = {
        name: sum(getattr(record, name) is not None for record in answered)
        for name in dict.fromkeys((*_SHOWN, *sorted(wanted)))
    }
    return {name: count for name, count in counts.items() if answered and (count or name in wanted)}
