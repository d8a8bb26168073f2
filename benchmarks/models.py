"""By hand: what a small local model makes of twenty passages, with numbered sentences and with quotes.

python benchmarks/models.py FILE.gguf PASSAGES.py [--per-chunk 2] [--only sentences quotes] [--languages zh en]

PASSAGES.py holds the lists ZH and EN. Needs the extra `local`. Each run is `builder generate --model FILE.gguf` in a
workspace of its own at temperature 0; the quotes are asked for by prompts of the workspace, without sentence numbers.
CPU seconds are those of the whole command: the model, its loading, and builder.
"""

import argparse
import json
import os
import resource
import runpy
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
WAYS = ("sentences", "quotes")
_FIELDS = {
    "zh": ('"sentences":[依据的句号]', '"quote":""', "quote：从片段中逐字照抄依据的原句。"),
    "en": (
        '"sentences":[numbers of the supporting sentences]',
        '"quote":""',
        "quote: the supporting sentence, copied word for word from the passage.",
    ),
}
"""What the shipped prompt shows, what is put there, and what is said of it: a small model copies a placeholder."""
_NUMBERED = "{{ loop.index }}) {{ sentence }}"


def prompts(folder: Path) -> None:
    """Prompts of the workspace that ask for a quote in place of sentence numbers."""
    for language, (numbers, quote, told) in _FIELDS.items():
        shipped, own = ROOT / "prompts" / language, folder / "prompts" / language
        own.mkdir(parents=True)
        system, user = ((shipped / name).read_text(encoding="utf-8") for name in ("system.j2", "user.j2"))
        assert numbers in system and _NUMBERED in user, "the shipped prompts are others now"
        *rules, form = system.strip().replace(numbers, quote).splitlines()
        (own / "system.j2").write_text("\n".join((*rules, told, form)), encoding="utf-8")
        (own / "user.j2").write_text(user.replace(_NUMBERED, "{{ sentence }}"), encoding="utf-8")


def measure(model: Path, texts: list[str], language: str, way: str, per_chunk: int) -> dict[str, Any]:
    """One run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [{"id": f"{language}{number}", "text": text, "document": language} for number, text in enumerate(texts)]
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / "chunks.jsonl").write_text("".join(lines), encoding="utf-8")
        (folder / "builder.toml").write_text('[generate]\ntemperature = "0"\ntimeout = 600\n', encoding="utf-8")
        if way == "quotes":
            prompts(folder)
        _builder(folder, "ingest", "--chunks", "chunks.jsonl")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wanted = ("--model", str(model), "--per-chunk", str(per_chunk), "--concurrency", "1")
        report = _builder(folder, "generate", *wanted)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cases = _builder(folder, "cases", "list", "--limit", "1000")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"report": report, "cases": cases, "cpu": cpu, "asked": per_chunk * len(texts)}


def _builder(folder: Path, *arguments: str) -> Any:
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "builder", *arguments, "--json"]
    environ = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise RuntimeError(done.stderr.strip()[-300:])
    return json.loads(done.stdout)


def show(found: dict[str, Any], language: str, way: str) -> None:
    """One row, and the verdicts below it."""
    report, cases = found["report"], found["cases"]
    kept = max(1, len(cases))
    exact = sum(_passes(case, "quote") for case in cases)
    borne = sum(_passes(case, "quote") and _passes(case, "facts") for case in cases)
    tokens = report["prompt_tokens"] + report["completion_tokens"]
    print(
        f"{language} {way:10} calls {report['calls']:3}  kept {len(cases)} of {found['asked']}  exact evidence {exact}"
        f"  and it holds the answer's facts {borne}  tokens a case {tokens / kept:4.0f}"
        f" ({report['prompt_tokens'] / kept:.0f} + {report['completion_tokens'] / kept:.0f})"
        f"  CPU s a case {found['cpu'] / kept:4.1f}"
    )
    verdicts = Counter(
        f"{check['name']} {check['outcome']}"
        for case in cases
        for check in case["checks"]
        if check["outcome"] != "pass"
    )
    print(f"   dropped {report['dropped']}  failed {report['failed']}  {dict(verdicts.most_common())}", flush=True)


def _passes(case: dict[str, Any], name: str) -> bool:
    return all(check["outcome"] == "pass" for check in case["checks"] if check["name"] == name)


def main() -> None:
    """Print a row a language and way."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--per-chunk", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(WAYS), choices=WAYS)
    parser.add_argument("--languages", nargs="*", default=["zh", "en"], choices=["zh", "en"])
    parser.add_argument("--keep", type=Path, help="write the cases here, to be read by a person")
    arguments = parser.parse_args()
    texts = runpy.run_path(str(arguments.passages))
    for language in arguments.languages:
        for way in arguments.only:
            model = arguments.model.resolve()
            found = measure(model, texts[language.upper()], language, way, arguments.per_chunk)
            show(found, language, way)
            if arguments.keep:
                arguments.keep.mkdir(exist_ok=True)
                file = arguments.keep / f"{language}-{way}.json"
                file.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
