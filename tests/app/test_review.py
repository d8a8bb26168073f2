"""`builder review` in a real terminal, driven with real keys."""

import os
import signal
import sys
from pathlib import Path

import pexpect
import pyte
import pytest

from builder.model.case import ReviewState
from tests.folder import ROOT, Folder


class Screen:
    """A terminal with a running `builder review`."""

    def __init__(
        self, folder: Folder, columns: int, rows: int, editor: str = "", who: str = "lin", *options: str, **env: str
    ) -> None:
        environ = (
            os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm-256color",
                "EDITOR": editor,
                "LANG": "zh_CN.UTF-8",
            }
            | env
        )
        command = ["-m", "builder", "review", "--reviewer", who, "--lang", "zh", *options]
        self._child = pexpect.spawn(
            sys.executable,
            command,
            cwd=str(folder.path),
            env=environ,
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=15,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)

    def press(self, keys: str, wanted: str) -> str:
        """Type `keys` and wait until `wanted` is on the screen."""
        self._child.send(keys)
        return self.wait(wanted)

    def wait(self, wanted: str) -> str:
        """Wait until `wanted` is on the screen."""
        for _ in range(300):
            try:
                self._stream.feed(self._child.read_nonblocking(65536, timeout=0.05))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                break
            if wanted in self.text:
                return self.text
        raise AssertionError(f"{wanted!r} is not on the screen:\n{self.text}")

    @property
    def text(self) -> str:
        """What is on the screen; the second half of a wide character is no character."""
        rows = [
            [self._screen.buffer[row][column].data for column in range(self._screen.columns)]
            for row in range(self._screen.lines)
        ]
        return "\n".join("".join(row) for row in rows)

    def kill(self) -> None:
        """End it without a word."""
        self._child.kill(signal.SIGKILL)
        self._child.wait()

    def end(self) -> str:
        """Wait for the end; returns what came last."""
        self._child.expect(pexpect.EOF)
        self._stream.feed(self._child.before or "")
        self._child.close()
        assert self._child.exitstatus == 0
        return self.text


@pytest.fixture
def waiting(docs: Folder) -> Folder:
    """One generated case, one that needs an answer."""
    docs.done("generate", "--writer", "extractive", "--docs", "policy", "--cases", "1")
    docs.write(
        "log.jsonl", '{"id": "1", "question": "生鲜能退吗？", "answer": "能，七天内都可以。", "rating": "down"}\n'
    )
    docs.done("import", "log.jsonl")
    return docs


def states(folder: Folder) -> dict[str, ReviewState]:
    with folder.store() as store:
        return {case.source.value: case.review_state for case in store.cases.list("main")}


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (80, 24)])
def test_a_whole_session(waiting: Folder, tmp_path: Path, columns: int, rows: int) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys, pathlib\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        "heading = '# 参考答案\\n'\n"
        "path.write_text(text.replace(heading, heading + '\\n不能，生鲜商品除外。\\n', 1), encoding='utf-8')\n",
        encoding="utf-8",
    )
    screen = Screen(waiting, columns, rows, f"{sys.executable} {editor}")
    order = screen.wait("1/2")
    first_is_feedback = "生鲜能退吗" in order
    if first_is_feedback:
        screen.press("n", "2/2")
    shown = screen.text
    assert "自动生成" in shown
    assert "原文" in shown
    pause()
    screen.press("x", "选原因")
    screen.press("3", "已拒绝")
    screen.press("u", "撤销")
    assert states(waiting)["generated"] is ReviewState.UNREVIEWED
    pause()
    if "自动生成" not in screen.text:
        screen.press("p" if first_is_feedback is False else "n", "自动生成")
        pause()
    screen.press("a", "生鲜能退吗")
    assert states(waiting)["generated"] is ReviewState.APPROVED
    assert "被点踩" in screen.text
    screen.press("e", "不能，生鲜商品除外")
    assert states(waiting)["feedback"] is ReviewState.UNREVIEWED
    pause()
    screen.press("a", "通过 2")
    screen.press("q", "本次审核")
    screen.end()
    assert states(waiting) == {"generated": ReviewState.APPROVED, "feedback": ReviewState.APPROVED}
    with waiting.store() as store:
        filled = next(case for case in store.cases.list("main") if case.source == "feedback")
    assert filled.ground_truth == "不能，生鲜商品除外。"
    assert filled.rejected_output == "能，七天内都可以。"


def test_killed_during_review_keeps_every_decision(waiting: Folder) -> None:
    screen = Screen(waiting, 100, 30)
    screen.wait("1/2")
    pause()
    screen.press("x", "选原因")
    screen.press("3", "2/2")
    screen.kill()
    assert sorted(states(waiting).values()).count(ReviewState.REJECTED) == 1
    again = Screen(waiting, 100, 30)
    again.wait("1/1")
    again.press("u", "撤销")
    again.press("q", "本次审核")
    again.end()
    assert ReviewState.REJECTED not in states(waiting).values(), "undo reaches back over the kill"


def test_without_a_terminal(waiting: Folder) -> None:
    found = waiting.run("review", "--reviewer", "lin")
    assert found.code == 2
    assert "builder cases" in found.err


def test_nothing_to_review(docs: Folder) -> None:
    found = docs.run("review", "--reviewer", "lin")
    assert found.code in (2, 3)
    assert len(found.err.strip().splitlines()) == 1


def pause() -> None:
    """A person needs a moment: keys typed ahead of the picture, or held down, are dropped on purpose."""
    import time

    time.sleep(0.7)
