"""Line by line: for screen readers, simple terminals and small windows. The same core, the same acts, no screen.

What is printed stays: a case from top to bottom, what was said, then one prompt with the keys that hold now.
"""

import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from builder.errors import UsageError
from builder.review import bars, view
from builder.review.keys import BY_ACT, DIGITS, Act
from builder.review.plain import printed as printed_case
from builder.review.rows import SMALLEST, Row
from builder.review.session import Session
from builder.review.state import Mode, State
from builder.review.strip import Strip, flat
from builder.words import Words

_WIDEST = 100
_PAGES = (Mode.HELP, Mode.CLASH, Mode.DIFFERENCE)
"""Modes that stand in place of the case; here they are printed once, and the case is at hand again."""
_MOVES = frozenset({Act.UP, Act.DOWN, Act.PAGE_UP, Act.PAGE_DOWN, Act.FOCUS})
"""Keys that move what is on a screen."""
_NAMES = {"esc", "tab"}


def in_lines() -> bool:
    """The terminal cannot move its cursor, or its window is too small for the screen."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return True
    columns, rows = shutil.get_terminal_size()
    return columns < SMALLEST[0] or rows < SMALLEST[1]


@dataclass(slots=True)
class LineTerminal:
    """Standard input and output, a line at a time.

    Raises:
        UsageError: they are no terminal.
    """

    prompt: str = "> "
    """What stands before the next line."""
    bare: str = ""
    """The key that an empty line is."""

    def __post_init__(self) -> None:
        if not (os.isatty(0) and os.isatty(1)):
            raise UsageError("review_terminal")

    def open(self) -> None:
        """Nothing is to be taken."""

    def close(self) -> None:
        """Nothing is to be given back."""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return shutil.get_terminal_size()

    def paint(self, rows: tuple[Row, ...]) -> None:
        """Print rows below each other."""
        self.write(tuple(row.text().plain.rstrip() for row in rows))

    def write(self, lines: tuple[str, ...]) -> None:
        """Print lines."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def read(self) -> str:
        """The key that a line names; `hangup` at the end of input."""
        while True:
            line = self._line(self.prompt)
            if line is None:
                return "hangup"
            if key := key_of(line) or self.bare:
                return key

    def ask(self, prompt: str) -> str | None:
        """One line of text; none where it was cancelled."""
        return self._line(f"{prompt.strip()} ")

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Nothing is in the way of another program."""
        yield

    def _line(self, prompt: str) -> str | None:
        import readline

        readline.set_auto_history(False)
        try:
            return input(prompt)
        except UnicodeDecodeError:
            return ""
        except (EOFError, KeyboardInterrupt):
            sys.stdout.write("\n")
            return None


def key_of(line: str) -> str:
    """The key that a line names: its character, or the name of a key that has none; empty for an empty line."""
    text = unicodedata.normalize("NFKC", line).strip()
    return text.lower() if text.lower() in _NAMES else {"、": "/", "【": "[", "】": "]"}.get(text, text)


@dataclass(slots=True)
class _Printed:
    """What is on the paper already."""

    case: object = None


def printer(terminal: LineTerminal) -> Callable[[Session, State], State]:
    """Prints what a state has new, and sets the prompt."""
    printed = _Printed()

    def show(session: Session, state: State) -> State:
        width = max(20, min(_WIDEST, terminal.size()[0]))
        terminal.write(tuple(_new(printed, state, session.say, width)))
        if state.mode in _PAGES:
            state = replace(state, mode=Mode.VIEW, top=0, clash=None, original=None)
        terminal.prompt, terminal.bare = _prompt(state, session.say)
        return state

    return show


def _new(printed: _Printed, state: State, say: Words, width: int) -> Iterator[str]:
    if state.mode in _PAGES:
        yield from _page(state, say, width)
        return
    now = (state.item, state.offering, state.offers, state.focus, state.revealed, state.index, state.expression)
    if now != printed.case:
        yield from _case(state, say, width)
        printed.case = now
    if state.mode is Mode.VIEW:
        yield from _texts([bars.message(state, say)])
    else:
        yield from (line for line in view.bottom_lines(state, say, width) if line)


def _case(state: State, say: Words, width: int) -> Iterator[str]:
    yield ""
    yield from _texts([bars.header(state, say, width, pace=True), bars.progress(state, say, width)])
    if state.item is None:
        yield from _texts(bars.finished(state, say))
    yield from printed_case(state, say, width)


def _page(state: State, say: Words, width: int) -> Iterator[str]:
    """What stands in place of the case, whole."""
    yield from view.body_lines(replace(state, top=0), say, max(width, SMALLEST[0]))


def _texts(lines: list[Strip]) -> Iterator[str]:
    texts = ("".join(text for text, _ in line).strip() for line in lines)
    return (text for text in texts if text)


def _prompt(state: State, say: Words) -> tuple[str, str]:
    """The keys that hold now, and the key that an empty line is."""
    if state.mode is not Mode.VIEW:
        return f"{say('review.line_cancel')}> ", "esc"
    names = [BY_ACT[act].names[0] for acts, _ in bars.valid(state) for act in acts if act not in _MOVES]
    names = ["1-9" if name in DIGITS else name for name in dict.fromkeys(names)]
    case_id = flat(state.item.case.case_id) if state.item else ""
    return f"{say('review.title')} {case_id} [{','.join((*names, '?', 'q'))}]> ", ""
