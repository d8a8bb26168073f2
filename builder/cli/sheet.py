"""builder sheet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.filter_options import (
    Checks,
    Documents,
    Risks,
    Sources,
    States,
    Tags,
    Texts,
    Types,
    Wheres,
    expression,
)
from builder.cli.options import Dataset, Json, Lang

if TYPE_CHECKING:
    from builder.app.sheet import SheetReport


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sheet")(sheet)


def sheet(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="FILE.xlsx or FILE.csv.")],
    to: Annotated[
        list[str] | None, typer.Option("--to", metavar="NAME", help="Who is asked; several: one part each.")
    ] = None,
    parts: Annotated[int | None, typer.Option("--parts", min=1, help="Split into so many files.")] = None,
    state: States = None,
    kind: Types = None,
    source: Sources = None,
    check: Checks = None,
    risk: Risks = None,
    tag: Tags = None,
    doc: Documents = None,
    text: Texts = None,
    where: Wheres = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many cases.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Nothing of restricted documents.")] = False,
    dataset: Dataset = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Write the cases that wait as a spreadsheet for a domain expert; `builder apply` takes it back."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.sheet import make_sheet
        from builder.settings import find_workspace

        named = {"state": state, "type": kind, "source": source, "check": check}
        named |= {"risk": risk, "tag": tag, "doc": doc, "text": text}
        report = make_sheet(
            find_workspace(Path.cwd()),
            output,
            console.say,
            where=expression(named, where),
            to=to or (),
            parts=parts,
            limit=limit,
            public=public,
            dataset=dataset,
        )
        console.json(report.model_dump(mode="json"))
        _print(console, report)


def _print(console: Console, report: "SheetReport") -> None:
    for file in report.files:
        if file.reviewer:
            console.out("sheet.written_for", file=file.file, cases=len(file.case_ids), reviewer=file.reviewer)
        else:
            console.out("sheet.written", file=file.file, cases=len(file.case_ids))
    if report.restricted:
        console.talk("sheet.restricted", count=report.restricted)
    if report.levels:
        console.talk("sheet.levels", levels=", ".join(report.levels))
    if report.without_candidates:
        console.talk("sheet.no_candidates", count=report.without_candidates)
    console.talk("sheet.next", file=report.files[0].file)
