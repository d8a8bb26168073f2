"""builder doctor."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Json, Lang
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.app.doctor_records import Finding

_CALLED = "model_failed"
"""The finding that somebody outside failed."""


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(
    models: Annotated[bool, typer.Option("--models", help="Make one tiny call to each model that is set.")] = False,
    model: Annotated[str | None, typer.Option("--model", help="With --models: one more model.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Say what this machine has and lacks. Without --models no network call is made."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.doctor import examine

        found = examine(Path.cwd())
        if models:
            from builder.app.doctor_models import examine_models

            found += examine_models(Path.cwd(), model)
        console.json([finding.model_dump(mode="json") for finding in found])
        for finding in found:
            console.text(f"{console.say(f'doctor.{finding.outcome}')}  {_line(console, finding)}")
        if any(finding.outcome == "fail" for finding in found):
            raise typer.Exit(_exit_code(found))


def _line(console: Console, finding: "Finding") -> str:
    values = dict(finding.values)
    if "reason" in values:
        values["reason"] = console.say(f"generate.failure.{values['reason']}")
    return console.say(f"doctor.{finding.name}", **values)


def _exit_code(found: "Sequence[Finding]") -> ExitCode:
    """A model that fails is an outside failure, unless something here is broken too."""
    broken = any(finding.outcome == "fail" and finding.name != _CALLED for finding in found)
    return ExitCode.FAILURE if broken else ExitCode.OUTSIDE
