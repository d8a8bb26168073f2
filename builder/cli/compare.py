"""builder compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Json, Lang

if TYPE_CHECKING:
    from builder.app.compare import CompareRow, RunDifference

_IDS = 12
"""Case ids that a line shows."""


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Runs; all are compared with the first.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help="A metric named before looking; Holm's p counts these. Else the headline figures."
        ),
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Slices to show: all,source,type,risk,…")] = "all",
    map_file: Annotated[
        Path | None, typer.Option("--map", help="JSON lines {id, doc_id, span}: what the systems' ids stand for.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="All metrics.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of resamples and flips of signs.")] = 0,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Compare runs case by case: difference, interval, p, wins, ties, losses, and which cases flipped."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.compare import compare_runs

        found = compare_runs(Path.cwd(), runs, declared=metric or (), map_file=map_file, seed=seed)
        console.json(found.model_dump(mode="json"))
        cuts = {name.strip() for name in by.split(",")}
        for difference in found.runs:
            _show(console, found.base, difference, cuts, set() if verbose else set(found.declared))
        console.out("compare.rests_on", seed=found.seed, resamples=found.resamples, family=len(found.declared))


def _show(console: Console, base: str, found: "RunDifference", cuts: set[str], metrics: set[str]) -> None:
    console.out("compare.title", run=found.run, base=base, common=found.common)
    left = {"changed": len(found.changed), "base_only": found.only_base, "run_only": found.only_run}
    if any(left.values()):
        console.out("compare.left_out", **left)
    if found.confounded:
        facts = "; ".join(f"{name}: {before} → {now}" for name, (before, now) in found.facts.items())
        console.talk("compare.confounded", count=len(found.facts), facts=facts)
    rows = [row for row in found.rows if row.by in cuts and (not metrics or row.name in metrics)]
    heads = ("metric", "slice", "n", "base", "value", "difference", "interval", "p", "p_holm", "wins", "ties", "losses")
    console.table((*heads, "smallest_drop"), [_cells(row) for row in rows], right=(2, 3, 4, 5, 7, 8, 9, 10, 11, 12))
    for row in rows:
        if row.won or row.lost:
            console.out("compare.flipped", metric=row.name, won=_ids(row.won), lost=_ids(row.lost))


def _cells(row: "CompareRow") -> tuple[object, ...]:
    part = row.slice if row.by == row.slice else f"{row.by}={row.slice}"
    interval = "" if row.low is None or row.high is None else f"{row.low:+.3f} … {row.high:+.3f}"
    figures = (_figure(row.base), _figure(row.value), f"{row.difference:+.3f}", interval, _p(row.p), _p(row.p_holm))
    return (row.name, part, row.n, *figures, row.wins, row.ties, row.losses, _figure(row.smallest_drop))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}" if abs(value) < 100 else f"{value:.0f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _ids(cases: tuple[str, ...]) -> str:
    more = f" +{len(cases) - _IDS}" if len(cases) > _IDS else ""
    return (" ".join(cases[:_IDS]) + more) or "-"
