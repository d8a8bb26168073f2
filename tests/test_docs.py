"""README and manual speak of the program that there is."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from builder.cli.main import app
from builder.review.keys import KEYS
from builder.words import words
from tests.folder import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "manual").glob("*.md"))]


def commands() -> Iterator[tuple[str, ...]]:
    def walk(group: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for name, command in getattr(group, "commands", {}).items():
            if not command.hidden:
                yield (*path, name)
                yield from walk(command, (*path, name))

    yield from walk(typer.main.get_command(app), ())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_text_exist(page: Path) -> None:
    known = {" ".join(path) for path in commands()} | {"--help", "--version"}
    said = re.findall(r"`builder ([a-z][a-z ]*)", page.read_text(encoding="utf-8"))
    wrong = [line for line in said if not any(line.strip().startswith(one.split()[0]) for one in known)]
    assert wrong == []


def check_generated(page: Path, name: str, table: str) -> None:
    """The part of a page between its marks is made from the code; GOLDEN=write writes it."""
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(f"<!-- {name} -->\n")
    _, end, tail = rest.partition("<!-- end -->")
    wanted = f"{head}<!-- {name} -->\n{table}{end}{tail}"
    if os.environ.get("GOLDEN") == "write":
        page.write_text(wanted, encoding="utf-8")
    assert text == wanted, "GOLDEN=write pytest tests/test_docs.py"


def test_the_keys_of_the_reviewer() -> None:
    say = words("en")
    rows = []
    for key in KEYS:
        first, *more = ("1-9",) if key.names[0] == "1" else key.names
        others = ", ".join(f"`{name}`" for name in more)
        rows.append(f"| `{first}` | {others} | {say(f'review.help.{key.act}')} |\n")
    check_generated(ROOT / "manual" / "review.md", "keys", "| key | also | |\n|---|---|---|\n" + "".join(rows))


def test_the_list_of_commands() -> None:
    rows = []
    for path in commands():
        command: Any = typer.main.get_command(app)
        for name in path:
            command = command.commands[name]
        if not hasattr(command, "commands"):
            rows.append(f"| `builder {' '.join(path)}` | {' '.join(command.help.split())} |\n")
    check_generated(ROOT / "manual" / "commands.md", "commands", "| command | |\n|---|---|\n" + "".join(rows))
