"""Making and finding workspaces."""

import shutil
from importlib.resources import files
from pathlib import Path

from builder import shipped
from builder.errors import InputError, WorkspaceError
from builder.settings import FILE_NAME, Workspace, find_workspace, read_settings

_FOLDERS = ("docs", "data", "snapshots")
_SAMPLE = {"docs": "docs", "feedback": "feedback", "manual": "manual"}


def init(folder: Path, *, sample: bool = False) -> tuple[Workspace, tuple[str, ...]]:
    """Make a workspace in `folder`; with `sample`, copy the sample documents and logs into it.

    Returns the workspace and what was made, as paths below it. What is there already is left as it is.

    Raises:
        InputError: the folder cannot be written, or is a workspace and no sample was asked for.
    """
    if (folder / FILE_NAME).exists() and not sample:
        raise InputError("workspace_exists", where=folder)
    try:
        made = _make(folder) + (_copy_sample(folder) if sample else [])
    except OSError as error:
        raise InputError("not_writable", where=folder, detail=error.strerror or error) from error
    return Workspace(root=folder.resolve(), settings=read_settings(folder / FILE_NAME)), tuple(made)


def find_or_init(start: Path) -> tuple[Workspace, bool]:
    """The workspace around `start`; where there is none, one is made in `start`. True says that it is new."""
    try:
        return find_workspace(start), False
    except WorkspaceError:
        return init(start)[0], True


def _make(folder: Path) -> list[str]:
    made: list[str] = []
    for name in _FOLDERS:
        if not (folder / name).exists():
            (folder / name).mkdir(parents=True)
            made.append(f"{name}/")
    if not (folder / FILE_NAME).exists():
        template = files(__package__).joinpath("workspace.toml").read_text(encoding="utf-8")
        (folder / FILE_NAME).write_text(template, encoding="utf-8")
        made.append(FILE_NAME)
    return made


def _copy_sample(folder: Path) -> list[str]:
    made: list[str] = []
    for source, target in _SAMPLE.items():
        for path in sorted((shipped.folder("data") / source).rglob("*")):
            goal = folder / target / path.relative_to(shipped.folder("data") / source)
            if path.is_file() and not goal.exists():
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, goal)
                made.append(goal.relative_to(folder).as_posix())
    return made
