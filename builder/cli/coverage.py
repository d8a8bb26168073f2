"""builder coverage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.coverage_lines import show_report
from builder.cli.options import Json, Lang
from builder.errors import ExitCode, InputError, UsageError

if TYPE_CHECKING:
    from builder.settings import Workspace

_SHEET = Path("coverage-sample.xlsx")


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("coverage")(coverage)


def coverage(
    document: Annotated[str | None, typer.Argument(help="A doc_id: shows its pages.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Also write a page heat map to this file.")] = None,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", min=0, max=100, help="Exit 1 if fewer per cent of characters or pages are kept."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Draw so many chunks into a check list (.xlsx) for people.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="File of the check list.")] = _SHEET,
    seed: Annotated[int, typer.Option("--seed", help="Another one draws another check list.")] = 0,
    read: Annotated[Path | None, typer.Option("--read", help="Count the verdicts of a filled check list.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Account for every character: kept, boilerplate, replaced by OCR, discarded, lost."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.settings import find_workspace

        if sample is not None and read is not None:
            raise UsageError("coverage_one", one="--sample", other="--read")
        workspace = find_workspace(Path.cwd())
        if read is not None:
            failed = _read(console, workspace, read, fail_under)
        elif sample is not None:
            failed = _sample(console, workspace, output, sample, seed, document)
        else:
            failed = _measure(console, workspace, document, html, fail_under)
        if failed:
            raise typer.Exit(ExitCode.FAILURE)


def _measure(
    console: Console, workspace: "Workspace", document: str | None, html: Path | None, bar: float | None
) -> bool:
    """Measure and show; true where a blocking rule failed or too little was kept."""
    from builder.app.coverage import RuleOutcome, measure, under

    report = measure(workspace, document)
    console.json(report.model_dump(mode="json"))
    low = bar is not None and under(report, bar)
    show_report(console, report, pages=document is not None, bar=bar if low else None)
    if html is not None:
        from builder.report.heat_map import heat_map

        _write(html, heat_map(report, console.say))
        console.talk("coverage.written", file=html)
    return low or any(rule.outcome is RuleOutcome.FAIL for rule in report.rules)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error


def _sample(
    console: Console, workspace: "Workspace", output: Path, count: int, seed: int, document: str | None
) -> bool:
    from builder.app.sampling import draw_sample

    drawn = draw_sample(workspace, output, count, console.say, seed=seed, doc_id=document)
    names = [one.stratum for one in drawn]
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    console.json({"file": str(output), "seed": seed, "strata": counts, "chunks": [one.chunk.chunk_id for one in drawn]})
    strata = console.say("review.comma").join(f"{_stratum(console, name)} {count}" for name, count in counts.items())
    console.out("sample.drawn", count=len(drawn), file=output, strata=strata)
    return False


def _stratum(console: Console, name: str) -> str:
    key = f"sample.stratum.{name}"
    return console.say(key) if key in console.say else name


def _read(console: Console, workspace: "Workspace", path: Path, bar: float | None) -> bool:
    """Show the verdicts; true where fewer per cent are ok than `bar` asks."""
    from builder.app.sampling import read_sample

    found = read_sample(workspace, path)
    console.json(found.model_dump(mode="json"))
    console.out("sample.read", rows=found.rows, open=found.open, **found.verdicts)
    if found.ok_percent is not None and found.interval is not None:
        low, high = found.interval
        console.out("sample.share", share=f"{found.ok_percent:.1f} %", low=low, high=high)
    for row in found.failures:
        verdict = console.say(f"sample.verdict.{row.verdict}")
        console.out("sample.failure", row=row.row, chunk=row.chunk_id, verdict=verdict, note=_noted(row.note))
    if found.stale:
        first = found.stale[0]
        console.talk("sample.stale", count=len(found.stale), row=first.row, chunk=first.chunk_id)
    return bar is not None and (found.ok_percent is None or found.ok_percent < bar)


def _noted(note: str) -> str:
    return f" ({' '.join(note.split())})" if note else ""
