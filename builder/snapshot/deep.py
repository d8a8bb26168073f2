"""The contents of a snapshot, line by line: records, order, references, quotes, states."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.record import Record
from builder.model.snapshot import Manifest
from builder.snapshot.evidence import all_evidence, fault
from builder.snapshot.freeze import why_not
from builder.snapshot.lines import (
    CASES,
    CHUNKS,
    DOCUMENTS,
    MANIFEST,
    is_canonical,
    load,
    parse_case,
    parse_chunk,
    parse_document,
    read_lines,
)
from builder.snapshot.listing import first_of

_Record = TypeVar("_Record", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    file: str
    """The file."""
    code: str
    """A key of the word lists below `snapshot.finding.`."""
    line: int | None = None
    """The line, from 1."""
    detail: str = ""
    """What exactly."""


def check_contents(folder: Path, manifest: Manifest) -> tuple[Finding, ...]:
    """What is wrong in the lines of a snapshot whose hashes are right. Cases are read one at a time."""
    findings: list[Finding] = []
    documents = _read(folder / DOCUMENTS, parse_document, "doc_id", findings)
    known = {document.doc_id: document.metadata for _, document in documents}
    chunks: list[Chunk] = []
    for number, chunk in _read(folder / CHUNKS, lambda values: parse_chunk(values, known), "chunk_id", findings):
        chunks.append(chunk)
        if chunk.doc_id not in known:
            findings.append(Finding(file=CHUNKS, line=number, code="no_document", detail=chunk.doc_id))
    index = ChunkIndex(chunks)
    counts: Counter[str] = Counter()
    for number, case in _read(folder / CASES, parse_case, "case_id", findings):
        counts[case.review_state.value] += 1
        findings += _case(number, case, index, manifest)
    if dict(counts) != manifest.included:
        findings.append(Finding(file=MANIFEST, code="included", detail=f"{dict(counts)} / {manifest.included}"))
    return tuple(findings)


def _read(
    path: Path, parse: Callable[[dict[str, Any]], _Record], key: str, findings: list[Finding]
) -> Iterator[tuple[int, _Record]]:
    """The records of a file with their line numbers; what is wrong with a line goes to `findings`."""
    before = ""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            values = load(line)
            record = parse(values)
            code = "" if is_canonical(values, line) else "not_canonical"
        except (ValueError, TypeError) as error:
            findings.append(Finding(file=path.name, line=number, code="bad_line", detail=first_of(error)))
            continue
        found = str(getattr(record, key))
        if code or found <= before:
            findings.append(Finding(file=path.name, line=number, code=code or "order", detail=found))
        before = found
        yield number, record


def _case(number: int, case: Case, index: ChunkIndex, manifest: Manifest) -> Iterator[Finding]:
    if reason := why_not(case, manifest.include_unreviewed):
        yield Finding(file=CASES, line=number, code="does_not_count", detail=f"{case.case_id}: {reason}")
    if case.dataset != manifest.dataset:
        yield Finding(file=CASES, line=number, code="other_dataset", detail=f"{case.case_id}: {case.dataset}")
    for evidence in all_evidence(case):
        if wrong := fault(evidence, index.chunk_of(evidence)):
            yield Finding(file=CASES, line=number, code=wrong, detail=f"{case.case_id}: {evidence.quote[:40]}")
