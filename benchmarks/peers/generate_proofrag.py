"""proofrag generate: its own tiers (70 % one passage, 20 % two, 10 % unanswerable), its own chunks."""

from pathlib import Path
from typing import Any

from peers.generate_tools import questions_of, ran, write_documents

PACKAGES = ["proofrag[openai]==0.9.0"]


def run(python: Path, folder: Path, documents: dict[str, str], base_url: str, asked: int) -> dict[str, Any]:
    """Generate in `folder`; see peers/__init__.py."""
    write_documents(folder / "docs", documents)
    out = folder / "golden.jsonl"
    wanted = ["generate", "--corpus", "docs", "--n", str(asked), "--out", str(out), "--model", "scripted"]
    done = ran([str(python.parent / "proofrag"), *wanted], folder, base_url)
    kept = questions_of(out)
    # It stops with a line that says why: nothing of the rest is lost in silence.
    told = asked - len(kept) if done.returncode else 0
    return {"questions": kept, "told": told, "exit": done.returncode, "said": done.said}
