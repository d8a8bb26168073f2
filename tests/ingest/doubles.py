"""Real implementations for tests: an OCR engine that says what it was told, and tasks that behave badly."""

import os
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from builder.ingest.ocr.engine import OcrLine, OcrPage
from builder.ingest.pool import Limits, run_isolated

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class ScriptedEngine:
    """Reads the same lines from every image, with one confidence."""

    lines: tuple[str, ...]
    confidence: int = 90
    name: str = "scripted"
    version: str = "1"

    def read(self, image: "Image", languages: str) -> OcrPage:
        """The lines, a hundred pixels apart."""
        return OcrPage(
            lines=tuple(
                OcrLine(
                    text=text,
                    box=(100.0, 100.0 * (n + 1), float(image.width - 100), 100.0 * (n + 1) + 40),
                    height=40.0,
                    confidences=(self.confidence,) * len(text.split()),
                )
                for n, text in enumerate(self.lines)
            )
        )


def scripted(lines: tuple[str, ...], confidence: int = 90) -> ScriptedEngine:
    """Make the engine, in a worker."""
    return ScriptedEngine(lines, confidence)


def act(job: str) -> str:
    """Do as the job says."""
    if job == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "abort":
        os.abort()
    if job == "sleep":
        time.sleep(600)
    if job == "burn":
        while True:
            pass
    if job == "eat":
        return str(len(b"x" * (4 << 30)))
    if job == "raise":
        raise ValueError("bad job")
    return job.upper()


def note_and_sleep(job: int, folder: Path) -> None:
    """Leave the process id and go to sleep."""
    (folder / f"{job}.pid").write_text(str(os.getpid()))
    time.sleep(600)


def sleepers(folder: str) -> None:
    """Two workers that sleep until somebody ends them."""
    limits = Limits(workers=2, memory_mib=2048, timeout=600)
    for _ in run_isolated(partial(note_and_sleep, folder=Path(folder)), [1, 2], limits):
        pass
