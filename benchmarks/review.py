"""The reviewer at 100,000 cases: process start to first screen, key to committed decision and next screen, memory.

python benchmarks/review.py [--cases N] [--folder KEPT] [--keys N]

The cases and their passages (two cases a passage) are written into the store of a scratch workspace, then `builder
review` runs in a pseudo-terminal of 100 x 30 as a person would run it. Beside it stands a bare import of what it
cannot do without, and a bare commit of one row to the same disk.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, ReviewState, Source
from builder.model.chunk import Chunk
from builder.model.document import Document, Page, PageOrigin, Reading
from builder.model.parts import Span
from builder.settings import find_workspace
from builder.store import Store, open_store

PASSAGES = 100
"""A document."""
SIZE = (30, 100)
PAUSE = 0.7
"""Seconds between two keys: a person reads; held keys are dropped on purpose."""
QUIET = 0.08
"""Seconds without output after which a screen is whole."""
FLOOR = "import sqlalchemy.dialects.sqlite, pydantic, rich.console, rich.text"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A process in a pseudo-terminal."""

    def __init__(self, folder: Path, *command: str) -> None:
        self._door, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        environ = os.environ | {"TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[1])}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "builder", *command],
            cwd=folder,
            env=environ,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)

    def screen(self, marker: str) -> tuple[float, str]:
        """When the screen with `marker` was whole, and what was written for it."""
        seen, last = b"", time.perf_counter()
        while time.perf_counter() - last < 60:
            ready, _, _ = select.select([self._door], [], [], QUIET)
            if ready:
                try:
                    seen += os.read(self._door, 65536)
                except OSError:
                    break
                last = time.perf_counter()
            elif marker in (text := _ESCAPES.sub("", seen.decode("utf-8", "replace"))):
                return last, text
        raise SystemExit(f"no {marker!r} on the screen:\n{_ESCAPES.sub('', seen.decode('utf-8', 'replace'))}")

    def press(self, keys: str) -> float:
        """Type; returns when."""
        at = time.perf_counter()
        os.write(self._door, keys.encode())
        return at

    def peak(self) -> float:
        """Largest resident size so far, MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024

    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End the process."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        os.close(self._door)


def fill(store: Store, count: int) -> None:
    """Documents with passages, and `count` cases that rest on them."""
    for number in range(-(-count // (2 * PASSAGES))):
        store_document(store, number)
    cases = (_case(number) for number in range(count))
    while batch := list(islice(cases, 10_000)):
        store.cases.add(batch, "benchmark")


def store_document(store: Store, number: int) -> None:
    """One document with its passages, a page each."""
    document = Document(
        doc_id=f"manual-{number}.md",
        root="docs",
        source_path=f"manual-{number}.md",
        sha256="0" * 64,
        size=1,
        mtime_ns=1,
        media_type="text/markdown",
        page_count=PASSAGES,
        reading_id=f"r{number:015d}",
    )
    reading = Reading(
        reading_id=f"r{number:015d}",
        doc_id=document.doc_id,
        version=1,
        sha256=document.sha256,
        extractor="benchmark",
        settings_hash="0",
    )
    texts = [_text(number * PASSAGES + place) for place in range(PASSAGES)]
    pages = [
        Page(number=place + 1, origin=PageOrigin.TEXT, text=text, extractable=len(text))
        for place, text in enumerate(texts)
    ]
    store.documents.save_reading(document, reading, pages)
    store.documents.replace_chunks(document, [_chunk(number, place, text) for place, text in enumerate(texts)])


def _text(passage: int) -> str:
    rules = "。".join(
        f"型号 R{passage}-{item} 的配件保修 {passage % 30 + item} 个月，自签收之日起计算" for item in range(12)
    )
    return f"第 {passage} 条 保修。{rules}。"


def _chunk(document: int, place: int, text: str) -> Chunk:
    return Chunk(
        chunk_id=f"manual-{document}.md#{place:010d}",
        doc_id=f"manual-{document}.md",
        reading_id=f"r{document:015d}",
        text=text,
        parts=(Span(page=place + 1, start=0, end=len(text)),),
        pages=(place + 1,),
        language="zh",
        ordinal=place,
    )


def _case(number: int) -> Case:
    passage = number // 2
    document, place = divmod(passage, PASSAGES)
    text, item = _text(passage), number % 2 + 3
    quote = f"型号 R{passage}-{item} 的配件保修 {passage % 30 + item} 个月"
    start = text.index(quote)
    evidence = Evidence(
        doc_id=f"manual-{document}.md",
        reading_id=f"r{document:015d}",
        quote=quote,
        parts=(Span(page=place + 1, start=start, end=start + len(quote)),),
    )
    outcome = (CheckOutcome.FAIL, CheckOutcome.WARN, *[CheckOutcome.PASS] * 6)[number % 8]
    return Case(
        case_id=f"g{number:012x}",
        question=f"型号 R{passage}-{item} 的配件保修多久？",
        ground_truth=f"{passage % 30 + item} 个月。",
        evidence_groups=((evidence,),),
        source=Source.GENERATED,
        review_state=ReviewState.UNREVIEWED,
        risk="refund" if number % 20 == 0 else None,
        checks=(
            CheckResult(name="quote", outcome=CheckOutcome.PASS),
            CheckResult(name="language", outcome=outcome),
            CheckResult(name="siblings", outcome=CheckOutcome.PASS),
        ),
    )


def review(folder: Path, keys: int, count: int) -> Iterator[tuple[str, float]]:
    """Names and figures of one session: first screen, each decision, memory."""
    terminal = Terminal(folder, "review", "--reviewer", "lin", "--lang", "zh")
    try:
        at, _ = terminal.screen(f"1/{count}")
        yield "first screen", at - terminal.begun
        yield "first screen, CPU", terminal.cpu()
        for number in range(2, keys + 2):
            time.sleep(PAUSE)
            pressed = terminal.press("a")
            at, _ = terminal.screen(f"{number}/{count}")
            yield "key to screen", at - pressed
        yield "memory", terminal.peak()
    finally:
        terminal.end()


def floor(folder: Path, runs: int) -> tuple[float, float, float]:
    """Median wall and CPU seconds of a process that only imports, and of a bare commit of one row to that disk."""
    walls, cpus = [], []
    for _ in range(runs):
        before, begun = os.times(), time.perf_counter()
        subprocess.run([sys.executable, "-c", FLOOR], check=True)
        after = os.times()
        walls.append(time.perf_counter() - begun)
        cpus.append(after.children_user + after.children_system - before.children_user - before.children_system)
    with sqlite3.connect(folder / "floor.db", isolation_level=None) as bare:
        bare.execute("PRAGMA journal_mode=WAL")
        bare.execute("PRAGMA synchronous=FULL")
        bare.execute("CREATE TABLE IF NOT EXISTS row (value INTEGER)")
        took = []
        for value in range(50):
            before = time.perf_counter()
            bare.execute("INSERT INTO row VALUES (?)", (value,))
            took.append(time.perf_counter() - before)
    return median(walls), median(cpus), median(took)


def main() -> None:
    """Fill, review, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=20)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="filled once and kept")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="review-"))
    try:
        _run(folder, options.cases, options.keys, options.starts)
    finally:
        if not options.folder:
            shutil.rmtree(folder)


