"""A narrower queue, jumps out of it, and cases that others look at."""

import pytest

from tests.review.desk import DictDesk, desk, feedback, generated, hostile
from tests.review.walk import walk

G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))


def test_the_queue_is_the_filtered_one_and_the_header_says_so() -> None:
    seen = walk(desk(), "f", lines=("state=needs_answer",))
    assert "筛选后 1 条" in seen.last and "筛选 state=needs_answer" in seen.last
    assert "1/1" in seen.last and feedback().question in seen.last


def test_the_case_at_hand_stays_where_it_fits() -> None:
    seen = walk(desk(), "n", "f", lines=("source=feedback,manual",))
    assert feedback().question in seen.last and "1/2" in seen.last


@pytest.mark.parametrize("line", ["", None])
def test_an_empty_line_clears_the_filter(line: str | None) -> None:
    seen = walk(desk(), "f", lines=(line,), expression="source=manual")
    assert "1/1" in seen.screens[0]
    assert "已取消筛选，共 3 条" in seen.last and "3/3" in seen.last


@pytest.mark.parametrize(("line", "said"), [("colour=red", "colour"), ("risk=refund", "没有符合的题：risk=refund")])
def test_a_filter_that_is_none_changes_nothing(line: str, said: str) -> None:
    seen = walk(desk(), "f", lines=(line,))
    assert said in seen.last and "1/3" in seen.last and "未保存" not in seen.last


def test_decided_cases_leave_nothing_behind_the_filter() -> None:
    seen = walk(desk(), "a", expression="type=multi_hop")
    assert "这一轮都看过了" in seen.last
    assert (seen.summary.approved, seen.summary.left) == (1, 0)


def test_hostile_text_of_a_filter_is_made_visible() -> None:
    seen = walk(desk(), "f", lines=("\x1b[2J\u202e",))
    assert "\x1b" not in seen.last and "\u202e" not in seen.last


def test_a_case_outside_the_queue_is_found_by_its_whole_id() -> None:
    seen = walk(desk(), "g", lines=(H,), expression="state=needs_answer")
    assert "清屏" in seen.last and "2/2" in seen.last


def held_by_wang(*case_ids: str) -> DictDesk:
    return DictDesk(desk().cases, others=dict.fromkeys(case_ids, "wang"))


def test_cases_that_others_look_at_are_passed_and_counted() -> None:
    seen = walk(held_by_wang(G), "n")
    assert feedback().question in seen.screens[0] and "他人在看 1" in seen.screens[0]
    assert "清屏" in seen.last


def test_going_back_passes_them_too() -> None:
    assert "已是第一条" in walk(held_by_wang(G), "p").last
    assert generated().question[:10] in walk(held_by_wang(F), "g", "p", lines=("3",)).last


def test_a_jump_shows_such_a_case_and_says_who_looks_at_it() -> None:
    seen = walk(held_by_wang(G), "g", lines=("1",))
    assert generated().question[:10] in seen.last and "wang 正在看这一题" in seen.last


def test_only_such_cases_are_left() -> None:
    seen = walk(held_by_wang(G, H), "s")
    assert feedback().question in seen.last, "it comes back, the others are passed"
    seen = walk(held_by_wang(G, F, H), "n")
    assert "另有 3 条别人正在看" in seen.screens[0]
