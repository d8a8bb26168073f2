"""Run files: runs/NAME.jsonl, the header first, then one line a case and repeat."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from builder.errors import InputError
from builder.model.run import SCHEMA_VERSION, RunHeader, RunRecord
from builder.score.json_lines import append, numbered, parsed, write_new

SUFFIX = ".jsonl"
VERDICTS = ".verdicts.jsonl"


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run as read back."""

    name: str
    """Its name: the file's, without ending."""
    header: RunHeader
    """What was asked, and of what."""
    records: tuple[RunRecord, ...]
    """One a case and repeat, in the order of the file; of several for the same one the last."""
    replaced: int = 0
    """Lines that a later one for the same case and repeat replaced."""

    @cached_property
    def by_key(self) -> dict[tuple[str, int], RunRecord]:
        """The records by case and repeat."""
        return {(record.case_id, record.repeat): record for record in self.records}

    @cached_property
    def by_case(self) -> dict[str, tuple[RunRecord, ...]]:
        """The records by case, in the order of their repeats."""
        found: dict[str, list[RunRecord]] = {}
        for record in self.records:
            found.setdefault(record.case_id, []).append(record)
        return {case_id: tuple(sorted(some, key=lambda record: record.repeat)) for case_id, some in found.items()}


def run_name(path: Path) -> str:
    """The name of the run in a file."""
    return path.name.removesuffix(SUFFIX)


def read_run(path: Path) -> Run:
    """The run in a file.

    Raises:
        InputError: it cannot be read, has no header, is of a newer version, or a line is no record; the line is named.
    """
    lines = numbered(path, growing=True)
    first = next(lines, None)
    if first is None:
        raise InputError("run_empty", file=path)
    if b'"snapshot"' not in first[1]:
        raise InputError("run_header", file=path, line=first[0])
    header = parsed(RunHeader, first[1], path, first[0])
    _known_version(header.schema_version, path, first[0])
    records: dict[tuple[str, int], RunRecord] = {}
    count = 0
    for number, line in lines:
        record = parsed(RunRecord, line, path, number)
        _known_version(record.schema_version, path, number)
        records[record.case_id, record.repeat] = record
        count += 1
    return Run(name=run_name(path), header=header, records=tuple(records.values()), replaced=count - len(records))


def write_run(path: Path, header: RunHeader, records: Iterable[RunRecord] = ()) -> None:
    """Begin a run file, whole or not at all; one that is there is never overwritten.

    Raises:
        InputError: it is there already, or cannot be written.
    """
    write_new(path, (header, *records))


def append_records(path: Path, records: Iterable[RunRecord]) -> None:
    """Add answers to a run file, on disk when this returns.

    Raises:
        InputError: it cannot be written.
    """
    append(path, records)


def run_schema() -> dict[str, Any]:
    """The JSON Schema of a line: a header or a record."""
    from pydantic.json_schema import models_json_schema

    _, schema = models_json_schema(
        [(RunHeader, "validation"), (RunRecord, "validation")], ref_template="#/$defs/{model}"
    )
    refs = [{"$ref": f"#/$defs/{model.__name__}"} for model in (RunHeader, RunRecord)]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A line of a run file"}
    return head | {"anyOf": refs} | schema


def _known_version(version: int, path: Path, number: int) -> None:
    if version != SCHEMA_VERSION:
        raise InputError("run_line", file=path, line=number, detail=f"schema_version {version}")
