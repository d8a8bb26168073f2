"""builder add."""

import sys
from typing import Annotated

import typer

from builder.cli.console import session, workspace_here
from builder.cli.options import Dataset, Json, Lang, Who
from builder.errors import UsageError


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("add")(add)


def add(
    question: Annotated[
        str | None, typer.Option("--question", "-q", help="What is asked, in the users' words.")
    ] = None,
    answer: Annotated[str | None, typer.Option("--answer", "-a", help="The reference answer.")] = None,
    chunk: Annotated[
        list[str] | None, typer.Option("--chunk", "-c", help="chunk_id of the source; repeatable.")
    ] = None,
    quote: Annotated[str | None, typer.Option("--quote", help="The words of that chunk that hold the answer.")] = None,
    unanswerable: Annotated[bool, typer.Option("--unanswerable", help="The documents do not hold the answer.")] = False,
    dataset: Dataset = None,
    who: Who = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Add a case by hand; without --question the editor opens a form."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.add import NewCase, fill_form
        from builder.app.add import add as run

        workspace = workspace_here(console)
        given = NewCase(
            question=question or "",
            ground_truth=answer or "",
            answerable=not unanswerable,
            chunk_ids=tuple(chunk or ()),
            quote=quote or "",
        )
        if question is None:
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                raise UsageError("add_no_terminal")
            given = fill_form(given, console.say)
        case = run(workspace, given, dataset=dataset, who=who)
        console.json(case.model_dump(mode="json"))
        console.out("add.done", case_id=case.case_id, state=console.say(f"review.state.{case.review_state}"))
        if not case.complete:
            console.talk("add.why_answer")
