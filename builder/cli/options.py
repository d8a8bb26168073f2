"""Options that several commands share, so that they are the same everywhere."""

from enum import StrEnum
from typing import Annotated

import typer


class Language(StrEnum):
    """Languages of what is printed."""

    ZH = "zh"
    EN = "en"


Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Lang = Annotated[Language | None, typer.Option("--lang", help="Language of what is printed.")]
Dataset = Annotated[str | None, typer.Option("--dataset", help="The dataset; else that of builder.toml.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
Who = Annotated[str | None, typer.Option("--reviewer", help="Who decides; else builder.toml, else git's user.name.")]
