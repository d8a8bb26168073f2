"""The real terminal: real keys through a pty, real bytes on an emulated screen."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pyte
import pytest

from builder.errors import UsageError
from builder.review.terminal import TtyTerminal
from builder.words import words
from tests.review.desk import feedback, generated, hostile
from tests.review.test_view import LEGEND

ROOT = Path(__file__).parents[2]
G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))
FILL = """
import pathlib, sys
path = pathlib.Path(sys.argv[-1])
text = path.read_text(encoding="utf-8")
path.write_text(text.replace("# 参考答案\\n", "# 参考答案\\n\\n进水需付费维修。\\n"), encoding="utf-8")
print("EDITOR RAN")
"""


class Player:
    """A shell that runs the session, and the screen that it draws on."""

    def __init__(self, folder: Path, columns: int, rows: int, *shell: str, **env: str) -> None:
        editor = folder / "fill.py"
        editor.write_text(FILL, encoding="utf-8")
        self.out = folder / "cases.json"
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        clean = {name: value for name, value in os.environ.items() if name not in ("VISUAL", "NO_COLOR")}
        self.command = f"{sys.executable} -m tests.review.play {self.out}"
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            "/bin/sh",
            list(shell) or ["-c", f"trap : INT; {self.command}; stty -a; echo '[end]'"],
            cwd=str(ROOT),
            env={**clean, "TERM": "xterm-256color", "EDITOR": f"{sys.executable} {editor}", **env},
            dimensions=(rows, columns),
        )

    def until(self, text: str, seconds: float = 20) -> None:
        """Read until `text` stands on the screen."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, f"no {text!r} on\n{self.shown}"
            self._read()

    def until_raw(self, data: bytes, times: int = 1) -> None:
        """Read until these bytes came so often."""
        end = time.monotonic() + 20
        while self.raw.count(data) < times:
            assert time.monotonic() < end, self.raw[-2000:]
            self._read()

    def press(self, keys: str | bytes, then: str) -> None:
        """Send keys, then wait for a text."""
        self.child.send(keys)
        self.until(then)

    def leave(self) -> str:
        """Read to the end; what came after the screen was given back."""
        self.until_raw(b"[end]")
        self.child.close()
        return self.raw[self.raw.rindex(b"\x1b[?1049l") :].decode()

    def cases(self) -> Any:
        return json.loads(self.out.read_text(encoding="utf-8"))

    @property
    def shown(self) -> str:
        return "\n".join(self.screen.display)

    def _read(self) -> None:
        try:
            data = self.child.read_nonblocking(65536, timeout=0.2)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return
        self.raw += data
        self.stream.feed(data)


def _is_restored(player: Player) -> str:
    after = player.leave()
    for mode in ("icanon", "echo", "isig"):
        assert re.search(rf"(?<!-)\b{mode}\b", after)
    for sequence in (b"\x1b[?25h", b"\x1b[?7h", b"\x1b[?2004l"):
        assert sequence in player.raw[player.raw.rindex(b"\x1b[?25l") :]
    return after


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (80, 24)])
def test_a_session_with_real_keys(tmp_path: Path, columns: int, rows: int) -> None:
    player = Player(tmp_path, columns, rows)
    player.until("退出")
    # The committed screen is what a user sees, cell by cell.
    golden = (Path(__file__).with_name("golden") / f"zh-{columns}x{rows}-first.txt").read_text(encoding="utf-8")
    assert "\n".join(line.rstrip() for line in player.screen.display) + "\n" == golden[: golden.index(LEGEND)]
    player.press("a", f"{G} 已通过，已保存")
    player.until("【待补充】")
    player.press("a", "还缺：参考答案。e 填写")
    player.press("2", "片段 2 已选为引文")
    player.press("e", "已保存修改：参考答案")
    assert b"EDITOR RAN" in player.raw
    player.press("ａ".encode(), f"{F} 已通过")
    player.press("x", "选原因")
    player.press("2", "已拒绝（引文不支持答案）")
    player.press("\x7f", f"已撤销 {H} 的“拒绝”")
    player.press("/", "检索（回车取消）：")
    player.press("进水\r", "检索“进水”")
    player.press("\x1b[3~", "选原因")
    player.press("9", "拒绝原因")
    player.press("不像\x7f真人问的\r", "已拒绝（其他")
    player.press("q", "每个决定都已保存")
    after = _is_restored(player)
    assert "通过         2   其中改过 1" in after
    cases = player.cases()
    assert [cases[one]["review_state"] for one in (G, F, H)] == ["approved", "approved", "rejected"]
    assert cases[F]["ground_truth"] == "进水需付费维修。"
    assert cases[F]["evidence_groups"][0][0]["doc_id"] == "policy.pdf"


