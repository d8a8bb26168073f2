"""The keys: one table for footer, help and manual, and the decoding of what a terminal sends.

Letters come first; every main action has a second key that no input method swallows.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class Act(StrEnum):
    """What a key does outside a prompt. The words are below `review.key.` and `review.help.`."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    NOTE = "note"
    PIN = "pin"
    ALTERNATIVE = "alternative"
    NEGATIVE = "negative"
    SEARCH = "search"
    UNANSWERABLE = "unanswerable"
    RIGHT = "right"
    SKIP = "skip"
    UNDO = "undo"
    REDO = "redo"
    NEXT = "next"
    PREVIOUS = "previous"
    DOWN = "down"
    UP = "up"
    PAGE_DOWN = "page_down"
    PAGE_UP = "page_up"
    EVIDENCE_NEXT = "evidence_next"
    EVIDENCE_PREVIOUS = "evidence_previous"
    FOCUS = "focus"
    BACK = "back"
    DIFFERENCE = "difference"
    JUMP = "jump"
    FILTER = "filter"
    BATCH = "batch"
    PICTURE = "picture"
    REVEAL = "reveal"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One row of the table."""

    act: Act
    """What is done."""
    names: tuple[str, ...]
    """Key names as `decode` gives them, the one to show first."""
    decides: bool = False
    """It writes: dropped when typed before the item could be read."""


DIGITS = tuple("123456789")

KEYS: tuple[Key, ...] = (
    Key(act=Act.APPROVE, names=("a", "enter"), decides=True),
    Key(act=Act.REJECT, names=("x", "delete"), decides=True),
    Key(act=Act.EDIT, names=("e",)),
    Key(act=Act.NOTE, names=("m",)),
    Key(act=Act.PIN, names=DIGITS, decides=True),
    Key(act=Act.ALTERNATIVE, names=("=",), decides=True),
    Key(act=Act.NEGATIVE, names=("h",), decides=True),
    Key(act=Act.SEARCH, names=("/",)),
    Key(act=Act.UNANSWERABLE, names=("k",), decides=True),
    Key(act=Act.RIGHT, names=("y",), decides=True),
    Key(act=Act.SKIP, names=("s", "space"), decides=True),
    Key(act=Act.UNDO, names=("u", "backspace")),
    Key(act=Act.REDO, names=("U",)),
    Key(act=Act.NEXT, names=("n", "right")),
    Key(act=Act.PREVIOUS, names=("p", "left")),
    Key(act=Act.DOWN, names=("down", "j")),
    Key(act=Act.UP, names=("up",)),
    Key(act=Act.PAGE_DOWN, names=("pagedown",)),
    Key(act=Act.PAGE_UP, names=("pageup",)),
    Key(act=Act.EVIDENCE_NEXT, names=("]",)),
    Key(act=Act.EVIDENCE_PREVIOUS, names=("[",)),
    Key(act=Act.FOCUS, names=("tab",)),
    Key(act=Act.BACK, names=("esc",)),
    Key(act=Act.DIFFERENCE, names=("d",)),
    Key(act=Act.JUMP, names=("g",)),
    Key(act=Act.FILTER, names=("f",)),
    Key(act=Act.BATCH, names=("b",)),
    Key(act=Act.PICTURE, names=("v",)),
    Key(act=Act.REVEAL, names=("c",)),
    Key(act=Act.HELP, names=("?", "f1")),
    Key(act=Act.QUIT, names=("q", "ctrl-c")),
)
BY_NAME: dict[str, Key] = {name: key for key in KEYS for name in key.names}
BY_ACT: dict[Act, Key] = {key.act: key for key in KEYS}

_CAPS = {
    "enter": "Enter",
    "delete": "Delete",
    "space": "Space",
    "backspace": "Backspace",
    "right": "→",
    "left": "←",
    "down": "↓",
    "up": "↑",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "tab": "Tab",
    "esc": "Esc",
    "f1": "F1",
    "ctrl-c": "Ctrl-C",
}


def cap(name: str) -> str:
    """What is printed on the key called `name`."""
    return _CAPS.get(name, name)


def caps(key: Key) -> tuple[str, ...]:
    """What is printed on the keys of a row; the digits count as one."""
    return ("1-9",) if key.names == DIGITS else tuple(cap(name) for name in key.names)


_CSI = re.compile(rb"\x1b\[\[?([0-9;?<>=]*)[ -/]*([@-~])")
_PARTIAL = re.compile(rb"\x1b(\[\[?[0-9;?<>=]*[ -/]*|O)?")
_LETTERS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "P": "f1"}
_NUMBERS = {"1": "home", "3": "delete", "4": "end", "5": "pageup", "6": "pagedown", "7": "home", "8": "end", "11": "f1"}
_CONTROLS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", " ": "space"}
# What a Chinese input method sends for these keys; NFKC leaves them as they are.
_PUNCTUATION = {"、": "/", "【": "[", "】": "]"}
_PASTE_BEGINS, _PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"


def decode(data: bytes, *, final: bool = False) -> tuple[tuple[str, ...], bytes]:
    """Names of the keys in `data`, and the bytes that are only the beginning of one.

    Names are characters (folded from full width) or words such as `enter`, `up`, `ctrl-c`, `alt-x`; what was pasted is
    one `paste`. Unknown sequences give nothing. With `final` nothing follows soon: a lone escape is the key `esc`.
    """
    names: list[str] = []
    while data:
        name, length = _first(data)
        if length == 0:
            return (tuple(names), data) if not final else (tuple(names) + _last(data), _kept(data))
        names += [name] if name else []
        data = data[length:]
    return tuple(names), b""


def _first(data: bytes) -> tuple[str, int]:
    """The first key and how many bytes it took; 0 where more must come."""
    if data.startswith(_PASTE_BEGINS):
        end = data.find(_PASTE_ENDS)
        return ("paste", end + len(_PASTE_ENDS)) if end >= 0 else ("", 0)
    if data.startswith(b"\x1b"):
        return _escape(data)
    return _character(data)


def _escape(data: bytes) -> tuple[str, int]:
    if _PARTIAL.fullmatch(data):
        return "", 0
    if found := _CSI.match(data):
        return _sequence(found[1].decode(), found[2].decode(), linux=data.startswith(b"\x1b[[")), found.end()
    if data.startswith(b"\x1bO"):
        return _LETTERS.get(chr(data[2]), ""), 3
    if data.startswith((b"\x1b\x1b", b"\x1b[")):
        return "esc", 1
    name, length = _character(data[1:])
    return (f"alt-{name}", length + 1) if length else ("", 0)


def _sequence(numbers: str, letter: str, *, linux: bool) -> str:
    if linux:
        return "f1" if letter == "A" else ""
    return _NUMBERS.get(numbers.split(";")[0], "") if letter == "~" else _LETTERS.get(letter, "")


def _character(data: bytes) -> tuple[str, int]:
    length = 1 + sum(data[0] >= limit for limit in (0xC0, 0xE0, 0xF0))
    try:
        text = data[:length].decode()
    except UnicodeDecodeError as error:
        short = len(data) < length and error.reason == "unexpected end of data"
        return ("", 0) if short else ("", 1)
    return _name(text), length


def _name(character: str) -> str:
    if character in _CONTROLS:
        return _CONTROLS[character]
    if character < " ":
        return f"ctrl-{chr(ord(character) + 96)}"
    plain = _PUNCTUATION.get(character) or unicodedata.normalize("NFKC", character)
    return _CONTROLS.get(plain, plain)


def _last(data: bytes) -> tuple[str, ...]:
    return ("esc",) if data == b"\x1b" else ()


def _kept(data: bytes) -> bytes:
    """A paste may take its time; of everything else the rest never comes."""
    return data if data.startswith(_PASTE_BEGINS) else b""
