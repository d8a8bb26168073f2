"""Reading PDFs: builder beside pdfplumber, pypdf, pymupdf4llm, markitdown and docling-parse, in one run.

python benchmarks/ingest.py [--corpus FOLDER] [--peers NAME …] [--envs FOLDER]

Each peer runs in an environment that this script makes below --envs (default: among the temporary files, kept).
Figures are CPU seconds of the process and its children. Two sets of files: rich in tables, and prose.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
PEERS = (
    "pdfplumber_tables",
    "pdfplumber_text",
    "pypdf_text",
    "docling_parse_lines",
    "markitdown_markdown",
    "pymupdf4llm_markdown",
)
SETS = {
    "tables": ("zh_annual_report_excerpt_22p.pdf", "zh_byd_quarterly_report.pdf", "en_table_16p_repeated_header.pdf"),
    "prose": ("en_619_pages.pdf", "en_two_column_paper_14p.pdf", "zh_poem_cid.pdf"),
}
COPIES = {"tables": 4, "prose": 1}
"""A corpus of a few hundred pages: the start of the program and its workers is in the figures of the whole ingest."""
SLOW = ("docling_parse_lines", "markitdown_markdown", "pymupdf4llm_markdown")
"""Peers that get one copy of each file of at most 100 pages, and are compared with our extraction step on the same."""
LARGE = ("en_619_pages.pdf",)
WARM = "ligatures.pdf"


def environment(peer: str, folder: Path) -> Path:
    """The Python of a peer's environment; made where it is not there."""
    packages: list[str] = import_module(f"peers.{peer}").PACKAGES
    if not packages:
        return Path(sys.executable)
    place = folder / peer
    if not (place / "done").exists():
        venv.create(place, with_pip=True, clear=True)
        pip = [place / "bin" / "python", "-m", "pip", "-q", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, *packages], check=True, stderr=subprocess.DEVNULL)
        (place / "done").touch()
    return place / "bin" / "python"


def measure(peer: str, python: Path, files: Sequence[Path], warm: Path) -> dict[str, float]:
    """What a peer costs over the files."""
    environ = os.environ | {"PYTHONPATH": f"{HERE}:{HERE.parent}", "PYTHONWARNINGS": "ignore"}
    command = [str(python), str(HERE / "drive.py"), peer, str(warm), *map(str, files)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:100])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def whole_ingest(files: Sequence[Path]) -> dict[str, float]:
    """`builder ingest` without OCR: start, workers, store, chunks and all; then the same command unchanged."""
    with tempfile.TemporaryDirectory() as name:
        docs = Path(name) / "docs"
        docs.mkdir()
        for file in files:
            shutil.copy(file, docs)
        first = _command(Path(name))
        again = _command(Path(name))
    return first | {"again": again["cpu"]}


def _command(folder: Path) -> dict[str, float]:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "builder", "ingest", "docs", "--ocr", "never", "--json"]
    environ = os.environ | {"PYTHONPATH": str(HERE.parent)}
    subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "wall": time.perf_counter() - begun}


def same_cells(files: Sequence[Path]) -> tuple[int, int]:
    """How many of pdfplumber's filled cells are cells of ours too, and how many it finds."""
    import pdfplumber

    from builder.ingest.read import read_file

    found = total = 0
    for file in files:
        ours: Counter[str] = Counter()
        for page in read_file(file, "application/pdf", "never").pages:
            for table in page.tables:
                cells = {cell: page.text[cell.start : cell.end] for row in table.rows for cell in row}
                ours.update(filter(None, map(_bare, cells.values())))
        with pdfplumber.open(file) as document:
            theirs = Counter(
                text
                for page in document.pages
                for table in page.extract_tables()
                for row in table
                for cell in row
                if (text := _bare(cell or ""))
            )
        found += sum((ours & theirs).values())
        total += sum(theirs.values())
    return found, total


def _bare(text: str) -> str:
    return "".join(text.split())


def many_unchanged(count: int = 1000) -> dict[str, float]:
    """The same command over documents that did not change."""
    with tempfile.TemporaryDirectory() as name:
        docs = Path(name) / "docs"
        docs.mkdir()
        for number in range(count):
            text = f"# 文档 {number}\n\n第 {number} 项收费 {number} 元。\n"
            (docs / f"{number}.md").write_text(text, encoding="utf-8")
        _command(Path(name))
        return _command(Path(name))


def show(name: str, figures: dict[str, float], ratios: str = "") -> None:
    """One row."""
    memory = f"{figures['mib']:5.0f} MiB" if "mib" in figures else " " * 9
    cost = f"{figures['pages']:4.0f} pages {figures['cpu']:7.2f} s CPU {memory}"
    print(f"  {name:26} {cost}   {ratios}", flush=True)


def compare(kind: str, corpus: Path, peers: Sequence[str], envs: Path) -> None:
    """The rows of one set of files."""
    warm, mine = corpus / WARM, Path(sys.executable)
    once = [corpus / name for name in SETS[kind]]
    few = [file for file in once if file.name not in LARGE]
    with tempfile.TemporaryDirectory() as name:
        many = [Path(name) / f"{copy}-{file.name}" for copy in range(COPIES[kind]) for file in once]
        for file in many:
            shutil.copy(corpus / file.name.partition("-")[2], file)
        whole, step = whole_ingest(many), measure("builder_extraction", mine, many, warm)
        small = measure("builder_extraction", mine, few, warm)
        print(f"\n{kind}")
        show("builder ingest (whole)", whole | {"pages": step["pages"]}, f"again {whole['again']:.2f} s")
        show("builder extraction step", step)
        for peer in peers:
            files, base = (few, small) if peer in SLOW else (many, step)
            try:
                figures = measure(peer, environment(peer, envs), files, warm)
            except RuntimeError as error:
                print(f"  {peer:26} failed: {error}", flush=True)
                continue
            against = "" if peer in SLOW else f"x whole {figures['cpu'] / whole['cpu']:5.1f}   "
            show(peer, figures, f"{against}x step {figures['cpu'] / base['cpu']:5.1f}")
    if kind == "tables":  # in the prose files pdfplumber takes drawings for tables
        found, total = same_cells(few)
        print(f"  cells of pdfplumber that are ours too: {found} of {total} ({100 * found / max(1, total):.2f} %)")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, default=HERE.parent.parent / "shared" / "corpus")
    parser.add_argument("--peers", nargs="*", default=list(PEERS))
    parser.add_argument("--envs", type=Path, default=Path(tempfile.gettempdir()) / "builder-benchmarks")
    arguments = parser.parse_args()
    sys.path.insert(0, str(HERE))
    for kind in SETS:
        compare(kind, arguments.corpus, arguments.peers, arguments.envs)
    again = many_unchanged()
    print(f"\n1,000 unchanged documents again: {again['wall']:.2f} s wall, {again['cpu']:.2f} s CPU")


if __name__ == "__main__":
    main()
