"""synthetic-data-kit create: a summary and pairs a document, with its own configuration; no curation."""

import json
import re
from pathlib import Path
from typing import Any

from peers.generate_tools import ran, write_documents

PACKAGES = ["synthetic-data-kit==0.0.5"]


def run(python: Path, folder: Path, documents: dict[str, str], base_url: str, asked: int) -> dict[str, Any]:
    """Generate in `folder`; see peers/__init__.py."""
    write_documents(folder / "docs", documents)
    shipped = next(python.parent.parent.glob("lib/python*/site-packages/synthetic_data_kit/config.yaml"))
    config = shipped.read_text(encoding="utf-8").replace("https://api.llama.com/v1", base_url)
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    each = asked // len(documents)
    tool = [str(python.parent / "synthetic-data-kit"), "-c", "config.yaml"]
    done = ran([*tool, "create", "docs", "--type", "qa", "-n", str(each), "-o", "out"], folder, base_url)
    files = sorted((folder / "out").glob("*.json"))
    kept = [question for file in files for question in _questions(file)]
    return {"questions": kept, "told": _told(done.output, each), "exit": done.returncode, "said": done.said}


def _questions(file: Path) -> list[str]:
    """Of the pairs that have a question and an answer."""
    found = json.loads(file.read_text(encoding="utf-8")).get("qa_pairs", [])
    whole = [pair for pair in found if isinstance(pair, dict) and pair.get("question") and pair.get("answer")]
    return [pair["question"] for pair in whole]


def _told(output: str, each: int) -> int:
    """What the summary at its end says is missing: files that failed. A count on the way is not a report."""
    failed = re.search(r"Failed: (\d+)", output)
    return int(failed.group(1)) * each if failed else 0
