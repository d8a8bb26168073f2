"""builder import: complaints come in as disabled cases, manual lists as cases."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from builder.app.add import evidence_in
from builder.app.checking import checked
from builder.app.people import reviewer_name
from builder.errors import InputError
from builder.logs.door import read_log
from builder.logs.feedback import feedback_cases
from builder.logs.manual import ManualImport, read_manual
from builder.logs.record import RowProblem
from builder.model.case import Case
from builder.model.record import Record
from builder.settings import Workspace
from builder.store import Store, open_store

MANUAL = "manual"


class ImportReport(Record):
    """What became of one file."""

    file: str
    """File name."""
    format: str
    """The reader that read it."""
    new: int = 0
    """Cases that were not known."""
    known: int = 0
    """Cases that were imported before; they are left as they are."""
    waiting: int = 0
    """Of the new ones: those that wait for an answer."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Records that became no case of their own, by reason."""
    problems: tuple[tuple[int, str, str], ...] = ()
    """Rows that were not taken: row, reason, detail."""
    taken: dict[str, str] = Field(default_factory=dict)
    """Which column was taken for which field."""
    ignored: tuple[str, ...] = ()
    """Columns that were taken for nothing."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """Personal data that was taken out, by kind."""


def import_files(
    workspace: Workspace,
    files: Sequence[Path],
    *,
    kind: str = "auto",
    field_map: Mapping[str, str] | None = None,
    dataset: str | None = None,
    who: str | None = None,
    dry_run: bool = False,
) -> tuple[ImportReport, ...]:
    """Import each file, in order; the same file again adds nothing. Personal data is taken out before anything is kept.

    `kind` is `manual` for lists of questions with answers, else the format of a log (auto: by name and content).

    Raises:
        UsageError: an unknown format or field.
        InputError: a file cannot be read, or holds no question column. Files before it are imported.
    """
    if absent := [path for path in files if not path.is_file()]:
        raise InputError("no_path", path=absent[0])
    name = reviewer_name(workspace, who)
    goal = dataset or workspace.settings.dataset
    with open_store(workspace.store_url) as store:
        return tuple(
            _manual(store, path, goal, field_map, name, dry_run=dry_run)
            if kind == MANUAL
            else _feedback(store, path, goal, kind, field_map, name, dry_run=dry_run)
            for path in files
        )


def _feedback(
    store: Store,
    path: Path,
    dataset: str,
    kind: str,
    field_map: Mapping[str, str] | None,
    who: str,
    *,
    dry_run: bool,
) -> ImportReport:
    log = read_log(path, kind, field_map)
    found = feedback_cases(log.records, dataset, log.file)
    left_out = {
        "not_negative": found.not_negative,
        "without_question": found.without_question,
        "merged": found.merged,
        "repeated": found.repeated,
    }
    return ImportReport(
        file=log.file,
        format=log.format,
        left_out={reason: count for reason, count in left_out.items() if count},
        problems=tuple(map(_row, log.problems)),
        taken=dict(log.taken),
        ignored=log.ignored,
        redacted=dict(log.redacted),
        **_counts(store, found.cases, dataset, who, dry_run=dry_run),
    )


def _manual(
    store: Store, path: Path, dataset: str, field_map: Mapping[str, str] | None, who: str, *, dry_run: bool
) -> ImportReport:
    found = read_manual(path, dataset, field_map=field_map)
    cases, unknown = _with_evidence(store, found)
    return ImportReport(
        file=found.file,
        format=found.format,
        problems=(*map(_row, found.problems), *unknown),
        taken=dict(found.taken),
        ignored=found.ignored,
        redacted=dict(found.redacted),
        **_counts(store, cases, dataset, who, dry_run=dry_run),
    )


def _with_evidence(store: Store, found: ManualImport) -> tuple[list[Case], list[tuple[int, str, str]]]:
    """Cases with the chunks that their rows name. An unknown id leaves the case without evidence, and is said."""
    done: list[Case] = []
    unknown: list[tuple[int, str, str]] = []
    for case in found.cases:
        try:
            groups = tuple((evidence_in(store, chunk_id),) for chunk_id in found.expected.get(case.case_id, ()))
        except InputError as error:
            groups = ()
            unknown.append((found.rows[case.case_id], "unknown_chunk", str(error.values["chunk"])))
        done.append(checked(store, case.replace(evidence_groups=groups)))
    return done, unknown


def _counts(store: Store, cases: Sequence[Case], dataset: str, who: str, *, dry_run: bool) -> dict[str, int]:
    known = {case.case_id for case in store.cases.list(dataset)}
    new = [case for case in cases if case.case_id not in known]
    if not dry_run:
        store.cases.add(new, who, reason="import")
    return {
        "new": len(new),
        "known": len(cases) - len(new),
        "waiting": sum(not case.complete for case in new),
    }


def _row(problem: RowProblem) -> tuple[int, str, str]:
    return problem.row, problem.code, problem.detail
