"""builder gates: init, approve."""

from pathlib import Path
from typing import Annotated

import typer

from builder.cli.console import session
from builder.cli.options import Json, Lang, Who
from builder.cli.score_options import KS, Ks, Level, Levels, Map, Snapshot, ks_of


def mount(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Rules that a run must pass before it is released.")
    group.command("init")(init)
    group.command("approve")(approve)
    app.add_typer(group, name="gates")


def init(
    run: Annotated[str, typer.Option("--from", help="The run whose figures the bounds are derived from.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; else gates/release.toml.", show_default=False)
    ] = None,
    snapshot: Snapshot = None,
    ks: Ks = KS,
    level: Levels = Level.PASSAGE,
    map_file: Map = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Write a commented proposal: what a run like this one can be held to."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.gates import GatesAsked, propose

        asked = GatesAsked(run=run, snapshot=snapshot, ks=ks_of(ks), level=level.value, map_file=map_file)
        path = propose(Path.cwd(), asked, output, console.say)
        console.json({"file": str(path)})
        console.out("gates.proposed", file=path)


def approve(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run: its name, or its file.", show_default=False)],
    note: Annotated[str, typer.Option("--note", help="Why, in your words.")] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Approve it anew; the old file is overwritten.")] = False,
    snapshot: Snapshot = None,
    ks: Ks = KS,
    level: Levels = Level.PASSAGE,
    map_file: Map = None,
    who: Who = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Make a run the baseline that others are held against, with who and when."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.gates import GatesAsked
        from builder.app.gates import approve as approve_run

        asked = GatesAsked(run=run, snapshot=snapshot, ks=ks_of(ks), level=level.value, map_file=map_file)
        found = approve_run(Path.cwd(), asked, who, note, replace=replace)
        baseline = found.baseline
        console.json({"file": str(found.file), **baseline.model_dump(mode="json", exclude={"figures", "cases"})})
        cases = len(baseline.cases)
        console.out("gates.approved", run=baseline.run, who=baseline.approved_by, cases=cases, file=found.file)
        if baseline.failed:
            console.talk("gates.approved_failed", failed=baseline.failed, calls=baseline.calls)
