"""builder run: ask a system every question of a snapshot and write down what it answers."""

import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from builder.app.run_records import RunAsked, RunReport, held, told_facts
from builder.app.run_targets import Opened, opened
from builder.errors import InputError, UsageError
from builder.logs.answers import Guard, secrets_in
from builder.model.case import Case, Split
from builder.model.run import RunHeader, RunRecord
from builder.model.snapshot import Snapshot
from builder.progress import Progress
from builder.redact import published
from builder.score.json_lines import mend
from builder.score.run_file import SUFFIX, VERDICTS, Run, append_records, read_run, write_run
from builder.score.run_lock import locked
from builder.score.runner import Job, Rules, Tally, ask_all
from builder.score.scope import in_scope
from builder.score.targets.question import Question
from builder.score.uses import FILE as USES
from builder.score.uses import SplitUse, note_use
from builder.settings import Workspace
from builder.snapshot.lines import ATTRIBUTES
from builder.snapshot.listing import read_snapshot
from builder.snapshot.verify import verify
from builder.snapshot.write import snapshot_name

_NAME = re.compile(r"[^\W_][\w.-]{0,127}")
_TAKEN = VERDICTS.removesuffix(SUFFIX), SUFFIX, "."
"""How no name of a run ends: its file would be something else."""
_CHANGED = ("changed", "missing", "rows", "content_hash", "file_list")
"""Findings after which a snapshot is not what its hash says."""
_OWN_FACTS = ("target", "chunks", "top", "body", "query", "fields")


def run(workspace: Workspace, asked: RunAsked, progress: Progress) -> RunReport:
    """Ask; what is there already is not asked again, so the same command goes on where it was broken off.

    Raises:
        UsageError: a name that is not allowed.
        InputError: no such snapshot or target, no case to ask, another process at the same run, or the run was made
            with other options.
    """
    snapshot = sound_snapshot(workspace, asked.snapshot)
    cases = scope(snapshot, asked)
    with opened(workspace, asked) as target:
        path = run_file(workspace, asked.name or default_name(asked, target.target.name))
        with locked(path):
            return _run(workspace, asked, snapshot, cases, target, path, progress)


def sound_snapshot(workspace: Workspace, name: str) -> Snapshot:
    """The snapshot of that name, with its hashes checked.

    Raises:
        UsageError: no such name is possible.
        InputError: there is none, or it is not what was frozen.
    """
    folder = workspace.snapshots / snapshot_name(name)
    snapshot = read_snapshot(folder)
    if changed := [finding for finding in verify(folder) if finding.code in _CHANGED and finding.file != ATTRIBUTES]:
        raise InputError("snapshot_broken", name=name, file=changed[0].file, detail=changed[0].code)
    return snapshot


def scope(snapshot: Snapshot, asked: RunAsked) -> tuple[Case, ...]:
    """The cases that are to be asked.

    Raises:
        InputError: there are none.
    """
    cases = in_scope(snapshot.cases, splits=asked.splits, limit=asked.limit, seed=asked.seed)
    if not cases:
        raise InputError("run_no_cases", snapshot=asked.snapshot, splits=", ".join(asked.splits) or "-")
    return cases


def run_file(workspace: Workspace, name: str) -> Path:
    """Where the run of that name lies.

    Raises:
        UsageError: it is no name for a run.
    """
    normal = unicodedata.normalize("NFC", name)
    if _NAME.fullmatch(normal) is None or normal.endswith(_TAKEN) or f"{normal}{SUFFIX}" == USES:
        raise UsageError("run_name", name=name)
    return workspace.runs / f"{normal}{SUFFIX}"


def default_name(asked: RunAsked, target: str) -> str:
    """Snapshot, target and splits: the same command has the same name."""
    where = re.sub(r"[^\w.]+", "-", target.partition("://")[2] or target).strip("-.")[:60]
    return "-".join((asked.snapshot, where, *asked.splits))


def guard_of(snapshot: Snapshot, secrets: Sequence[str] = ()) -> Guard:
    """What may not be stored: personal data but for what the documents themselves tell, and secrets."""
    passages = (chunk.text for chunk in snapshot.chunks)
    answers = (case.ground_truth for case in snapshot.cases)
    public = frozenset(found for text in (*passages, *answers) for found in published(text))
    return Guard(secrets=secrets_in(os.environ, secrets), published=public)


