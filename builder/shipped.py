"""Files that ship with the program: prompts/, data/ and snapshots/, in a checkout and in a wheel."""

from pathlib import Path


def folder(name: str) -> Path:
    """The shipped folder `name`: inside the package where it was installed from a wheel, else beside it."""
    package = Path(__file__).parent
    installed = package / "shipped_files" / name
    return installed if installed.is_dir() else package.parent / name
