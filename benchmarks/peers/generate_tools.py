"""What the drivers of the generating peers share."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT = 600
"""Seconds a run may take."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    returncode: int
    output: str
    """All that it printed."""

    @property
    def said(self) -> str:
        """Its last lines, without ornaments."""
        lines = [" ".join(line.split()) for line in self.output.splitlines() if any(map(str.isalnum, line))]
        return " / ".join(lines[-2:])[:200]


def ran(command: Sequence[str], folder: Path, base_url: str) -> Ran:
    """Run a peer's command, with the endpoint where it looks for it; retries as the peer ships them."""
    key = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "none", "API_ENDPOINT_KEY": "none"}
    environ = os.environ | key | {"NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}
    environ.pop("PYTHONPATH", None)
    try:
        done = subprocess.run(
            command, cwd=folder, env=environ, text=True, check=False, timeout=LIMIT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Ran(-1, f"stopped after {LIMIT} s")
    return Ran(done.returncode, done.stdout)


def write_documents(folder: Path, documents: dict[str, str]) -> None:
    """The documents as text files."""
    folder.mkdir()
    for name, text in documents.items():
        (folder / f"{name}.txt").write_text(text + "\n", encoding="utf-8")


def questions_of(file: Path) -> list[str]:
    """The questions in a JSON Lines file; none where there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [json.loads(line)["question"] for line in lines]