def _run(folder: Path, count: int, keys: int, starts: int) -> None:
    if not (folder / "builder.toml").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "builder.toml").write_text("", encoding="utf-8")
        begun = time.perf_counter()
        with open_store(find_workspace(folder).store_url) as store:
            fill(store, count)
        print(f"filled in {time.perf_counter() - begun:.0f} s")
    with open_store(find_workspace(folder).store_url) as store:
        waiting = sum(n for (_, state, _), n in store.cases.counts("main").items() if state == "unreviewed")
    wall, cpu, commit = floor(folder, starts)
    opened = [dict(review(folder, 0, waiting)) for _ in range(starts)]
    figures = list(review(folder, keys, waiting))
    took = [value for name, value in figures if name == "key to screen"]
    first, spent = ([one[name] for one in opened] for name in ("first screen", "first screen, CPU"))
    print(f"cases waiting              {waiting}")
    whole = f"({min(first):.3f}-{max(first):.3f}), CPU {median(spent):.2f} s"
    print(f"first screen               {median(first):.3f} s {whole}")
    print(f"  imports alone            {wall:.3f} s, CPU {cpu:.2f} s")
    print(
        f"key to committed, painted  {median(took) * 1000:.1f} ms, 9 of 10 in {quantiles(took, n=10)[-1] * 1000:.1f} ms"
    )
    print(f"  a bare commit            {commit * 1000:.1f} ms")
    print(f"memory, largest            {dict(figures)['memory']:.0f} MiB")


if __name__ == "__main__":
    main()
