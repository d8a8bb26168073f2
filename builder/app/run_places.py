"""Where runs, their snapshots and the gates lie: in a workspace, or just beside each other; no database is needed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.errors import InputError, WorkspaceError
from builder.model.snapshot import Snapshot
from builder.score.run_file import SUFFIX, VERDICTS, Run
from builder.score.uses import FILE as USES
from builder.settings import Settings, Workspace, find_workspace
from builder.snapshot.listing import read_snapshot


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: the workspace around a folder, if there is one, and the folder itself."""

    folder: Path
    """Where the command was given."""
    workspace: Workspace | None
    """The workspace around it."""

    @classmethod
    def around(cls, folder: Path) -> "Places":
        """The places around a folder; without a workspace only files that are named by their paths are found.

        Raises:
            InputError: builder.toml is broken.
        """
        try:
            return cls(folder, find_workspace(folder))
        except WorkspaceError:
            return cls(folder, None)

    @property
    def departments(self) -> Mapping[str, str]:
        """A department's parent, from builder.toml."""
        return self.workspace.settings.departments if self.workspace else {}

    @property
    def risks(self) -> tuple[str, ...]:
        """High-risk topics, from builder.toml; else those that it would have."""
        return tuple((self.workspace.settings if self.workspace else Settings()).risk)

    @property
    def runs(self) -> Path:
        """Where runs lie."""
        return (self.workspace.root if self.workspace else self.folder) / "runs"

    @property
    def gates(self) -> Path:
        """Where gates, waivers and baselines lie."""
        return (self.workspace.root if self.workspace else self.folder) / "gates"

    def run(self, name: str) -> Path:
        """The file of a run: runs/NAME.jsonl, or the path of a file.

        Raises:
            InputError: there is none.
        """
        for path in (self.runs / f"{name}{SUFFIX}", self.folder / name):
            if path.is_file():
                return path
        known = ", ".join(sorted(_names(self.runs.glob(f"*{SUFFIX}")))) or "-"
        raise InputError("run_missing", run=name, file=self.runs / f"{name}{SUFFIX}", known=known)

    def has_run(self, name: str) -> bool:
        """Whether the file of a run is here."""
        return any(path.is_file() for path in (self.runs / f"{name}{SUFFIX}", self.folder / name))

    def snapshot(self, run: Run, path: Path, asked: str | None = None) -> Snapshot:
        """The snapshot that a run answers, or the one that is asked for: a name, or a folder.

        Raises:
            InputError: it is not here, or holds something else than at the time of the run.
        """
        name = asked or run.header.snapshot
        homes = [path.parent.parent / "snapshots", path.parent]
        homes = [self.workspace.snapshots, *homes] if self.workspace else [self.folder / "snapshots", *homes]
        folders = [self.folder / name, *(home / name for home in homes)] if asked else [home / name for home in homes]
        folder = next((folder for folder in folders if folder.is_dir()), homes[0] / name)
        snapshot = read_snapshot(folder)
        now, then = snapshot.manifest.content_hash, run.header.snapshot_hash
        if then and then != now:
            values = {"run": run.name, "snapshot": snapshot.manifest.name, "asked": then[:12], "now": now[:12]}
            raise InputError("run_other_snapshot", **values)
        return snapshot

    def gates_file(self, name: Path) -> Path:
        """A gates file: a path, or its name below gates/."""
        below = (self.gates / name, self.gates / f"{name}.toml")
        return next((path for path in (self.folder / name, *below) if path.is_file()), self.folder / name)


def _names(paths: Iterable[Path]) -> Iterable[str]:
    """Names of the files that are runs."""
    return (path.name.removesuffix(SUFFIX) for path in paths if not path.name.endswith(VERDICTS) and path.name != USES)
