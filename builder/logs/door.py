"""The one door through which logs come in: read, understand, redact. Nothing else makes a LogRecord."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from builder.errors import InputError
from builder.logs.fields import LOG_NAMES, Columns, as_texts, as_turns, find_columns
from builder.logs.files import Row, Table, read_table
from builder.logs.ratings import plain, read_rating, scale
from builder.logs.record import LogFile, LogRecord, Rating, RowProblem
from builder.model.case import Turn
from builder.redact import redact, redact_record
from builder.text.fold import folded
from builder.text.ids import digest


def read_log(path: Path, format: str = "auto", field_map: Mapping[str, str] | None = None) -> LogFile:
    """Read a log; every text in the records is redacted.

    Args:
        path: the file.
        format: an entry of `files.FORMATS`, or auto.
        field_map: columns by field (dotted paths reach inwards); see `fields.LOG_NAMES` for the fields.

    Raises:
        UsageError: no such format, or no such field in `field_map`.
        InputError: the file cannot be read, or no column holds the question.
    """
    table = read_table(path, format)
    columns = find_columns(table.file, [row.values for row in table.rows], LOG_NAMES, field_map)
    _need_question(table, columns)
    ratings = [plain(columns.value(row.values, "rating")) for row in table.rows]
    highest = scale(ratings)
    counts: Counter[str] = Counter()
    problems = list(table.problems)
    records = []
    for row, word in zip(table.rows, ratings, strict=True):
        rating = _rating(row, word, highest, problems)
        records.append(_record(table.format.system, _draft(row.values, columns), rating, counts))
    return LogFile(
        file=table.file,
        format=table.format.name,
        records=tuple(records),
        problems=tuple(sorted(problems, key=lambda problem: problem.row)),
        taken=columns.taken(),
        ignored=columns.ignored(table.columns),
        redacted=dict(counts),
    )


def _need_question(table: Table, columns: Columns) -> None:
    if not columns.paths["question"] and not columns.paths["conversation"]:
        raise InputError("import_no_question", file=table.file, columns=", ".join(table.columns))


def _rating(row: Row, word: str, highest: float, problems: list[RowProblem]) -> Rating | None:
    try:
        return read_rating(word, highest)
    except ValueError:
        problems.append(RowProblem(row=row.number, code="unknown_rating", detail=redact(word).text))
        return None


def _draft(row: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """The fields of a record, not redacted yet."""
    draft: dict[str, Any] = {
        name: columns.text(row, name) for name in ("question", "answer", "comment", "id", "time", "user", "link")
    }
    draft["contexts"] = as_texts(columns.value(row, "contexts"))
    asked = _messages(columns.value(row, "question"))
    said = [turn.text for turn in asked if turn.role == "user"]
    turns = as_turns(columns.value(row, "conversation")) or asked
    return draft | _split(turns, said[-1] if said else draft["question"], draft["answer"])


def _messages(value: Any) -> tuple[Turn, ...]:
    """Chat messages that stand in place of a question, plain or as `messages` of an object."""
    return as_turns(value.get("messages") if isinstance(value, Mapping) else value)


def _split(turns: Sequence[Turn], question: str, answer: str) -> dict[str, Any]:
    """Earlier turns, question and answer. A conversation may end with the question, or with question and answer."""
    earlier = list(turns)
    if earlier and earlier[-1].role == "assistant" and answer in ("", earlier[-1].text) and _asks(earlier, question):
        answer = earlier.pop().text
    if earlier and earlier[-1].role == "user" and question in ("", earlier[-1].text):
        question = earlier.pop().text
    return {"question": question, "answer": answer, "conversation": [turn.model_dump() for turn in earlier]}


def _asks(turns: Sequence[Turn], question: str) -> bool:
    return len(turns) > 1 and turns[-2].role == "user" and question in ("", turns[-2].text)


def _record(system: str, draft: Mapping[str, Any], rating: Rating | None, counts: Counter[str]) -> LogRecord:
    given = draft["id"]
    cleaned = redact_record({name: value for name, value in draft.items() if name != "id"})
    counts.update(cleaned.counts)
    fields = cleaned.value
    return LogRecord(
        **fields | {name: fields[name] or None for name in ("time", "user", "link")},
        record_id=given if given and not redact(given).counts else _content_hash(fields),
        system=system,
        rating=rating,
    )


def _content_hash(fields: Mapping[str, Any]) -> str:
    """Names a record without an id of its own, or whose id is personal data: never a hash of that id."""
    turns = [turn["text"] for turn in fields["conversation"]]
    return digest(*map(folded, (fields["question"], fields["answer"], fields["time"], *turns)), length=16)
