"""builder snapshot: create, list, verify."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Dataset, Json, Lang, Who
from builder.errors import ExitCode

if TYPE_CHECKING:
    from builder.model.snapshot import Manifest


def mount(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Frozen, hashed copies of the cases that count.")
    group.command("create")(create)
    group.command("list")(listing)
    group.command("verify")(verify)
    app.add_typer(group, name="snapshot")


def create(
    name: str,
    include_unreviewed: Annotated[
        bool, typer.Option("--include-unreviewed", help="Let in what nobody looked at; the manifest says so.")
    ] = False,
    dataset: Dataset = None,
    who: Who = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Freeze the cases that count below snapshots/NAME."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.snapshot import create as freeze
        from builder.settings import find_workspace

        workspace = find_workspace(Path.cwd())
        manifest, problems = freeze(workspace, name, include_unreviewed=include_unreviewed, dataset=dataset, who=who)
        console.json(manifest.model_dump(mode="json"))
        show_manifest(console, manifest)
        for problem in problems:
            why = console.say(f"snapshot.fault.{problem.detail}")
            console.talk("snapshot.case_left_out", case=problem.case_id, document=problem.doc_id, why=why)


def show_manifest(console: Console, manifest: "Manifest") -> None:
    """Print what was frozen and what was left out."""
    cases = sum(manifest.included.values())
    console.out("snapshot.created", name=manifest.name, cases=cases, hash=manifest.content_hash[:12])
    for reason, count in sorted(manifest.left_out.items()):
        console.out("snapshot.left_out_count", count=count, reason=console.say(f"snapshot.left_out.{reason}"))
    if manifest.access_levels:
        console.talk("snapshot.access", levels=", ".join(manifest.access_levels))


def listing(as_json: Json = False, lang: Lang = None) -> None:
    """List snapshots, newest first."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.snapshot import list_all
        from builder.settings import find_workspace

        found = list_all(find_workspace(Path.cwd()))
        manifests = [row.manifest for row in found if row.manifest]
        console.json([manifest.model_dump(mode="json") for manifest in manifests])
        rows = [
            (m.name, m.dataset, sum(m.included.values()), f"{m.created_at:%Y-%m-%d %H:%M}Z", m.content_hash[:12])
            for m in manifests
        ]
        console.table(("name", "dataset", "cases", "at", "content_hash"), rows, right=(2,))
        for row in found:
            if row.manifest is None:
                console.talk("snapshot.broken", name=row.name, detail=row.problem)


def verify(
    name: str,
    deep: Annotated[bool, typer.Option("--deep", help="Check every reference and every quote too.")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Check that a snapshot is what was frozen."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.snapshot import check
        from builder.settings import find_workspace

        found = check(find_workspace(Path.cwd()), name, deep=deep)
        console.json([asdict(finding) for finding in found])
        for finding in found:
            why = console.say(f"snapshot.finding.{finding.code}")
            line = f":{finding.line}" if finding.line else ""
            console.out("snapshot.finding_line", file=finding.file, line=line, why=why, detail=finding.detail)
        if found:
            raise typer.Exit(ExitCode.FAILURE)
        console.out("snapshot.verified", name=name)
