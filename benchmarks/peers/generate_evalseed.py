"""evalseed: pairs from chunks, each read by four judges, until enough have passed."""

import re
from pathlib import Path
from typing import Any

from peers.generate_tools import questions_of, ran, write_documents

PACKAGES = ["evalseed==0.1.1"]
_SHORT = re.compile(r"only (\d+)/(\d+) pair\(s\) passed")


def run(python: Path, folder: Path, documents: dict[str, str], base_url: str, asked: int) -> dict[str, Any]:
    """Generate in `folder`; see peers/__init__.py."""
    write_documents(folder / "docs", documents)
    out = folder / "eval.jsonl"
    wanted = ["docs", "-n", str(asked), "-o", str(out), "--model", "scripted", "--seed", "0"]
    done = ran([str(python.parent / "evalseed"), *wanted], folder, base_url)
    short = _SHORT.search(done.output)
    kept = questions_of(out)
    told = int(short.group(2)) - int(short.group(1)) if short else 0
    told = asked - len(kept) if done.returncode else told
    return {"questions": kept, "told": told, "exit": done.returncode, "said": done.said}
