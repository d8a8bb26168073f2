"""builder review."""

from pathlib import Path

import typer

from builder.cli.console import session
from builder.cli.options import Dataset, Json, Lang, Who


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)


def review(dataset: Dataset = None, who: Who = None, as_json: Json = False, lang: Lang = None) -> None:
    """Decide about cases in the terminal: question, answer and source text together."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.review import review as run
        from builder.settings import find_workspace

        workspace = find_workspace(Path.cwd())
        for line in run(workspace, console.say, dataset=dataset, who=who):
            console.text(line)
