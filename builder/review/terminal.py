"""A real terminal: keys in, rows out, and everything as it was when we leave. POSIX only.

Signals come through a pipe, so that nothing happens in the middle of a decision.
"""

import io
import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from rich.console import Console

from builder.errors import UsageError
from builder.review.keys import decode
from builder.review.rows import Row

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
_ESCAPE = 0.05
"""Seconds after which a lone escape is a key of its own."""
_KEYS_OF_SIGNALS = {
    signal.SIGWINCH: "resize",
    signal.SIGINT: "ctrl-c",
    signal.SIGTERM: "hangup",
    signal.SIGHUP: "hangup",
    signal.SIGQUIT: "hangup",
    signal.SIGTSTP: "stop",
    signal.SIGCONT: "continue",
}


def _noticed(number: int, frame: FrameType | None) -> None:
    """The wake-up pipe has the number; nothing more is to be done here."""


class TtyTerminal:
    """The terminal of standard input and output.

    Raises:
        UsageError: they are no terminal, or one that cannot move its cursor.
    """

    def __init__(self) -> None:
        if not (os.isatty(0) and os.isatty(1)) or os.environ.get("TERM", "dumb") == "dumb":
            raise UsageError("review_terminal")
        self._console = Console(file=io.StringIO(), force_terminal=True, legacy_windows=False, width=1000, emoji=False)
        self._cooked = termios.tcgetattr(0)
        self._handlers: dict[signal.Signals, object] = {}
        self._keys: list[str] = []
        self._rest = b""
        self._painted: list[str] = []

    def open(self) -> None:
        """Take the screen."""
        self._wake, self._bell = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._bell, False)
        signal.set_wakeup_fd(self._bell, warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, _noticed) for number in _KEYS_OF_SIGNALS}
        self._enter()

    def close(self) -> None:
        """Give the screen back as it was."""
        with suppress(OSError, termios.error):  # the terminal itself may be gone
            self._leave()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(-1)
        os.close(self._wake)
        os.close(self._bell)

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return os.get_terminal_size(1)

    def paint(self, rows: tuple[Row, ...]) -> None:
        """Draw the rows that differ from what is there."""
        drawn = [self._drawn(row) for row in rows]
        old = self._painted + [""] * (len(drawn) - len(self._painted))
        changed = [(place, row) for place, row in enumerate(drawn) if row != old[place] or place >= len(self._painted)]
        self._write("".join(f"\x1b[{place + 1};1H\x1b[0m\x1b[2K{row}" for place, row in changed))
        self._painted = drawn

    def read(self) -> str:
        """The next key; `resize` after the window changed, `hangup` where the terminal is gone."""
        while not self._keys:
            ready, _, _ = select.select([0, self._wake], [], [], _ESCAPE if self._rest else None)
            if self._wake in ready:
                self._signalled()
            elif 0 in ready:
                self._typed()
            else:
                self._decode(b"", final=True)
        return self._keys.pop(0)

    def ask(self, prompt: str) -> str | None:
        """One line of text, typed on the bottom row where input methods work; none where it was cancelled."""
        import readline

        readline.set_auto_history(False)
        self._restore()
        self._write(f"\x1b[0m\x1b[{self.size()[1]};1H\x1b[2K\x1b[?7h\x1b[?25h")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            line = input(f"{prompt} ")
        except (KeyboardInterrupt, EOFError, UnicodeDecodeError):
            return None
        finally:
            signal.signal(signal.SIGINT, _noticed)
            self._enter()
        return None if "\x1b" in line else line

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """The normal screen for another program, for instance an editor."""
        self._leave()
        stop = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            yield
        finally:
            signal.signal(signal.SIGTSTP, stop)
            self._enter()

    def _enter(self) -> None:
        tty.setcbreak(0, termios.TCSAFLUSH)
        self._forget()
        self._write(_ENTER)

    def _leave(self) -> None:
        self._write(_LEAVE)
        self._restore()

    def _restore(self) -> None:
        termios.tcsetattr(0, termios.TCSAFLUSH, self._cooked)

    def _forget(self) -> None:
        """What was typed or painted before holds no more; only a wish to end does."""
        signalled: list[int] = []
        while select.select([self._wake], [], [], 0)[0]:
            signalled += os.read(self._wake, 1024)
        ends = any(_KEYS_OF_SIGNALS.get(signal.Signals(number)) == "hangup" for number in signalled)
        self._keys, self._rest, self._painted = ["hangup"] if ends else [], b"", []

    def _typed(self) -> None:
        try:
            data = os.read(0, 4096)
        except OSError:
            data = b""
        if data:
            self._decode(data)
        else:
            self._keys.append("hangup")

    def _decode(self, data: bytes, *, final: bool = False) -> None:
        names, self._rest = decode(self._rest + data, final=final)
        self._keys += names

    def _signalled(self) -> None:
        for number in os.read(self._wake, 1024):
            match _KEYS_OF_SIGNALS.get(signal.Signals(number)):
                case "stop":
                    self._stop()
                case "continue":
                    self._enter()
                case "ctrl-c" | "hangup" as key:
                    self._keys.append(key)
            self._keys.append("resize")
        self._painted = []
        self._write("\x1b[2J")

    def _stop(self) -> None:
        self._leave()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        self._enter()

    def _drawn(self, row: Row) -> str:
        buffer = self._console.file = io.StringIO()
        for column, text in row.parts:
            buffer.write(f"\x1b[{column + 1}G" if column else "")
            self._console.print(text, end="", soft_wrap=True, highlight=False)
        return buffer.getvalue()

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
