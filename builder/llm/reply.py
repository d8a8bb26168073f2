"""Items out of a model's reply. What is half there is never made whole.

Order of work: thoughts off, then every JSON value from the first bracket on, item by item, so that a reply that was cut
keeps exactly its complete items. Repair is tried on a single item, only where the reply finished and its brackets
balance: repair of a cut text invents finished items.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from builder.llm.wide import is_wide, narrowed

ITEM_KEYS = frozenset({"question", "query", "q", "user_input", "input", "问题", "问", "提问"})
"""A value with one of these keys is an item, whatever lists it holds."""
_INNER_KEYS = frozenset(
    {"claims", "sentences", "sentence", "source_index", "sources", "quotes", "evidence", "conversation", "主张", "句"}
)
_DECODER = json.JSONDecoder(strict=False, parse_float=str, parse_constant=str)
_START = re.compile(r"""\{(?=\s*["'}])|\[(?=\s*[\[{"\]])""")
_EMPTY = re.compile(r"[\[:]\s*\[?\s*\]\s*\}?\W*$")
_THOUGHTS = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>")
_THOUGHTS_END = re.compile(r"</(?:think|thinking|thought|reasoning)>")
_SPACE = re.compile(r"[\s,]*")
_AFTER_ITEM = re.compile(r"\s*(?:[,\]}\[{`]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsRead:
    """What stands in a reply."""

    items: tuple[object, ...]
    """Values of the item list in order; the place here is the item's position. Anything but a dict is no item."""
    cut: bool
    """The reply ends within its list: items behind the end are lost."""
    note: str = ""
    """`repaired`, `empty` (an empty list), `unreadable` (no item, no list) or nothing to say."""


class _Read(NamedTuple):
    values: list[object]
    end: int
    whole: bool
    repaired: bool = False


def read_items(text: str, finished: bool) -> ItemsRead:
    """The items of a reply. `finished`: the server says that the model came to its end by itself.

    Understood: `{"items": […]}` or any other key that holds a list of objects, a bare list, one object, several
    objects, JSON lines, each with prose, fences or a think block around it, and full-width signs in place of JSON's
    own. Decimals stay as they are written.
    """
    body = _without_thoughts(text)
    read = _read(body, finished)
    if not is_wide(body):
        return read
    other = _read(narrowed(body), finished)
    return other if not read.items or _count(other.items) > _count(read.items) else read


def _read(body: str, finished: bool) -> ItemsRead:
    try:
        values, cut, repaired = _scan(body, finished and _balanced(body))
    except RecursionError:
        values, cut, repaired = [], True, False
    if not _count(values):
        return ItemsRead(items=(), cut=cut, note="empty" if _EMPTY.search(body) else "unreadable")
    return ItemsRead(items=tuple(values), cut=cut, note="repaired" if repaired else "")


def _count(values: Iterable[object]) -> int:
    return sum(isinstance(value, dict) for value in values)


def _without_thoughts(text: str) -> str:
    """What stands behind the last `</think>`, whose opening tag may be in the prompt. Thoughts without end: nothing."""
    ends = list(_THOUGHTS_END.finditer(text))
    if ends:
        return text[ends[-1].end() :]
    return "" if _THOUGHTS.match(text) else text


def _scan(text: str, repair: bool) -> tuple[list[object], bool, bool]:
    values: list[object] = []
    at, cut, repaired = 0, False, False
    while found := _START.search(text, at):
        read = _value(text, found.start(), repair)
        if any(isinstance(value, dict) for value in read.values):
            values += read.values
        at, cut, repaired = read.end, not read.whole, repaired or read.repaired
    return values, cut, repaired


def _value(text: str, at: int, repair: bool) -> _Read:
    """The items of the value at `at`."""
    if text[at] == "[":
        return _array(text, at + 1, repair)
    try:
        value, end = _DECODER.raw_decode(text, at)
        return _Read(_unwrapped(value), end, True)
    except ValueError:
        pass
    inner = _open_list(text, at)
    if inner is not None:
        read = _array(text, inner, repair)
        close = _skip(text, read.end)
        return read._replace(end=close + 1) if read.whole and text[close : close + 1] == "}" else read
    return _repaired(text, at) if repair else _Read([], len(text), False)


