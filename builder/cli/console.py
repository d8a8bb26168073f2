"""The one console: results on stdout, talk on stderr, nothing of a document ever interpreted."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from builder.errors import BuilderError, ExitCode
from builder.words import Words, words

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from builder.settings import Workspace


_LONG = frozenset({"text", "question"})
"""Columns that are cut to the width of the screen; all others wrap."""
_ENDLESS = 5000


class Console:
    """What a command prints with."""

    def __init__(self, say: Words, *, as_json: bool) -> None:
        self.say = say
        self.as_json = as_json

    @property
    def width(self) -> int:
        """Columns of the screen, as far as lines are well read; 100 where there is none."""
        return min(110, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100

    def out(self, key: str, /, **values: object) -> None:
        """One line of results, from the word lists. Not printed with --json."""
        if not self.as_json:
            _write(sys.stdout, self.say(key, **values))

    def text(self, line: str) -> None:
        """One line of results as it is. Not printed with --json."""
        if not self.as_json:
            _write(sys.stdout, line)

    def talk(self, key: str, /, **values: object) -> None:
        """One line of talk, on stderr."""
        _write(sys.stderr, self.say(key, **values))

    def error(self, error: BuilderError) -> None:
        """The line of an error, on stderr."""
        _write(sys.stderr, error.line(self.say))

    def json(self, value: Any) -> None:
        """The result as JSON, only with --json."""
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[int] = ()) -> None:
        """A table of results; `heads` are keys below `head.`, `right` the columns of numbers. Not with --json."""
        if self.as_json:
            return
        from rich import box
        from rich.console import Console as Screen
        from rich.table import Table

        from builder.text.screen import inert

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        numbers = set(right)
        for place, head in enumerate(heads):
            fits = {"no_wrap": True, "overflow": "ellipsis"} if head in _LONG else {"overflow": "fold"}
            table.add_column(self.say(f"head.{head}"), justify="right" if place in numbers else "left", **fits)
        for row in rows:
            table.add_row(*(_cell(inert(str(value))) for value in row))
        # A pipe has no width: there every row is one line, however long.
        screen = Screen(highlight=False, markup=False, width=None if sys.stdout.isatty() else _ENDLESS)
        screen.print(table)


def _cell(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _write(stream: Any, line: str) -> None:
    from builder.text.screen import inert

    stream.write(inert(line) + "\n")
    stream.flush()


class Bar:
    """Progress on stderr: a bar on a terminal, nothing elsewhere."""

    def __init__(self, say: Words) -> None:
        self._say = say
        self._bar: RichProgress | None = None
        self._task: Any = None

    def begin(self, task: str, total: int | None) -> None:
        """Show a bar for `task` (a key below `task.`)."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console as Screen
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        note = TextColumn("{task.fields[note]}", markup=False)
        self._bar = Progress(*columns, TimeRemainingColumn(), note, console=Screen(stderr=True), transient=True)
        self._task = self._bar.add_task(self._say(f"task.{task}"), total=total, note="")
        self._bar.start()

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Move on."""
        if self._bar is not None:
            from builder.text.screen import clip, inert

            self._bar.update(self._task, advance=steps, note=clip(inert(note), 40))

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def say(self, line: str) -> None:
        """A line beside the bar."""
        _write(sys.stderr, line)


@contextmanager
def session(*, as_json: bool = False, lang: str | None = None) -> Iterator[Console]:
    """A console for one command; errors become one line and an exit code."""
    console = Console(words(_language(lang)), as_json=as_json)
    try:
        yield console
    except BuilderError as error:
        console.error(error)
        raise typer.Exit(error.exit_code) from error
    except KeyboardInterrupt as error:
        console.talk("cli.interrupted")
        raise typer.Exit(ExitCode.INTERRUPTED) from error


def workspace_here(console: Console) -> "Workspace":
    """The workspace around the current folder; where there is none, one is made in it, and that is said."""
    from builder.app.workspace import find_or_init

    workspace, new = find_or_init(Path.cwd())
    if new:
        console.talk("init.made", where=workspace.root)
    return workspace


def _language(asked: str | None) -> str:
    """--lang, else builder.toml, else LANG."""
    if asked:
        return asked
    from builder.settings import find_workspace

    try:
        if found := find_workspace(Path.cwd()).settings.lang:
            return found
    except BuilderError:
        # The command itself will say what is wrong; here it is only about the language.
        return _system_language()
    return _system_language()


def _system_language() -> str:
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"