def test_a_resized_window_is_drawn_anew(tmp_path: Path) -> None:
    player = Player(tmp_path, 100, 30)
    player.until("│")
    player.screen.resize(24, 80)
    player.child.setwinsize(24, 80)
    player.until("下面还有")
    assert "│" not in player.shown
    player.press("q", "每个决定都已保存")
    _is_restored(player)


def test_stop_and_continue(tmp_path: Path) -> None:
    player = Player(tmp_path, 80, 24, "-i")
    player.child.sendline(player.command)
    player.until("进水的情")
    player.press("n", "【待补充】")
    player.child.send("\x1a")
    player.until_raw(b"\x1b[?1049l")
    player.child.sendline("stty -a; echo '[shell]'; fg")
    player.until_raw(b"\r\n[shell]")
    between = player.raw[player.raw.rindex(b"\x1b[?1049l") :]
    assert re.search(rb"(?<!-)\bicanon", between) and b"\x1b[?1049h" not in between.split(b"[shell]")[0]
    player.until_raw(b"\x1b[?1049h", times=2)
    player.press("p", generated().question[:8])
    player.press("q", "每个决定都已保存")
    player.child.sendline("stty -a; echo '[''end]'")
    _is_restored(player)


@pytest.mark.parametrize("end", ["\x03", "defect", "SIGTERM"])
def test_the_terminal_is_restored_however_it_ends(tmp_path: Path, end: str) -> None:
    player = Player(tmp_path, 80, 24, PLAY_BREAKS="1")
    player.until("进水的情")
    if end == "SIGTERM":
        os.kill(int(Path(f"{player.out}.pid").read_text(encoding="utf-8")), signal.SIGTERM)
    else:
        player.child.send("u" if end == "defect" else end)
    after = _is_restored(player)
    assert ("RuntimeError: a defect" in after) == (end == "defect")


def test_colours_only_where_they_are_wanted(tmp_path: Path) -> None:
    player = Player(tmp_path, 80, 24, NO_COLOR="1")
    player.until("进水的情")
    player.press("n", "【待补充】")
    assert b"38;5" not in player.raw and b"\x1b[1m" in player.raw
    player.press("q", "每个决定都已保存")
    _is_restored(player)


def test_without_a_terminal_it_names_the_ways_out(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.review.play", str(tmp_path / "cases.json")]
    ran = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert "UsageError" in ran.stderr and "builder cases" in ran.stderr and ran.stdout == ""


def test_a_terminal_that_cannot_move_its_cursor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(UsageError) as caught:
        TtyTerminal()
    assert caught.value.exit_code == 2 and "builder cases" in caught.value.line(words("zh"))


def test_a_small_screen_in_chinese(tmp_path: Path) -> None:
    player = Player(tmp_path, 60, 20, PLAY_BLIND="1")
    player.until("退出")
    golden = (Path(__file__).with_name("golden") / "zh-60x20-first.txt").read_text(encoding="utf-8")
    assert "\n".join(line.rstrip() for line in player.screen.display) + "\n" == golden[: golden.index(LEGEND)]
    player.press("f", "筛选，如")
    player.press("source=manual,feedback\r", "筛选后 2 条")
    player.press("b", "筛选内 2 条")
    player.press("x", "原文识别错误")
    player.press("5", "确认：输入题数")
    player.press("2\r", "已拒绝 2 条")
    player.press("u", "已撤销整批 2 条")
    player.press("?", "下一页")
    player.press("?", "前一条")
    player.press("?", "退出，进度已保存")
    player.press("?", "问题")
    player.press("q", "每个决定")
    _is_restored(player)
    assert {case["review_state"] for case in player.cases().values()} == {"unreviewed", "needs_answer"}