def note_test_split(
    workspace: Workspace, path: Path, snapshot: Snapshot, cases: Sequence[Case], target: str, *, anew: bool
) -> int:
    """Count this run if it asks the test split; returns how many have. 0 where it does not."""
    tests = sum(case.split is Split.TEST for case in cases)
    if not tests:
        return 0
    use = SplitUse(
        run=path.name.removesuffix(SUFFIX),
        snapshot=snapshot.manifest.name,
        snapshot_hash=snapshot.manifest.content_hash,
        cases=tests,
        target=target,
        at=datetime.now(UTC),
    )
    return note_use(workspace.runs, use, anew=anew)


def _run(
    workspace: Workspace,
    asked: RunAsked,
    snapshot: Snapshot,
    cases: tuple[Case, ...],
    target: Opened,
    path: Path,
    progress: Progress,
) -> RunReport:
    guard = guard_of(snapshot, target.secrets)
    anew = not path.exists()
    before = _begun(path, _header(asked, snapshot, target, guard))
    jobs = list(_jobs(cases, asked, before))
    uses = note_test_split(workspace, path, snapshot, cases, target.target.name, anew=anew)
    rules = Rules(concurrency=asked.concurrency, timeout=asked.timeout, guard=guard)
    progress.begin("run", len(jobs))
    try:
        tally = ask_all(target.target, jobs, lambda records: append_records(path, records), rules, progress)
    finally:
        progress.end()
    return _report(asked, cases, before, tally, read_run(path), path, target.target.name, uses)


def _header(asked: RunAsked, snapshot: Snapshot, target: Opened, guard: Guard) -> RunHeader:
    if own := sorted(set(asked.config) & set(_OWN_FACTS)):
        raise UsageError("run_config", name=own[0])
    config, _ = guard.clean({"config": told_facts(asked.config)})
    return RunHeader(
        snapshot=snapshot.manifest.name,
        snapshot_hash=snapshot.manifest.content_hash,
        config=dict(target.target.facts) | config["config"],
        seed=asked.seed,
        concurrency=asked.concurrency,
        repeats=asked.repeats,
        splits=asked.splits,
        limit=asked.limit,
    )


def _begun(path: Path, header: RunHeader) -> Run:
    """The run as it stands: begun now, or gone on with.

    Raises:
        InputError: it was begun with other options.
    """
    mend(path)
    if not path.exists() or not path.stat().st_size:
        path.unlink(missing_ok=True)
        write_run(path, header)
    found = read_run(path)
    if differs := _differences(found.header, header):
        raise InputError("run_differs", run=found.name, differs=", ".join(differs))
    return found


def _differences(then: RunHeader, now: RunHeader) -> list[str]:
    """What makes it another run; how many are asked at once does not."""
    names = ("snapshot", "snapshot_hash", "seed", "repeats", "splits", "limit")
    plain = [name for name in names if getattr(then, name) != getattr(now, name)]
    keys = sorted(set(then.config) | set(now.config))
    return plain + [f"config.{key}" for key in keys if then.config.get(key) != now.config.get(key)]


def _jobs(cases: Sequence[Case], asked: RunAsked, before: Run) -> Iterator[Job]:
    """Every case once, then every case again: a run that is broken off has asked as many cases as it could."""
    for repeat in range(1, asked.repeats + 1):
        for case in cases:
            there = before.by_key.get((case.case_id, repeat))
            if there is None or (asked.retry_failed and there.error is not None):
                yield Job(case.case_id, repeat, Question.of(case))


def _report(
    asked: RunAsked,
    cases: Sequence[Case],
    before: Run,
    tally: Tally,
    after: Run,
    path: Path,
    target: str,
    uses: int,
) -> RunReport:
    wanted = {(case.case_id, repeat) for case in cases for repeat in range(1, asked.repeats + 1)}
    had: list[RunRecord] = [record for key, record in after.by_key.items() if key in wanted]
    return RunReport(
        run=after.name,
        file=str(path),
        snapshot=after.header.snapshot,
        target=target,
        cases=len(cases),
        repeats=asked.repeats,
        there=len(wanted & set(before.by_key)),
        asked=tally.asked,
        failed=sum(record.error is not None for record in had),
        missing=len(wanted) - len(had),
        errors=dict(tally.errors),
        last_error=tally.last[:200],
        stopped=tally.stopped,
        redacted=dict(tally.redacted),
        holds=held(had, asked.fields),
        test_cases=sum(case.split is Split.TEST for case in cases),
        test_uses=uses,
    )
