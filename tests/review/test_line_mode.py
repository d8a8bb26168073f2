"""Line by line: the same acts without a screen."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from builder.errors import UsageError
from builder.model.case import RejectReason, ReviewState
from builder.review.line_mode import LineTerminal, in_lines, key_of, printer
from builder.review.plain import bracketed
from builder.review.session import Session, run
from builder.review.strip import Strip
from builder.words import words
from tests.review.desk import DictDesk, desk, feedback, generated, hostile
from tests.review.test_terminal import FILL, ROOT
from tests.review.walk import Clock

G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))


class Paper(LineTerminal):
    """Lines from a list, and what was printed; the rest is the real one."""

    __slots__ = ("asked", "lines", "printed")

    def __post_init__(self) -> None:
        self.lines: list[str | None] = []
        self.printed: list[str] = []
        self.asked: list[str] = []

    def size(self) -> tuple[int, int]:
        return (80, 24)

    def write(self, lines: tuple[str, ...]) -> None:
        self.printed += lines

    def _line(self, prompt: str) -> str | None:
        self.asked.append(prompt)
        self.printed.append(prompt)
        return self.lines.pop(0) if self.lines else None


def typed(room: DictDesk, *lines: str | None, **more: Any) -> Paper:
    """A session with these lines; the end of input ends it."""
    paper = Paper()
    paper.lines = list(lines)
    session = Session(
        desk=room,
        terminal=paper,
        say=words("zh"),
        edit=lambda text: text.replace("# 参考答案\n", "# 参考答案\n\n进水需付费维修。\n"),
        clock=Clock(),
        printer=printer(paper),
        **more,
    )
    run(session, 0.0)
    return paper


def test_a_case_is_printed_from_top_to_bottom_with_its_evidence_marked() -> None:
    text = "\n".join(typed(desk()).printed)
    places = [
        text.index(part)
        for part in ("自动生成", "问题", "参考答案", "检查", "原文", "RC-410 用户手册.pdf", "<<享受 24")
    ]
    assert places == sorted(places)
    assert "为 6 个月>>" in text and text.count("<<") == text.count(">>")


def test_the_prompt_names_the_keys_that_hold() -> None:
    first, second = (typed(desk(), *lines).asked[-1] for lines in ((), ("n",)))
    assert first.startswith(f"审核 {G} [a,x,e,") and "1-9" not in first and first.endswith(",?,q]> ")
    assert "[e,1-9,x," in second, "nothing to approve, something to pin"
    assert "up" not in first and "tab" not in first


def test_decisions_are_the_same_acts() -> None:
    room = desk()
    paper = typed(room, "a", "2", "e", "a", "x", "3", "u", "x", "9", "答非所问", "q")
    assert [room.cases[one].review_state for one in (G, F, H)] == [
        ReviewState.APPROVED,
        ReviewState.APPROVED,
        ReviewState.REJECTED,
    ]
    assert room.cases[F].ground_truth == "进水需付费维修。" and room.cases[H].reject_reason is RejectReason.OTHER
    text = "\n".join(paper.printed)
    assert f"{G} 已通过，已保存" in text and "选原因" in text and "已撤销" in text


@pytest.mark.parametrize("line", ["", "   "])
def test_an_empty_line_decides_nothing(line: str) -> None:
    room = desk()
    typed(room, line, line, "x", line)
    assert room.cases == desk().cases


def test_the_keys_in_words_and_back() -> None:
    paper = typed(desk(), "?", "a")
    text = "\n".join(paper.printed)
    for name in ("approve", "filter", "batch", "undo"):
        assert words("zh")(f"review.help.{name}") in text
    assert f"{G} 已通过" in text, "the next key is one of the case again"


def test_filter_batch_and_jump() -> None:
    room = desk()
    paper = typed(room, "f", "source=manual,feedback", "b", "x", "5", "2", "g", G)
    assert [room.cases[one].review_state for one in (F, H)] == [ReviewState.REJECTED] * 2
    text = "\n".join(paper.printed)
    assert "筛选内 2 条" in text and "已拒绝 2 条" in text and generated().question[:10] in text


def test_unchanged_cases_are_not_printed_again() -> None:
    paper = typed(desk(), "Z", "U")
    assert sum("RC-410 用户手册.pdf" in line for line in paper.printed) == 1
    assert any("没有这个键：Z" in line for line in paper.printed)


def test_hostile_text_is_inert() -> None:
    text = "\n".join(typed(desk(), "g", "3").printed)
    assert "\\x1b[2J" in text and not any(one in text for one in "\x1b\x07\u202e\u200b")


def test_blind_hides_here_too() -> None:
    room = DictDesk(desk().cases | {G: generated().replace(note="我看应拒绝")})
    text = "\n".join(typed(room, blind=True).printed)
    assert "已隐藏 1 项" in text and "我看应拒绝" not in text
    assert "我看应拒绝" in "\n".join(typed(room, "c", blind=True).printed)


@pytest.mark.parametrize(
    ("line", "key"),
    [("a", "a"), (" ａ ", "a"), ("U", "U"), ("ESC", "esc"), ("、", "/"), ("【", "["), ("", ""), ("1", "1")],
)
def test_what_a_line_means(line: str, key: str) -> None:
    assert key_of(line) == key


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([(("g", ""), ("a", ""), ("b", "evidence"), ("c", ""))], ("ga<<b>>c",)),
        ([(("g", ""), ("b", "evidence")), (("g", ""), ("c", "evidence_far"), ("d", ""))], ("g<<b", "gc>>d")),
        ([(("g", ""), ("b", "evidence")), (("g", ""), ("d", ""))], ("g<<b>>", "gd")),
        ([(("g", ""), ("b", "evidence")), ()], ("g<<b>>", "")),
    ],
)
def test_brackets(lines: list[Strip], text: tuple[str, ...]) -> None:
    assert bracketed(lines) == text


@pytest.mark.parametrize(
    ("term", "columns", "wanted"), [("dumb", 100, True), ("xterm", 100, False), ("xterm", 59, True)]
)
def test_when_it_is_used(term: str, columns: int, wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "24")
    assert in_lines() is wanted


def test_without_a_terminal_it_is_refused() -> None:
    with open(os.devnull) as nothing:  # noqa: PTH123 - a descriptor is wanted
        code = "import builder.review.line_mode as m; m.LineTerminal()"
        ran = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, stdin=nothing, capture_output=True, text=True, check=False
        )
    assert UsageError.__name__ in ran.stderr and "builder sheet" in ran.stderr


@pytest.fixture
def player(tmp_path: Path) -> Callable[..., "pexpect.spawn[str]"]:
    """Starts the session on a pty whose terminal is a simple one."""
    editor = tmp_path / "fill.py"
    editor.write_text(FILL, encoding="utf-8")

    def start(term: str = "dumb", size: tuple[int, int] = (24, 80), **env: str) -> "pexpect.spawn[str]":
        clean = {name: value for name, value in os.environ.items() if name not in ("VISUAL", "COLUMNS", "LINES")}
        return pexpect.spawn(
            sys.executable,
            ["-m", "tests.review.play", str(tmp_path / "cases.json")],
            cwd=str(ROOT),
            env={**clean, "TERM": term, "EDITOR": f"{sys.executable} {editor}", **env},
            dimensions=size,
            encoding="utf-8",
            timeout=20,
        )

    return start


def test_a_dumb_terminal(player: Callable[..., "pexpect.spawn[str]"]) -> None:
    child = player(PLAY_GUARD="0")
    child.expect_exact("[a,x,e")
    assert "\x1b" not in (child.before or "")
    child.sendline("a")
    child.expect_exact("已通过，已保存")
    child.expect_exact(f"审核 {F} [e,1-9")
    child.sendline("e")
    child.expect_exact("已保存修改：参考答案")
    child.expect_exact("> ")
    child.sendline("ａ")
    child.expect_exact(f"{F} 已通过")
    child.expect_exact("> ")
    child.sendline("q")
    child.expect_exact("本次审核")
    child.expect(pexpect.EOF)
    assert "\x1b" not in (child.before or "") and "通过         2" in (child.before or "")
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize("end", ["\x04", "\x03"])
def test_a_small_window_and_the_end_of_input(player: Callable[..., "pexpect.spawn[str]"], end: str) -> None:
    child = player("xterm-256color", (12, 50), PLAY_GUARD="0")
    child.expect_exact("[a,x,e")
    child.send(end)
    child.expect_exact("本次审核")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
