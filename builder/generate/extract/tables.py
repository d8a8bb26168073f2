"""Cells of a table: row label and column name ask, the cell answers.

Rows are read as the chunker writes them: `name：value；name：value` or `name: value; name: value`, one row a line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.generate.extract.common import Candidate, amounts, spread, tidy, topic
from builder.generate.writer import NumberedPassage
from builder.text.ids import digest
from builder.text.language import is_cjk

_EMPTY = frozenset({"", "无", "-", "—", "–", "/", "none", "n/a", "否", "是", "同上"})
_CODE = re.compile(r"(?=[^\W_]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w-]*$|^[A-Z]\d.* to [A-Z]?\d")
_UNIT = re.compile(r"\s*[（(]([^（）()]{1,8})[）)]$")
_NUMBER = re.compile(r"[\d][\d,.]*$")
_REFERENCE = re.compile(r"见\s*\d|见[上下附]|同上|\bsee \d|\bas above", re.IGNORECASE)
_ACTION = re.compile(r"(?:处理|处置|解决|排除)(?:方法|办法|措施|方式)?$")
_CLASSIFIER = {"月": "个月", "周": "周", "小时": "小时"}
_COUNTED = re.compile(r"^(?:days|hours|weeks|months|years|minutes|points|copies|units)\b", re.IGNORECASE)
_NAMELESS = re.compile(r"备注|说明|序号|remarks?|notes?|^no\.?$|^#$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: names and values, and its range in the passage."""

    names: tuple[str, ...]
    """Column names."""
    values: tuple[str, ...]
    """Cells."""
    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last."""


def cells(passage: NumberedPassage) -> Iterator[Candidate]:
    """One candidate a cell, rows in turn; only of rows that their label tells apart."""
    rows = [row for row in _rows(passage) if row.names == _names(passage)]
    keys = _key_columns(rows)
    if keys:
        ask = _chinese if any(map(is_cjk, "".join(rows[0].names))) else _english
        asked = [
            [c for c in (ask(passage, row, keys, n) for n in _value_columns(row, keys)) if c] for row in _mixed(rows)
        ]
        yield from spread([row[turn % len(row) :] + row[: turn % len(row)] for turn, row in enumerate(asked) if row])


def _mixed(rows: Sequence[Row]) -> list[Row]:
    """Rows in an order that is neither theirs nor by chance: the first cases shall not all be about the first rows."""
    return sorted(rows, key=lambda row: digest(*row.values))


def _names(passage: NumberedPassage) -> tuple[str, ...]:
    """The names of the first row that has several."""
    return next((row.names for row in _rows(passage) if len(row.names) > 1), ())


def _rows(passage: NumberedPassage) -> Iterator[Row]:
    comma, colon = ("；", "：") if "：" in passage.text else ("; ", ": ")
    at = 0
    for line in passage.text.splitlines(keepends=True):
        fields = [field.partition(colon) for field in line.strip().split(comma)]
        if len(fields) > 1 and all(name and value for name, _, value in fields):
            start = at + len(line) - len(line.lstrip())
            names, values = zip(*((tidy(name), tidy(value)) for name, _, value in fields), strict=True)
            yield Row(names=names, values=values, start=start, end=start + len(line.strip()))
        at += len(line)


def _key_columns(rows: Sequence[Row]) -> int:
    """How many leading columns tell the rows apart: 1 or 2; 0 where they do not, or nothing is left to ask for."""
    for count in (1, 2):
        labels = [row.values[:count] for row in rows]
        if len(set(labels)) == len(labels) and rows and len(rows[0].names) > count:
            return count
    return 0


def _value_columns(row: Row, keys: int) -> Iterator[int]:
    for column in range(keys, len(row.names)):
        value = row.values[column]
        if value.casefold() not in _EMPTY and not _REFERENCE.search(value) and not _NAMELESS.search(row.names[column]):
            yield column


def _chinese(passage: NumberedPassage, row: Row, keys: int, column: int) -> Candidate | None:
    name, unit = _name_and_unit(row.names[column])
    value = row.values[column]
    if unit and not _NUMBER.match(value):
        return None
    label, tail = _label(row, keys), _asked(unit, value)
    if _CODE.search(row.names[column]):
        place = topic(passage)
        question = f"{place + '中，' if place else ''}{name} 的{_plain(row.values[0])}{tail}？"
    elif _ACTION.match(name):
        question = f"{label}怎么处理？"
    else:
        question = f"{label}的{name}{tail}？"
    return _candidate(question, row, column, 70)


def _asked(unit: str, value: str) -> str:
    if unit:
        return f"是多少{_CLASSIFIER.get(unit, unit)}"
    found = amounts(value)
    if _NUMBER.match(value) or (found and found[0].start == 0 and found[-1].end == len(value)):
        return "是多少"
    return "是什么"


def _label(row: Row, keys: int) -> str:
    values = [_plain(value) for value in row.values[:keys]]
    if keys == 1 and (_CODE.search(values[0]) or _NUMBER.match(values[0])):
        values.insert(0, _plain(row.names[0]))
    label = " ".join(values)
    return f"{label} " if label[-1:].isascii() else label


def _plain(name: str) -> str:
    """The Chinese part of a two-language name (`额定功率 Rated power`)."""
    found = re.match(r"(.*[\u4e00-\u9fff）)])\s+[A-Z][A-Za-z /-]*(?:\([^()]*\))?$", name)
    return found.group(1) if found else name


def _name_and_unit(name: str) -> tuple[str, str]:
    plain = _plain(name)
    found = _UNIT.search(plain)
    return (plain[: found.start()], found.group(1)) if found and _is_unit(found.group(1)) else (plain, "")


def _is_unit(word: str) -> bool:
    return bool(amounts(f"3 {word}"))


def _english(passage: NumberedPassage, row: Row, keys: int, column: int) -> Candidate | None:
    name, value = row.names[column], row.values[column]
    place = topic(passage)
    lead = f"{place}: " if place else ""
    if _CODE.search(name):
        question = f"{lead}what is “{row.values[0]}” for {name}?"
    elif _COUNTED.match(name) and _NUMBER.match(value):
        question = f"{lead}how many {_lower(name)} apply where {_lower(row.names[0])} is “{row.values[0]}”?"
    else:
        where = ", ".join(f"{_lower(row.names[n])} is “{row.values[n]}”" for n in range(keys))
        question = f"{lead}what is the {_lower(name)} where {where}?"
    return _candidate(question[0].upper() + question[1:], row, column, 70)


def _lower(name: str) -> str:
    return name if name[1:2].isupper() else name[0].lower() + name[1:]


def _candidate(question: str, row: Row, column: int, score: int) -> Candidate | None:
    value = row.values[column]
    if len(question) > 160 or value in question:
        return None
    return Candidate(question=question, answer=value, quote=(row.start, row.end), score=score)
