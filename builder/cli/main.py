"""Mounts the commands."""

import gc
import os
import sys
from typing import Annotated

import typer

from builder import __version__
from builder.cli import (
    add,
    apply,
    cases,
    chunks,
    compare,
    coverage,
    demo,
    doctor,
    gates,
    generate,
    importing,
    ingest,
    init,
    review,
    run,
    score,
    sheet,
    snapshot,
)
from builder.errors import ExitCode

_GARBAGE_EVERY = 50_000
"""A command keeps nearly all that it makes: looking for garbage as often as usual costs some 5 % of an ingest."""

app = typer.Typer(
    name="builder",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Make and keep the golden dataset that a RAG system is measured with.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"builder {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options that stand before the command."""


for _module in (
    demo,
    init,
    ingest,
    coverage,
    chunks,
    generate,
    review,
    run,
    score,
    sheet,
    apply,
    add,
    importing,
    cases,
    snapshot,
    compare,
    gates,
    doctor,
):
    _module.mount(app)


def main() -> None:
    """Run a command. An error that is nobody's plan is one line, and a traceback only with -vv."""
    gc.set_threshold(_GARBAGE_EVERY)
    verbose = "-vv" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "-vv"]
    # Plugins of other packages are of no use here, and looking for them costs each start some 30 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        app(arguments)
    except Exception as error:
        if verbose:
            raise
        sys.stderr.write(f"builder: {type(error).__name__}: {error} (a defect; -vv shows where)\n")
        sys.exit(ExitCode.OUTSIDE)
