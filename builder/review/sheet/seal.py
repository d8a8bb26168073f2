"""The checksum of a row: tells which locked cell was edited, and whether anything was filled at all."""

import re
from collections.abc import Iterator, Mapping

from builder.review.sheet.columns import FILLED, LOCKED, is_passage
from builder.sheets import normal
from builder.text.fold import folded
from builder.text.ids import digest

_LENGTH = 8
_KEYS = ("id", "revision", "passages")
_GROUPS = (*LOCKED, "passage", "keys", "filled")
_CONTROL = re.compile(r"[\x00-\x1f]|_x00[01][0-9A-Fa-f]_")
"""LibreOffice saves the text `_x000D_` as what other programs read as a control character."""
_SHAPE = re.compile(rf"[0-9a-f]{{{_LENGTH}}}(-[0-9a-f]{{{_LENGTH}}}){{{len(_GROUPS) - 1}}}")


def seal(cells: Mapping[str, str]) -> str:
    """The checksum of a row as it is sent out: one group of hex for each locked column, the keys, and what is filled.

    What a spreadsheet program may change by itself (quotation marks, width, white space) does not count.
    """
    return "-".join(_digests(cells)[group] for group in _GROUPS)


def broken(cells: Mapping[str, str]) -> str | None:
    """The first locked column whose text is not what was sent out; `checksum` where that itself is none.

    A column that was deleted is not missed: nothing was changed in it.
    """
    if not _SHAPE.fullmatch(cells["checksum"].strip()):
        return "checksum"
    sent, now = _sent(cells), _digests(cells)
    if sent["keys"] != now["keys"]:
        return "id"
    there = (group for group in LOCKED if group in cells)
    passages = [column for column in cells if is_passage(column)]
    if (wrong := next((group for group in there if sent[group] != now[group]), None)) is not None:
        return wrong
    complete = len(cells["passages"].split()) <= len(passages)
    return passages[0] if passages and complete and sent["passage"] != now["passage"] else None


def untouched(cells: Mapping[str, str]) -> bool:
    """Nothing was filled that was not there when the row was sent out."""
    if not _SHAPE.fullmatch(cells["checksum"].strip()):
        return not any(cells[column].strip() for column in FILLED)
    return _sent(cells)["filled"] == _digests(cells)["filled"]


def _sent(cells: Mapping[str, str]) -> dict[str, str]:
    return dict(zip(_GROUPS, cells["checksum"].strip().split("-"), strict=True))


def _digests(cells: Mapping[str, str]) -> dict[str, str]:
    texts = dict(_texts(cells))
    return {group: digest(*texts[group], length=_LENGTH) for group in _GROUPS}


def _texts(cells: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for column in LOCKED:
        yield column, (_loose(cells.get(column, "")),)
    passages = sorted(column for column in cells if is_passage(column) and cells[column].strip())
    yield "passage", tuple(_loose(cells[column]) for column in passages)
    yield "keys", tuple(cells.get(key, "").strip() for key in _KEYS)
    yield "filled", tuple(normal(cells.get(column, "")) for column in FILLED)


def _loose(text: str) -> str:
    return folded(_CONTROL.sub("", text))
