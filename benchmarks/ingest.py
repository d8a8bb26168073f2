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
SLOW = {"pymupdf4llm_markdown": ("en_619_pages.pdf",)}
"""Files that a peer is spared: it would need many minutes. Its ratios are over the other files, ours measured anew."""
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
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
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
    return {"cpu": cpu, "wall": time.perf_counter() - begun, "mib": after.ru_maxrss / 1024}


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


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, default=HERE.parent.parent / "shared" / "corpus")
    parser.add_argument("--peers", nargs="*", default=list(PEERS))
    parser.add_argument("--envs", type=Path, default=Path(tempfile.gettempdir()) / "builder-benchmarks")
    arguments = parser.parse_args()
    sys.path.insert(0, str(HERE))
    for kind, names in SETS.items():
        files = [arguments.corpus / name for name in names]
        whole = whole_ingest(files)
        step = measure("builder_extraction", Path(sys.executable), files, arguments.corpus / WARM)
        pages = step["pages"]
        print(f"\n{kind}: {pages:.0f} pages")
        again = f"again {whole['again']:.2f} s"
        print(f"  {'builder ingest (whole)':28} {whole['cpu']:7.2f} s CPU   {whole['mib']:5.0f} MiB   {again}")
        print(f"  {'builder extraction step':28} {step['cpu']:7.2f} s CPU   {step['mib']:5.0f} MiB")
        for peer in arguments.peers:
            few = [file for file in files if file.name not in SLOW.get(peer, ())]
            figures = measure(peer, environment(peer, arguments.envs), few, arguments.corpus / WARM)
            ours, base = (whole, step) if few == files else (whole_ingest(few), None)
            base = base or measure("builder_extraction", Path(sys.executable), few, arguments.corpus / WARM)
            ratios = f"x whole {figures['cpu'] / ours['cpu']:5.1f}   x step {figures['cpu'] / base['cpu']:5.1f}"
            note = "" if few == files else f"   ({figures['pages']:.0f} pages only)"
            print(f"  {peer:28} {figures['cpu']:7.2f} s CPU   {figures['mib']:5.0f} MiB   {ratios}{note}", flush=True)
        found, total = same_cells(files)
        print(f"  cells of pdfplumber that are ours too: {found} of {total} ({100 * found / max(1, total):.2f} %)")
    again = many_unchanged()
    print(f"\n1,000 unchanged documents again: {again['wall']:.2f} s wall, {again['cpu']:.2f} s CPU")


if __name__ == "__main__":
    main()
