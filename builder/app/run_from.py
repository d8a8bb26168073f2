"""builder run --from FILE: answers that were given elsewhere become a run."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low
from typing import Any, NamedTuple

from pydantic import ValidationError

from builder.app.run import default_name, guard_of, note_test_split, run_file, scope, sound_snapshot
from builder.app.run_records import RunAsked, RunReport, held, refuse_others, told_facts
from builder.errors import InputError
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow
from builder.logs.run_rows import RunRows, read_run_rows
from builder.model.case import Case, Split
from builder.model.run import RunHeader, RunRecord
from builder.score.run_file import SUFFIX, write_run
from builder.score.run_lock import locked
from builder.settings import Workspace
from builder.text.fold import folded

_SHOWN = 20


class Lost(NamedTuple):
    """A row that became no answer."""

    row: int
    reason: str
    detail: str


def run_from(workspace: Workspace, asked: RunAsked, file: Path, format: str = "auto") -> RunReport:
    """Make a run of the answers in a file; several answers to one case are its repeats.

    Rows are mapped by the case's id, else by the question, width, case and white space aside. There are as many repeats
    as most cases have answers: one that was asked more often than others makes no failures of theirs.

    Raises:
        UsageError: no such format, a name that is not allowed, or an option that is for asking.
        InputError: no such snapshot or file, no row that belongs to a case, or there is a run of that name.
    """
    refuse_others(asked, (), "--from")
    snapshot = sound_snapshot(workspace, asked.snapshot)
    cases = scope(snapshot, asked)
    guard = guard_of(snapshot)
    read = read_run_rows(file, format, guard)
    records, lost = _records(read, cases)
    if not records:
        first = lost[0].detail if lost else "-"
        raise InputError("run_from_none", file=file, snapshot=asked.snapshot, rows=len(read.rows), first=first[:80])
    path = run_file(workspace, asked.name or default_name(asked, file.name.removesuffix(file.suffix)))
    repeats = max(record.repeat for record in records)
    facts, _ = guard.clean({"config": told_facts(asked.config)})
    header = RunHeader(
        snapshot=snapshot.manifest.name,
        snapshot_hash=snapshot.manifest.content_hash,
        config={"target": f"{read.format}:{read.file}"} | facts["config"],
        seed=asked.seed,
        repeats=repeats,
        splits=asked.splits,
        limit=asked.limit,
    )
    with locked(path):
        if path.exists():
            raise InputError("run_exists", run=path.name.removesuffix(SUFFIX), file=path)
        uses = note_test_split(workspace, path, snapshot, cases, read.format, anew=True)
        write_run(path, header, records)
    return RunReport(
        run=path.name.removesuffix(SUFFIX),
        file=str(path),
        snapshot=header.snapshot,
        target=f"{read.format}:{read.file}",
        cases=len(cases),
        repeats=repeats,
        there=len(records),
        failed=sum(record.error is not None for record in records),
        missing=len(cases) * repeats - len(records),
        redacted=dict(read.redacted),
        holds=held(records),
        test_cases=sum(case.split is Split.TEST for case in cases),
        test_uses=uses,
        format=read.format,
        rows=len(read.rows) + len(read.problems),
        unmapped=dict(Counter(one.reason for one in lost)),
        unmapped_rows=tuple(lost[:_SHOWN]),
    )


def _records(read: RunRows, cases: Sequence[Case]) -> tuple[list[RunRecord], list[Lost]]:
    lost = [_lost(problem) for problem in read.problems]
    by_id = {case.case_id: case for case in cases}
    by_question: dict[str, list[Case]] = {}
    for case in cases:
        by_question.setdefault(folded(case.question), []).append(case)
    times: Counter[str] = Counter()
    made: list[tuple[int, RunRecord]] = []
    for row in read.rows:
        fitting = [by_id[row.case_id]] if row.case_id in by_id else by_question.get(folded(row.question), [])
        found = _record(row, fitting, times)
        if isinstance(found, Lost):
            lost.append(found)
        else:
            made.append((row.number, found))
    usual = median_low(times.values()) if times else 0
    lost += [Lost(row, "surplus", record.question or "") for row, record in made if record.repeat > usual]
    return [record for _, record in made if record.repeat <= usual], sorted(lost)


def _record(row: RunRow, fitting: Sequence[Case], times: Counter[str]) -> RunRecord | Lost:
    said = row.question or row.case_id
    if not fitting:
        return Lost(row.number, "no_case", said)
    if len(fitting) > 1:
        return Lost(row.number, "several_cases", said)
    case = fitting[0]
    values: dict[str, Any] = dict(row.values)
    if values.keys() <= {"latency_ms"}:
        values["error"] = "no_answer: the file tells nothing of it"
    try:
        record = RunRecord(**values | {"case_id": case.case_id, "repeat": times[case.case_id] + 1})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return Lost(row.number, "bad_row", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    times[case.case_id] += 1
    return record.replace(question=case.question)


def _lost(problem: RowProblem) -> Lost:
    return Lost(problem.row, problem.code, problem.detail)
