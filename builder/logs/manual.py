"""Lists that people wrote by hand: questions with their answers."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import InputError
from builder.logs.fields import Columns, Names, as_texts, find_columns
from builder.logs.files import Row, read_table
from builder.logs.record import RowProblem
from builder.model.case import Case, Origin, QuestionType, ReviewState, Source
from builder.redact import redact, redact_record
from builder.text.fold import folded
from builder.text.ids import digest, imported_case_id

MANUAL_NAMES: Names = {
    "id": ("id", "case_id", "编号", "序号"),
    "question": ("question", "query", "user_input", "input", "问题", "提问"),
    "ground_truth": (
        "ground_truth", "answer", "reference", "reference_answer", "expected_output", "expected_answer",
        "标准答案", "参考答案", "正确答案", "答案", "回答",
    ),
    "answerable": ("answerable", "可回答", "能否回答", "是否可回答"),
    "expected_ids": (
        "expected_ids", "expected_chunk_ids", "reference_chunk_ids", "reference_context_ids", "chunk_ids",
        "片段编号", "来源片段", "期望片段",
    ),
}  # fmt: skip
"""Column names of manual lists."""

_YES = frozenset(("true", "yes", "y", "1", "1.0", "是", "能", "可以", "可回答", ""))
_NO = frozenset(("false", "no", "n", "0", "0.0", "否", "不能", "不可以", "不可回答"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualImport:
    """The cases of one list."""

    file: str
    """File name, without its folder."""
    format: str
    """The entry of `files.FORMATS` that read it."""
    cases: tuple[Case, ...]
    """The cases, in file order."""
    expected: Mapping[str, tuple[str, ...]]
    """Chunk ids that a row names, by case id; whether they exist, the store knows."""
    rows: Mapping[str, int]
    """Row numbers, by case id."""
    without_answer: int
    """Cases that wait for an answer; `add.why_answer` says why they must."""
    problems: tuple[RowProblem, ...]
    """Rows that were not taken."""
    taken: Mapping[str, str]
    """Which column was taken for which field."""
    ignored: tuple[str, ...]
    """Columns that were taken for nothing."""
    redacted: Mapping[str, int]
    """What was taken out, by kind."""


def read_manual(
    path: Path, dataset: str, format: str = "auto", field_map: Mapping[str, str] | None = None
) -> ManualImport:
    """Read a list of questions; every text is redacted. Bad rows are problems, the others go on.

    Raises:
        UsageError: no such format, or no such field in `field_map`.
        InputError: the file cannot be read, or no column holds the question.
    """
    table = read_table(path, format)
    columns = find_columns(table.file, [row.values for row in table.rows], MANUAL_NAMES, field_map)
    if not columns.paths["question"]:
        raise InputError("import_no_question", file=table.file, columns=", ".join(table.columns))
    counts: Counter[str] = Counter()
    drafts = [_draft(row, columns, table.file, dataset, counts) for row in table.rows]
    problems = [*table.problems, *(draft for draft in drafts if isinstance(draft, RowProblem))]
    rows = _once(tuple(draft for draft in drafts if isinstance(draft, _Draft)), problems)
    return ManualImport(
        file=table.file,
        format=table.format.name,
        cases=tuple(draft.case for draft in rows),
        expected={draft.case.case_id: draft.expected for draft in rows if draft.expected},
        rows={draft.case.case_id: draft.row for draft in rows},
        without_answer=sum(not draft.case.complete for draft in rows),
        problems=tuple(sorted(problems, key=lambda problem: problem.row)),
        taken=columns.taken(),
        ignored=columns.ignored(table.columns),
        redacted=dict(counts),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    row: int
    record_id: str
    case: Case
    expected: tuple[str, ...]


def _draft(row: Row, columns: Columns, file: str, dataset: str, counts: Counter[str]) -> _Draft | RowProblem:
    texts = redact_record({name: columns.text(row.values, name) for name in ("question", "ground_truth")})
    counts.update(texts.counts)
    question, answer = texts.value["question"], texts.value["ground_truth"]
    word = columns.text(row.values, "answerable").casefold()
    if not question:
        return RowProblem(row=row.number, code="no_question")
    if word not in _YES | _NO:
        return RowProblem(row=row.number, code="unknown_answerable", detail=redact(word).text)
    given = columns.text(row.values, "id")
    record_id = given if given and not redact(given).counts else digest(question, answer, length=16)
    case = _case(file, dataset, record_id, question, answer, answerable=word in _YES)
    return _Draft(
        row=row.number, record_id=record_id, case=case, expected=_ids(columns.value(row.values, "expected_ids"))
    )


def _case(file: str, dataset: str, record_id: str, question: str, answer: str, *, answerable: bool) -> Case:
    return Case(
        case_id=imported_case_id(dataset, record_id, folded(question)),
        dataset=dataset,
        question=question,
        ground_truth=answer,
        answerable=answerable,
        source=Source.MANUAL,
        origin=Origin(system=file, record_ids=(record_id,)),
        question_type=QuestionType.SINGLE_FACT if answerable else QuestionType.UNANSWERABLE,
        review_state=ReviewState.UNREVIEWED if answer or not answerable else ReviewState.NEEDS_ANSWER,
    )


def _once(rows: tuple[_Draft, ...], problems: list[RowProblem]) -> tuple[_Draft, ...]:
    """The first row of each id; a second one is a problem that names the first."""
    first: dict[str, _Draft] = {}
    for draft in rows:
        known = first.setdefault(draft.record_id, draft)
        if known is not draft:
            problems.append(RowProblem(row=draft.row, code="repeated_id", detail=str(known.row)))
    return tuple(first.values())


def _ids(value: Any) -> tuple[str, ...]:
    """Ids as a list, or in one cell with commas, semicolons, bars or spaces between them: no id holds one."""
    return tuple(dict.fromkeys(part for text in as_texts(value) for part in re.split(r"[\s,;|，；、]+", text) if part))
