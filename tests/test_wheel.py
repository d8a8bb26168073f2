"""The wheel in an empty environment, in a folder that holds a file named builder.py."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.folder import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "-q")
    command = [sys.executable, "-m", "pip", "wheel", *offline, "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def builder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that holds the wheel and the libraries it needs, and nothing of this checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    site = next((folder / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # The libraries are those of the tests' own environment, by path: the network is off.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    command = folder / "bin" / "builder"
    script = "import sys\nfrom builder.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    command.write_text(f"#!{folder}/bin/python\n{script}", encoding="utf-8")  # as an installer writes it
    command.chmod(0o755)
    return command


def run(builder: Path, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([builder, *arguments], cwd=folder, env=environ, capture_output=True, text=True, timeout=120)


def test_it_holds_what_it_needs_and_no_more(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for wanted in (
        "words/zh.toml",
        "words/en.toml",
        "py.typed",
        "app/workspace.toml",
        "shipped_files/prompts/zh/user.j2",
    ):
        assert f"builder/{wanted}" in names
    assert any("shipped_files/data/docs/" in name for name in names)
    assert any("shipped_files/snapshots/sample/manifest.json" in name for name in names)
    assert [name for name in names if name.startswith(("tests/", "benchmarks/", "data/"))] == []
    assert wheel.stat().st_size < 4_000_000


def test_in_an_empty_folder(builder: Path, tmp_path: Path) -> None:
    (tmp_path / "builder.py").write_text("raise SystemExit('this is not the package')\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 保修\n\n整机保修 24 个月。\n", encoding="utf-8")
    for command in (
        ("--version",),
        ("init",),
        ("ingest", "docs/"),
        ("generate", "--writer", "extractive"),
        ("doctor",),
    ):
        found = run(builder, tmp_path, *command)
        assert found.returncode == 0, (command, found.stdout, found.stderr)
    where = run(builder, tmp_path, "init", "other", "--sample")
    assert where.returncode == 0
    assert (tmp_path / "other" / "docs" / "employee-handbook.pdf").is_file()
