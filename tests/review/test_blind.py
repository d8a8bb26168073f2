"""Blind review, the picture of a page, the summary, and two versions of one decision."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builder.errors import Conflict
from builder.model.case import Case, CheckOutcome, CheckResult
from builder.model.decision import Decision
from builder.review.desk import Deed, Item
from builder.review.summary import lines
from builder.review.viewer import VIEWER, view
from builder.words import words
from tests.review.desk import DictDesk, desk, feedback, generated
from tests.review.walk import Clock, walk

G, F = generated().case_id, feedback().case_id
NOTE = "王：我看应拒绝"


def room(note_by: str = "wang") -> DictDesk:
    class Noted(DictDesk):
        def load(self, case_id: str) -> Item:
            return replace(super().load(case_id), note_by=note_by)

    checks = (
        *generated().checks,
        CheckResult(name="verify", outcome=CheckOutcome.FAIL),
        CheckResult(name="leakage", outcome=CheckOutcome.WARN),
    )
    return Noted(desk().cases | {G: generated().replace(checks=checks, note=NOTE)})


def test_what_models_and_others_think_is_hidden_until_asked() -> None:
    seen = walk(room(), "c", "c", blind=True, size=(100, 40))
    assert "已隐藏 3 项" in seen.screens[0] and "另一次独立作答" not in seen.screens[0] and NOTE not in seen.screens[0]
    assert "引文逐字在原文中" in seen.screens[0], "what the program itself found is shown"
    assert "另一次独立作答" in seen.screens[1] and NOTE in seen.screens[1] and "已隐藏" not in seen.screens[1]
    assert "已隐藏" in seen.screens[2]


def test_it_is_hidden_again_with_the_next_case_and_shown_after_the_decision() -> None:
    seen = walk(room(), "c", "n", "p", "a", "p", blind=True, size=(100, 40))
    assert "已隐藏" in seen.screens[3]
    assert "已隐藏" not in seen.last and NOTE in seen.last


def test_ones_own_note_is_not_hidden() -> None:
    assert NOTE in walk(room("lin"), blind=True, size=(100, 40)).last


def test_a_form_does_not_tell_and_does_not_lose_what_is_hidden() -> None:
    forms: list[str] = []

    def edit(text: str) -> str:
        forms.append(text)
        return text.replace("# 备注\n", "# 备注\n\n我的看法\n")

    blind = room()
    walk(blind, "e", edit=edit, blind=True)
    assert NOTE not in forms[0]
    assert blind.cases[G].note == f"{NOTE}\n我的看法"


def test_without_blind_nothing_is_hidden() -> None:
    seen = walk(room(), "c", size=(100, 40))
    assert NOTE in seen.screens[0] and "不在盲审中" in seen.last


def test_the_picture_is_handed_to_the_viewer() -> None:
    shown: list[Path] = []

    def viewer(path: Path) -> bool:
        shown.append(path)
        return True

    seen = walk(desk(), "v", view=viewer)
    assert shown == [Path("manual.pdf-12.png")] and "已打开原页图" in seen.last
    assert "没有看图程序，原页图在" in walk(desk(), "v", view=lambda path: False).last


def test_a_document_that_is_no_pdf_is_said_in_one_line() -> None:
    seen = walk(desk(), "/", "v", lines=("清水箱",))
    assert "faq.md 不是 PDF" in seen.last and "未保存" not in seen.last


@pytest.mark.parametrize("command", ["", "/no/such/program", "'"])
def test_no_viewer(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VIEWER, command)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert view(tmp_path / "page.png") is False


def test_a_conflict_shows_both_versions_and_keeps_the_form() -> None:
    class Race(DictDesk):
        def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
            if self.cases[G].revision == 1:
                self.cases[G] = self.cases[G].replace(ground_truth="对方的答案", revision=2)
                raise Conflict("conflict", case=G, seen=1, now=2)
            return super().commit(case, decisions)

    forms: list[str] = []

    def edit(text: str) -> str:
        forms.append(text)
        return text.replace("整机质保 24 个月，电池与配件 6 个月。", "我的答案。")

    at = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    theirs = Deed(who="wa\x1bng", action="edit", at=at, after={"ground_truth": "对方的答案"})
    race = Race(desk().cases, deeds=[(2, theirs)])
    seen = walk(race, "e", "esc", "e", edit=edit)
    clash = seen.screens[1]
    assert "对方的答案" in clash and "我的答案。" in clash and "参考答案" in clash and "你写的内容还在" in clash
    assert "\x1b" not in clash
    assert "对方的答案" in seen.screens[2], "the case as it is now"
    assert "我的答案。" in forms[1], "the form is not lost"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_summary_tells_time_store_and_hasty_decisions(language: str) -> None:
    say = words(language)
    begun = datetime(2026, 11, 30, 15, 2)
    found = walk(desk(), "a", "x", "2", clock=Clock(0.5), today=lambda: begun).summary
    text = "\n".join(lines(found, say, "data/builder.db"))
    assert "2026-11-30 15:02-15:02" in text and "data/builder.db" in text
    assert G in text and F not in text.split(G)[1][:20], "read in less time than it takes"
    slow = walk(desk(), "a", clock=Clock(30.0)).summary
    assert slow.fast == () and slow.typical
