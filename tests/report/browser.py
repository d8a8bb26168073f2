"""The HTML reader that tests look through, and a headless Chromium where there is one."""

import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
_VOID = {"meta", "br", "hr", "img", "input", "link", "base"}


class Reader(HTMLParser):
    """What a browser would see: elements with their attributes, text, and whether all of them are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def classes(self) -> set[str]:
        """All class names."""
        return {name for _, key, value in self.attributes if key == "class" for name in value.split()}


def seen_by_chromium(path: Path, folder: Path, *, height: int = 3000) -> tuple[str, str, Path]:
    """The document as Chromium holds it, its log, and a screenshot."""
    assert CHROMIUM is not None
    shot, log = folder / "shot.png", folder / "net.json"
    common = (
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-background-networking",
        "--disable-sync",
        "--disable-extensions",
        "--disable-default-apps",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--disable-component-update",
        "--no-first-run",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size=1200,{height}",
        "--enable-logging=stderr",
        f"--log-net-log={log}",
    )
    url = path.resolve().as_uri()
    dom = subprocess.run([*common, "--dump-dom", url], capture_output=True, text=True, check=True, timeout=90)
    subprocess.run([*common[:-1], f"--screenshot={shot}", url], capture_output=True, check=True, timeout=90)
    return dom.stdout, dom.stderr, shot


def requests_in(log: Path) -> set[str]:
    """The addresses that a page asked for, from Chromium's network log; what the browser itself asks has no origin."""
    events = json.loads(log.read_text(encoding="utf-8"))["events"]
    told = [event["params"] for event in events if "initiator" in event.get("params", {})]
    own = {"not an origin", ""}
    return {one["url"] for one in told if one["initiator"] not in own and not one["url"].startswith("file:")}
