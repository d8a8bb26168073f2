"""One decision about all cases of a filter."""

import pytest

from builder.model.case import RejectReason, ReviewState
from tests.review.desk import DictDesk, hostile
from tests.review.walk import walk


def room(**more: object) -> DictDesk:
    cases = [hostile().replace(case_id=f"m{number}", risk="refund" if number < 3 else None) for number in range(5)]
    return DictDesk({case.case_id: case for case in cases}, **more)  # type: ignore[arg-type]


def rejected(desk: DictDesk) -> list[str]:
    return [case_id for case_id, case in desk.cases.items() if case.review_state is ReviewState.REJECTED]


def test_it_shows_how_many_and_which() -> None:
    shown = walk(room(), "b", expression="risk=refund").screens[1]
    assert "筛选内 3 条" in shown and "m0 m1 m2" in shown


def test_reject_with_the_count_typed_is_one_step() -> None:
    desk = room()
    seen = walk(desk, "b", "x", "4", lines=("3",), expression="risk=refund")
    assert rejected(desk) == ["m0", "m1", "m2"] and len(desk.done) == 1
    assert all(desk.cases[one].reject_reason is RejectReason.CLOSED_BOOK for one in rejected(desk))
    assert "已拒绝 3 条（不看文档也能答）" in seen.last
    assert (seen.summary.rejected, seen.summary.left, seen.summary.typical) == (3, 0, None)
    again = walk(desk, "u", "U", "u", expression="risk=any")
    assert "已撤销整批 3 条" in again.screens[1] and "已重做整批 3 条" in again.screens[2]
    assert rejected(desk) == []


def test_undo_in_the_same_session_takes_all_from_the_count() -> None:
    desk = room()
    seen = walk(desk, "b", "x", "1", "u", lines=("3",), expression="risk=refund")
    assert rejected(desk) == [] and seen.summary.rejected == 0
    assert "已撤销整批 3 条" in seen.last


def test_another_reason_is_written_first() -> None:
    desk = room()
    seen = walk(desk, "b", "x", "9", lines=("同一批误导入", "3"), expression="risk=refund")
    assert len(seen.prompts) == 2 and len(rejected(desk)) == 3


@pytest.mark.parametrize(
    ("keys", "lines", "said"),
    [
        (("b", "esc"), (), "已取消"),
        (("b", "a"), (), "已取消"),
        (("b", "x", "esc"), (), "已取消"),
        (("b", "x", "1"), ("2",), "应为 3"),
        (("b", "x", "1"), (None,), "已取消"),
        (("b", "x", "9"), ("",), "已取消"),
        (("b", "s"), ("30",), "应为 3"),
    ],
)
def test_anything_else_changes_nothing(keys: tuple[str, ...], lines: tuple[str | None, ...], said: str) -> None:
    desk = room()
    seen = walk(desk, *keys, lines=lines, expression="risk=refund")
    assert said in seen.last and desk.cases == room().cases and seen.summary.skipped == 0


def test_skip_puts_all_of_them_last() -> None:
    seen = walk(room(), "b", "s", lines=("3",), expression="risk=refund")
    assert seen.summary.skipped == 3 and "已跳过 3 条" in seen.last


def test_without_a_filter_there_is_no_batch() -> None:
    assert "请先用 f 筛选" in walk(room(), "b").last


def test_what_others_look_at_or_was_decided_is_left_out() -> None:
    desk = room(others={"m1": "wang"})
    seen = walk(desk, "a", "b", "x", "1", lines=("1",), expression="risk=refund")
    assert "筛选内 1 条" in seen.screens[2]
    assert rejected(desk) == ["m2"]


def test_cases_that_no_longer_fit_are_said() -> None:
    class Late(DictDesk):
        def sweep(self, expression, case_ids, decision):  # type: ignore[no-untyped-def]
            self.cases["m0"] = self.cases["m0"].replace(risk=None)
            return super().sweep(expression, case_ids, decision)

    desk = Late(room().cases)
    seen = walk(desk, "b", "x", "1", lines=("3",), expression="risk=refund")
    assert "已拒绝 2 条" in seen.last and "1 条别人刚处理过" in seen.last and rejected(desk) == ["m1", "m2"]
