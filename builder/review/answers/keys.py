"""The keys of the review of answers: one table for footer, help and manual."""

from dataclasses import dataclass
from enum import StrEnum

from builder.review.keys import DIGITS, cap


class Act(StrEnum):
    """What a key does outside a prompt. The words are below `answers.key.` and `answers.help.`."""

    CORRECT = "correct"
    WRONG = "wrong"
    REFUSED_RIGHTLY = "refused_rightly"
    REFUSED_WRONGLY = "refused_wrongly"
    CLAIM = "claim"
    MORE_CLAIMS = "more_claims"
    NOTE = "note"
    SKIP = "skip"
    UNDO = "undo"
    REDO = "redo"
    NEXT = "next"
    PREVIOUS = "previous"
    DOWN = "down"
    UP = "up"
    PAGE_DOWN = "page_down"
    PAGE_UP = "page_up"
    MARK_NEXT = "mark_next"
    MARK_PREVIOUS = "mark_previous"
    FOCUS = "focus"
    JUMP = "jump"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One row of the table."""

    act: Act
    """What is done."""
    names: tuple[str, ...]
    """Key names as `keys.decode` gives them, the one to show first."""
    decides: bool = False
    """It writes: dropped when typed before the answer could be read, or held down."""


KEYS: tuple[Key, ...] = (
    Key(act=Act.CORRECT, names=("a", "enter"), decides=True),
    Key(act=Act.WRONG, names=("x", "delete"), decides=True),
    Key(act=Act.REFUSED_RIGHTLY, names=("r", "+"), decides=True),
    Key(act=Act.REFUSED_WRONGLY, names=("f", "-"), decides=True),
    Key(act=Act.CLAIM, names=DIGITS, decides=True),
    Key(act=Act.MORE_CLAIMS, names=("0",)),
    Key(act=Act.NOTE, names=("m", "*")),
    Key(act=Act.SKIP, names=("s", "space"), decides=True),
    Key(act=Act.UNDO, names=("u", "backspace")),
    Key(act=Act.REDO, names=("U",)),
    Key(act=Act.NEXT, names=("n", "right")),
    Key(act=Act.PREVIOUS, names=("p", "left")),
    Key(act=Act.DOWN, names=("down", "j")),
    Key(act=Act.UP, names=("up",)),
    Key(act=Act.PAGE_DOWN, names=("pagedown",)),
    Key(act=Act.PAGE_UP, names=("pageup",)),
    Key(act=Act.MARK_NEXT, names=("]",)),
    Key(act=Act.MARK_PREVIOUS, names=("[",)),
    Key(act=Act.FOCUS, names=("tab",)),
    Key(act=Act.JUMP, names=("g",)),
    Key(act=Act.HELP, names=("?", "f1")),
    Key(act=Act.QUIT, names=("q", "ctrl-c")),
)
BY_NAME: dict[str, Key] = {name: key for key in KEYS for name in key.names}
BY_ACT: dict[Act, Key] = {key.act: key for key in KEYS}


def caps(key: Key) -> tuple[str, ...]:
    """What is printed on the keys of a row; the digits count as one."""
    return ("1-9",) if key.names == DIGITS else tuple(cap(name) for name in key.names)
