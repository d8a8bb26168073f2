"""`builder review` over a real store: filters, two people, pictures, line by line, sudden ends."""

import sys
from pathlib import Path

import pytest

from builder.model.case import ReviewState
from tests.app.test_review import Screen, pause, states, waiting
from tests.conftest import Wait
from tests.folder import Folder
from tests.ingest.pdfs import prose_pdf

__all__ = ["waiting"]


def test_options_come_to_one_filter(waiting: Folder) -> None:
    options = ("--source", "feedback", "--source", "manual", "--text", "生鲜 能退", "--where", "answerable=true")
    screen = Screen(waiting, 100, 30, "", "lin", *options)
    shown = screen.wait("1/1")
    assert '筛选 source=feedback,manual text="生鲜 能退" answerable=true' in shown and "生鲜能退吗" in shown
    screen.press("f", "筛选，如")
    screen.press("\r", "1/2")
    screen.press("q", "每个决定")
    screen.end()


@pytest.mark.parametrize("options", [("--where", "colour=red"), ("--state", "finished")])
def test_a_wrong_filter_is_one_line(waiting: Folder, options: tuple[str, ...]) -> None:
    found = waiting.run("review", "--reviewer", "lin", *options)
    assert found.code == 3 and len(found.err.strip().splitlines()) == 1


@pytest.mark.parametrize("options", [(), ("--plain",)])
def test_without_a_terminal_the_ways_out_are_named(waiting: Folder, options: tuple[str, ...]) -> None:
    found = waiting.run("review", "--reviewer", "lin", *options)
    assert found.code == 2
    assert "builder sheet" in found.err and "builder cases list --json" in found.err


def test_two_people_are_not_shown_the_same_case(waiting: Folder) -> None:
    lin = Screen(waiting, 80, 24)
    first = "生鲜能退吗" in lin.wait("1/2")
    wang = Screen(waiting, 80, 24, "", "wang")
    shown = wang.wait("他人在看 1")
    assert ("生鲜能退吗" in shown) is not first
    lin.press("q", "每个决定")
    lin.end()
    wang.press("p" if "2/2" in wang.text else "n", "1/2" if "2/2" in wang.text else "2/2")
    wang.press("q", "每个决定")
    wang.end()


def test_line_by_line(waiting: Folder) -> None:
    screen = Screen(waiting, 100, 40, "", "lin", "--plain", "--source", "generated")
    screen.wait("[a,x,e")
    screen.press("x\r", "空行取消>")
    screen.press("3\r", "已拒绝")
    assert states(waiting)["generated"] is ReviewState.REJECTED
    screen.press("u\r", "已撤销")
    assert states(waiting)["generated"] is ReviewState.UNREVIEWED
    screen.press("a\r", "已通过")
    screen.press("q\r", "每个决定")
    screen.end()
    assert states(waiting)["generated"] is ReviewState.APPROVED


def test_killed_before_the_count_was_typed_nothing_is_done(waiting: Folder) -> None:
    screen = Screen(waiting, 80, 24, "", "lin", "--state", "unreviewed,needs_answer")
    screen.wait("1/2")
    before = states(waiting)
    pause()
    screen.press("b", "筛选内 2 条")
    screen.press("x", "原文识别错误")
    screen.press("3", "确认：输入题数")
    screen.kill()
    assert states(waiting) == before
    again = Screen(waiting, 80, 24, "", "lin", "--state", "unreviewed,needs_answer")
    again.wait("1/2")
    pause()
    again.press("b", "筛选内 2 条")
    again.press("x", "原文识别错误")
    again.press("3", "确认：输入题数")
    again.press("2\r", "已拒绝 2 条")
    again.kill()
    assert set(states(waiting).values()) == {ReviewState.REJECTED}
    third = Screen(waiting, 80, 24)
    third.wait("没有待审的题")
    third.press("u", "已撤销整批 2 条")
    third.press("q", "每个决定")
    third.end()
    assert states(waiting) == before


def test_the_page_is_shown_in_the_viewer(folder: Folder, tmp_path: Path, until: Wait) -> None:
    text = ["Rules of Travel", "", "Hotel costs are refunded up to 600 yuan a night, except at trade fairs."]
    folder.write("docs/travel.pdf", prose_pdf([text]))
    folder.done("ingest", "docs")
    folder.write("log.jsonl", '{"id": "1", "question": "Are hotel costs refunded?", "answer": "No.", "rating": "down"}')
    folder.done("import", "log.jsonl")
    seen = tmp_path / "seen.txt"
    viewer = tmp_path / "viewer.py"
    viewer.write_text(f"import sys, pathlib\npathlib.Path({str(seen)!r}).write_text(sys.argv[1])\n", encoding="utf-8")
    screen = Screen(folder, 100, 30, BUILDER_VIEWER=f"{sys.executable} {viewer}")
    screen.wait("1/1")
    screen.press("v", "已打开原页图")
    until(lambda: seen.exists() and seen.read_text().endswith(".png"))
    picture = Path(seen.read_text())
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.is_relative_to(folder.path / "data")
    (folder.path / "docs" / "travel.pdf").write_bytes(prose_pdf([["Something else."]]))
    picture.unlink()
    screen.press("v", "变过")
    (folder.path / "docs" / "travel.pdf").unlink()
    screen.press("v", "已不在")
    screen.press("q", "每个决定")
    screen.end()
