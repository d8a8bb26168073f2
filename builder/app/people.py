"""Who decides."""

import os
import subprocess

from builder.errors import InputError
from builder.settings import Workspace

PROGRAM = "builder"
"""Who acts where no person does: cases are born, evidence follows its quote."""


def reviewer_name(workspace: Workspace, asked: str | None = None) -> str:
    """--reviewer, else builder.toml, else git's user.name, else the name of the account.

    Raises:
        InputError: none of them is there.
    """
    for name in (asked, workspace.settings.review.reviewer, _git_name(), os.environ.get("USER")):
        if name and name.strip():
            return name.strip()
    raise InputError("no_reviewer")


def _git_name() -> str | None:
    try:
        found = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None  # no git: the next source is asked
    return found.stdout.strip() or None
