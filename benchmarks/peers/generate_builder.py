"""builder generate: chunks given by the user, two cases a chunk, all checks."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGES: list[str] = []
ROOT = Path(__file__).parent.parent.parent
CONCURRENCY = 8


def run(python: Path, folder: Path, documents: dict[str, str], base_url: str, asked: int) -> dict[str, Any]:
    """Generate in `folder`; see peers/__init__.py."""
    rows = [{"id": name, "text": text, "document": name} for name, text in documents.items()]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "chunks.jsonl").write_text("".join(lines), encoding="utf-8")
    _builder(folder, base_url, "ingest", "--chunks", "chunks.jsonl")
    wanted = ["--model", "scripted", "--per-chunk", str(asked // len(documents)), "--concurrency", str(CONCURRENCY)]
    done = _builder(folder, base_url, "generate", *wanted)
    report = json.loads(done.stdout)
    failed = sum(count for count, _ in report["failed"].values())
    short = asked - report["kept"]
    told = sum(report["dropped"].values()) + (failed + report["not_started"]) * (asked // len(documents))
    cases = json.loads(_builder(folder, base_url, "cases", "list", "--limit", "1000").stdout)
    return {
        "questions": [case["question"] for case in cases],
        "told": min(short, told),
        "exit": done.returncode,
        "said": f"kept {report['kept']}, dropped {report['dropped']}, failed {report['failed']}",
    }


def _builder(folder: Path, base_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PYTHONPATH": str(ROOT), "OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "none"}
    command = [sys.executable, "-m", "builder", *arguments, "--json", "--lang", "en"]
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
