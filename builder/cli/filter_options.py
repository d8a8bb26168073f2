"""Options that choose cases, and the one expression that they come to."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

States = Annotated[list[str] | None, typer.Option("--state", help="Only this review_state; repeatable.")]
Types = Annotated[list[str] | None, typer.Option("--type", help="Only this question_type; repeatable.")]
Sources = Annotated[list[str] | None, typer.Option("--source", help="manual, generated or feedback; repeatable.")]
Checks = Annotated[list[str] | None, typer.Option("--check", metavar="NAME", help="This check did not pass; or `any`.")]
Risks = Annotated[list[str] | None, typer.Option("--risk", help="Only this risk; `any` for all that have one.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; repeatable.")]
Documents = Annotated[
    list[str] | None, typer.Option("--doc", help="Evidence in this document: a glob or part of its id.")
]
Texts = Annotated[list[str] | None, typer.Option("--text", help="With these words in question, answer or comments.")]
Wheres = Annotated[
    list[str] | None,
    typer.Option(
        "--where", metavar="FIELD=VALUE", help="Any field of a case, `!=` too; or a whole filter as typed on `f`."
    ),
]


def expression(named: Mapping[str, Sequence[str] | None], where: Sequence[str] | None) -> str:
    """One filter: values of one option are alternatives, all options hold together, and so do all of `where`."""
    terms: list[str] = []
    for name, values in named.items():
        if name == "text":
            terms += [f"text={_quoted(value)}" for value in values or ()]
        elif values:
            terms.append(f"{name}={_quoted(','.join(values))}")
    return " ".join((*terms, *(where or ())))


def _quoted(value: str) -> str:
    if not set(value) & set(" \t'\""):
        return value
    return f'"{value}"' if '"' not in value else f"'{value}'"
