"""builder compare."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Json, Lang
from builder.cli.score_lines import some_ids
from builder.cli.score_options import KS, Ks, Level, Levels, Map, Snapshot, ks_of, names_of
from builder.words import Words

if TYPE_CHECKING:
    from builder.app.compare import CompareRow, RunDifference


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
    snapshot: Snapshot = None,
    ks: Ks = KS,
    level: Levels = Level.PASSAGE,
    map_file: Map = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="All metrics.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of resamples and flips of signs.")] = 0,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Compare runs case by case: difference, interval, p, wins, ties, losses, and which cases flipped."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.compare import Asked, compare_runs

        asked = Asked(snapshot=snapshot, ks=ks_of(ks), level=level.value, map_file=map_file)
        found = compare_runs(Path.cwd(), runs, asked, declared=metric or (), seed=seed)
        console.json(found.model_dump(mode="json"))
        for difference in found.runs:
            _show(console, found.base, difference, names_of(by), set() if verbose else set(found.declared))
            if lost := [name for name in found.declared if name not in {row.name for row in difference.rows}]:
                console.talk("compare.no_figure", metrics=", ".join(lost))
        family = sum(row.p_holm is not None for run in found.runs for row in run.rows)
        console.out("compare.rests_on", seed=found.seed, resamples=found.resamples, family=family)


def _show(console: Console, base: str, found: "RunDifference", cuts: Sequence[str], metrics: set[str]) -> None:
    console.out("compare.title", run=found.run, base=base, common=found.common)
    left = {"changed": len(found.changed), "base_only": found.only_base, "run_only": found.only_run}
    if any(left.values()):
        console.out("compare.left_out", **left)
    _facts(console, found)
    known = dict.fromkeys(row.by for row in found.rows)
    for cut in cuts:
        if cut not in known:
            console.talk("score.no_cut", cut=cut, known=", ".join(known))
    rows = [row for row in found.rows if row.by in cuts and (not metrics or row.name in metrics)]
    sliced = any(row.by != row.slice for row in rows)
    heads = ("metric", *(("slice",) if sliced else ()), "n", "base_value", "difference", "p", "p_holm", "flips")
    cells = [_cells(row, sliced, console.say) for row in rows]
    console.table((*heads, "smallest_drop"), cells, right=range(1 + sliced, 9))
    for row in rows:
        if row.won or row.lost:
            console.out(
                "compare.flipped", metric=row.name, won=some_ids(row.won) or "-", lost=some_ids(row.lost) or "-"
            )


def _facts(console: Console, found: "RunDifference") -> None:
    """What differs between the two systems: one fact is a cause, several are none."""
    facts = "; ".join(f"{name}: {before} → {now}" for name, (before, now) in found.facts.items())
    if found.confounded:
        console.talk("compare.confounded", count=len(found.facts), facts=facts)
    else:
        console.out("compare.one_fact" if facts else "compare.no_fact", facts=facts)


def _cells(row: "CompareRow", sliced: bool, say: Words) -> tuple[object, ...]:
    part = (row.slice if row.by == row.slice else f"{row.by}={row.slice}",) if sliced else ()
    interval = "" if row.low is None or row.high is None else f" [{row.low:.2f}…{row.high:.2f}]"
    n = f"{say('score.few')} {row.n}" if row.few else row.n
    figures = (f"{_figure(row.base)}→{_figure(row.value)}", f"{row.difference:+.2f}{interval}")
    flips = f"{row.wins}/{row.ties}/{row.losses}"
    return (row.name, *part, n, *figures, _p(row.p), _p(row.p_holm), flips, _figure(row.smallest_drop))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"
