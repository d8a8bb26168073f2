"""builder init."""

from pathlib import Path
from typing import Annotated

import typer

from builder.cli.console import session
from builder.cli.options import Json, Lang


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(help="Where; made if absent.")] = Path(),
    sample: Annotated[bool, typer.Option("--sample", help="Copy the sample documents and logs into it.")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Make a workspace: builder.toml, docs/, data/, snapshots/."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.workspace import init as make

        workspace, made = make(folder, sample=sample)
        console.json({"workspace": str(workspace.root), "made": list(made)})
        console.out("init.done", where=workspace.root, count=len(made))
        console.out("init.next_sample" if sample else "init.next")
