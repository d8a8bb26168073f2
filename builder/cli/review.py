"""builder review."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import session
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
from builder.cli.options import Dataset, Lang, Who

if TYPE_CHECKING:
    from builder.settings import Workspace
    from builder.words import Words


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)


def review(
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="RUN", help="With --pool: names or files of runs.")
    ] = None,
    pool: Annotated[
        bool, typer.Option("--pool", help="Judge the passages of these runs that nobody judged instead.")
    ] = False,
    k: Annotated[int, typer.Option("--k", min=1, help="With --pool: how many places of each ranking.")] = 10,
    run_name: Annotated[
        str | None, typer.Option("--run", help="Judge the answers of a run instead: its name or file.")
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="With --run: answers beside critical, risky and unstable ones.")
    ] = 30,
    state: States = None,
    kind: Types = None,
    source: Sources = None,
    check: Checks = None,
    risk: Risks = None,
    tag: Tags = None,
    doc: Documents = None,
    text: Texts = None,
    where: Wheres = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the order; with --run of the sample, too.")] = 0,
    blind: Annotated[bool, typer.Option("--blind", help="Hide what models and others say until the decision.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, for screen readers and simple terminals.")
    ] = False,
    dataset: Dataset = None,
    who: Who = None,
    lang: Lang = None,
) -> None:
    """Decide about cases in the terminal: question, answer and source text together."""
    with session(lang=lang) as console:
        from builder.settings import find_workspace

        workspace, say = find_workspace(Path.cwd()), console.say
        if pool or runs:
            lines = _of_pool(workspace, say, runs if pool and not run_name else None, k, dataset, who)
        elif run_name is not None:
            from builder.app.review_run import review_run

            lines = review_run(workspace, say, run_name, sample=sample, seed=seed, blind=blind, who=who)
        else:
            from builder.app.review import review as run

            named = {"state": state, "type": kind, "source": source, "check": check}
            named |= {"risk": risk, "tag": tag, "doc": doc, "text": text}
            filters = expression(named, where)
            lines = run(
                workspace, say, dataset=dataset, who=who, expression=filters, seed=seed, blind=blind, plain=plain
            )
        for line in lines:
            console.text(line)


def _of_pool(
    workspace: "Workspace", say: "Words", runs: list[str] | None, k: int, dataset: str | None, who: str | None
) -> tuple[str, ...]:
    from builder.app.review_pool import review_pool
    from builder.errors import UsageError

    if not runs:
        raise UsageError("pool_runs")
    return review_pool(workspace, say, runs, k=k, dataset=dataset, who=who)
