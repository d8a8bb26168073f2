"""builder doctor."""

from pathlib import Path

import typer

from builder.cli.console import session
from builder.cli.options import Json, Lang
from builder.errors import ExitCode


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(as_json: Json = False, lang: Lang = None) -> None:
    """Say what this machine has and lacks. No network call is made."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.doctor import examine

        found = examine(Path.cwd())
        console.json([finding.model_dump(mode="json") for finding in found])
        for finding in found:
            mark = console.say(f"doctor.{finding.outcome}")
            console.text(f"{mark}  {console.say(f'doctor.{finding.name}', **finding.values)}")
        if any(finding.outcome == "fail" for finding in found):
            raise typer.Exit(ExitCode.FAILURE)
