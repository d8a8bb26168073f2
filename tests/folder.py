"""Commands run in a folder, in this process or as one of their own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from builder.cli.main import app
from builder.settings import Workspace, find_workspace
from builder.store import Store, open_store

ROOT = Path(__file__).parents[1]

POLICY = """# 售后政策

## 保修

整机保修期为自出厂之日起 24 个月。备件保修 6 个月，自更换之日起计算。有偿维修保修 3 个月。

## 退货

自签收之日起 7 日内可以申请无理由退货。生鲜商品和定制商品除外。
"""
HANDBOOK = """# Handbook

## Leave

Employees get 5 days of annual leave in the first year. Sick leave needs a certificate from day 3.

## Expenses

Hotel costs are refunded up to 600 yuan a night, except at trade fairs. Claims are filed within 30 days.
"""


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed with --json."""
        return json.loads(self.out)


class Folder:
    """A folder in which commands are run."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self._monkeypatch = monkeypatch

    def run(self, *arguments: str, **environ: str) -> Outcome:
        """Run a command in this process."""
        self._monkeypatch.chdir(self.path)
        found = CliRunner().invoke(app, [str(argument) for argument in arguments], env=environ)
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        return Outcome(found.exit_code, found.stdout, found.stderr)

    def done(self, *arguments: str, **environ: str) -> Outcome:
        """Run a command that must succeed."""
        found = self.run(*arguments, **environ)
        assert found.code == 0, f"{arguments}: exit {found.code}\n{found.out}\n{found.err}"
        return found

    def start(self, *arguments: str, **environ: str) -> "subprocess.Popen[str]":
        """Run a command as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "builder", *arguments],
            cwd=self.path,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file below the folder."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    @property
    def workspace(self) -> Workspace:
        """The workspace here."""
        return find_workspace(self.path)

    def store(self) -> Store:
        """Its store."""
        return open_store(self.workspace.store_url)