def _array(text: str, at: int, repair: bool) -> _Read:
    """The items of the list whose content begins at `at`, up to its end or to where it breaks off."""
    values: list[object] = []
    repaired = False
    while (at := _skip(text, at)) < len(text):
        if text[at] == "]":
            return _Read(values, at + 1, True, repaired)
        read = _value(text, at, repair)
        values += read.values
        repaired = repaired or read.repaired
        if not read.whole:
            return _Read(values, len(text), False, repaired)
        at = read.end
    return _Read(values, len(text), False, repaired)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unwrapped(value: object) -> list[object]:
    """The items that a decoded value stands for: itself, or those of the lists that it wraps."""
    if not isinstance(value, dict):
        return [value]
    wrapped: list[object] = []
    for key, inner in value.items():
        if key in ITEM_KEYS and not wrapped:
            return [value]
        if _is_list_of_items(key, inner):
            wrapped += [item for element in inner for item in _unwrapped(element)]
    if wrapped:
        return wrapped
    inner_objects = [inner for inner in value.values() if isinstance(inner, dict)]
    if inner_objects and (len(inner_objects) == len(value) or any(map(_holds_items, inner_objects))):
        return [item for inner in inner_objects for item in _unwrapped(inner)]
    return [] if not value or _is_empty(value) else [value]


def _is_empty(value: Mapping[str, object]) -> bool:
    """True for what wraps a list in which nothing is."""
    return any(
        _is_empty(inner) if isinstance(inner, dict) else inner == [] and key not in _INNER_KEYS
        for key, inner in value.items()
    )


def _holds_items(value: Mapping[str, object]) -> bool:
    """True for an item, and for what wraps a list of them."""
    return any(key in ITEM_KEYS or _is_list_of_items(key, inner) for key, inner in value.items())


def _is_list_of_items(key: str, inner: object) -> bool:
    return isinstance(inner, list) and key not in _INNER_KEYS and any(isinstance(element, dict) for element in inner)


def _open_list(text: str, at: int) -> int | None:
    """Where the content of a list begins that the broken object at `at` wraps; none where it is an item itself."""
    at = _skip(text, at + 1)
    try:
        while text[at : at + 1] == '"':
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, at)
            if text[at : at + 1] != ":" or key in ITEM_KEYS or key in _INNER_KEYS:
                return None
            at = _skip(text, at + 1)
            if text[at : at + 1] == "[":
                return at + 1
            at = _skip(text, _DECODER.raw_decode(text, at)[1])
    except ValueError:
        return _open_list(text, at) if text[at : at + 1] == "{" else None
    return None


def _repaired(text: str, at: int) -> _Read:
    """One broken object of a finished reply, repaired strictly; an unreadable one keeps its place in the count."""
    end = _closing(text, at)
    if end is None or not _AFTER_ITEM.match(text, end):
        return _Read([], len(text), False)
    from json_repair import repair_json

    try:
        value = repair_json(text[at:end], return_objects=True, strict=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        value = None
    return _Read(_unwrapped(value), end, True, isinstance(value, dict))


def _closing(text: str, at: int) -> int | None:
    """Offset behind the bracket that closes the one at `at`."""
    depth = 0
    for place, bracket in _brackets(text, at):
        depth += 1 if bracket in "[{" else -1
        if depth == 0:
            return place + 1
    return None


def _balanced(text: str) -> bool:
    open_brackets: list[str] = []
    for _, bracket in _brackets(text, 0):
        if bracket in "[{":
            open_brackets.append(bracket)
        elif not open_brackets or open_brackets.pop() + bracket not in ("[]", "{}"):
            return False
    return not open_brackets


def _brackets(text: str, at: int) -> list[tuple[int, str]]:
    """Brackets outside double-quoted strings, with their places."""
    found: list[tuple[int, str]] = []
    quoted = escaped = False
    for place in range(at, len(text)):
        ch = text[place]
        if quoted:
            quoted, escaped = (ch != '"' or escaped), (ch == "\\" and not escaped)
        elif ch == '"':
            quoted = True
        elif ch in "[]{}":
            found.append((place, ch))
    return found
