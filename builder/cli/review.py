"""builder review."""

from pathlib import Path
from typing import Annotated

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


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)


def review(
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
        from builder.app.review import review as run
        from builder.settings import find_workspace

        workspace = find_workspace(Path.cwd())
        if run_name is not None:
            from builder.app.review_run import review_run

            for line in review_run(workspace, console.say, run_name, sample=sample, seed=seed, blind=blind, who=who):
                console.text(line)
            return
        named = {"state": state, "type": kind, "source": source, "check": check}
        named |= {"risk": risk, "tag": tag, "doc": doc, "text": text}
        wanted = expression(named, where)
        for line in run(
            workspace,
            console.say,
            dataset=dataset,
            who=who,
            expression=wanted,
            seed=seed,
            blind=blind,
            plain=plain,
        ):
            console.text(line)
