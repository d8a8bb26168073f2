"""Edits of one case at the keys: the form with its drafts, notes, the comparison, 文档无答案 and back."""

from dataclasses import replace

import pytest

from builder.errors import Refused
from builder.model.case import Case, ReviewState, Status
from builder.model.claim import Claim
from builder.model.decision import Decision
from builder.review.acts import WRONG_DOWNVOTE
from builder.review.desk import Item
from tests.review.desk import DictDesk, desk, feedback, generated, hostile
from tests.review.walk import walk

G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))


class Forms:
    """An editor that writes down what it was given and answers from a list."""

    def __init__(self, *edits: tuple[str, str]) -> None:
        self.edits = list(edits)
        self.seen: list[str] = []

    def __call__(self, text: str) -> str:
        self.seen.append(text)
        old, new = self.edits.pop(0) if self.edits else ("", "")
        return text.replace(old, new) if old else text


RISK = ("# 高风险主题\n", "# 高风险主题\nlunch\n")
ANSWER = (generated().ground_truth, "写了很久的答案。")


def test_a_wrong_value_saves_nothing_and_is_offered_again() -> None:
    made = desk()
    editor = Forms((RISK[0], RISK[1]), ("lunch\n", "refund\n"))
    seen = walk(made, "e", "e", edit=editor, risks=("refund", "safety"))
    assert "没有高风险主题“lunch”，可填 refund、safety" in seen.screens[1]
    assert "上次写的" in editor.seen[1] and "\nlunch\n" in editor.seen[1]
    assert made.cases[G].risk == "refund" and made.cases[G].revision == 2
    assert "已保存修改：高风险主题" in seen.last


def test_what_else_was_typed_is_in_the_draft() -> None:
    made = desk()
    editor = Forms(ANSWER, RISK, ("lunch\n", ""))

    def edit(text: str) -> str:
        return editor(editor(text)) if len(editor.seen) == 0 else editor(text)

    walk(made, "e", "e", edit=edit)
    assert made.cases[G].ground_truth == ANSWER[1] and made.cases[G].risk is None


def test_a_draft_waits_while_others_are_looked_at() -> None:
    made = desk()
    editor = Forms(RISK)
    walk(made, "e", "n", "e", "p", "e", edit=editor)
    assert "lunch" not in editor.seen[1] and "\nlunch\n" in editor.seen[2]


def test_an_emptied_draft_is_given_up() -> None:
    made = desk()
    seen: list[str] = []

    def edit(text: str) -> str:
        seen.append(text)
        return ("", text)[len(seen) > 2] if len(seen) > 1 else text.replace(*RISK)

    walk(made, "e", "e", "e", edit=edit)
    assert "lunch" in seen[1] and "lunch" not in seen[2]
    assert made.cases == desk().cases


def test_a_draft_of_another_revision_is_only_shown() -> None:
    made = desk()
    editor = Forms(RISK)
    walk(made, "e", "m", "e", lines=("核对过",), edit=editor)
    assert "<!--   lunch -->" in editor.seen[1] and "\nlunch\n" not in editor.seen[1]


def test_a_refused_form_is_offered_again() -> None:
    class Strict(DictDesk):
        refusals = 1

        def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
            if self.refusals:
                self.refusals -= 1
                raise Refused("review_terminal")
            return super().commit(case, decisions)

    made = Strict(desk().cases)
    editor = Forms(ANSWER)
    seen = walk(made, "e", "e", edit=editor)
    assert "未保存" in seen.screens[1] and ANSWER[1] in editor.seen[1]
    assert made.cases[G].ground_truth == ANSWER[1]


def test_claims_are_written_a_line_each() -> None:
    made = desk()
    walk(made, "e", edit=Forms(("- 电池与配件质保 6 个月", "! 电池与配件质保 6 个月\n- 进水不保")))
    assert made.cases[G].claims == (
        generated().claims[0],
        generated().claims[1].replace(critical=True),
        Claim(text="进水不保"),
    )


# Notes


def test_a_note_is_one_line_more() -> None:
    made = desk()
    seen = walk(made, "m", "m", lines=("与客服核对过", " 原文第 12 页 "), size=(100, 30))
    assert made.cases[G].note == "与客服核对过\n原文第 12 页"
    assert "备注已保存" in seen.last and "与客服核对过" in seen.last
    walk(made, "u")
    assert made.cases[G].note == "与客服核对过"


@pytest.mark.parametrize("line", [None, "", "  "])
def test_no_note(line: str | None) -> None:
    made = desk()
    assert "已取消" in walk(made, "m", lines=(line,)).last
    assert made.cases == desk().cases


def test_a_note_keeps_the_verdict_and_its_count() -> None:
    made = desk()
    seen = walk(made, "a", "p", "m", lines=("核对过",))
    assert made.cases[G].review_state is ReviewState.APPROVED
    assert (seen.summary.approved, seen.summary.left) == (1, 2)


def test_a_blind_form_hides_the_note_of_others_and_keeps_it() -> None:
    class Noted(DictDesk):
        def load(self, case_id: str) -> Item:
            return replace(super().load(case_id), note_by="wang")

    made = Noted({G: generated().replace(note="我看应当拒绝")})
    editor = Forms(("# 备注\n", "# 备注\n\n核对过\n"))
    seen = walk(made, "e", "d", edit=editor, blind=True)
    assert "应当拒绝" not in editor.seen[0] and "应当拒绝" not in "".join(seen.screens)
    assert made.cases[G].note == "我看应当拒绝\n核对过"


# The comparison


def test_the_comparison_marks_what_was_changed_without_any_style() -> None:
    made = desk()
    seen = walk(made, "e", "d", edit=lambda text: text.replace("24 个月", "36 个月"))
    shown = seen.screens[2]
    assert "整机质保 [-24-]{+36+} 个月，电池" in shown and "! 整机质保 [-24-]{+36+} 个月" in shown
    assert "其他键返回" in shown and "\n 问题" not in shown
    assert "其他键返回" not in seen.last


def test_the_comparison_is_with_the_first_version() -> None:
    made = desk()
    walk(made, "e", edit=lambda text: text.replace("24 个月", "30 个月"))
    seen = walk(made, "e", "d", edit=lambda text: text.replace("30 个月", "36 个月"))
    assert "[-24-]{+36+}" in seen.screens[2]


def test_a_new_line_stands_on_a_line_of_its_own() -> None:
    made = desk()
    last = "- 电池与配件质保 6 个月"
    seen = walk(made, "e", "d", edit=lambda text: text.replace(last, f"{last}\n- 进水不保\n- 摔落不保"))
    assert "6 个月\n   {+进水不保+}\n   {+摔落不保+}" in seen.screens[2]


def test_a_long_comparison_can_be_scrolled() -> None:
    made = desk()
    long = "".join(f"第 {number} 条规定。\n" for number in range(60))
    seen = walk(made, "e", "d", *["pagedown"] * 9, "up", "x", edit=Forms((ANSWER[0], long)))
    assert "下面还有" in seen.screens[2] and "第 0 条" in seen.screens[2]
    assert "第 59 条" in seen.screens[11]
    assert "其他键返回" in seen.screens[12] and "其他键返回" not in seen.screens[13]
    assert made.cases[G].review_state is ReviewState.UNREVIEWED, "the key that closes it decides nothing"


def test_nothing_to_compare() -> None:
    assert "与初版没有差异" in walk(desk(), "d").last


def test_escapes_are_inert_in_the_comparison() -> None:
    seen = walk(desk(), "n", "n", "e", "d", edit=lambda text: text.replace("清屏", "\x1b[2J\x07清空"))
    assert not any(character in seen.screens[4] for character in "\x1b\x07")
    assert "清" in seen.screens[4]


# 文档无答案, 系统答得对


def test_not_in_the_documents_is_said_twice_in_vain() -> None:
    made = desk()
    assert "已是文档无答案" in walk(made, "k", "k").last
    assert made.cases[G].answerable is False


def test_what_was_found_after_all_is_in_the_documents() -> None:
    made = desk()
    made.cases[G] = generated().replace(
        answerable=False, ground_truth="", claims=(), evidence_groups=(), acceptable_status=(Status.REFUSE,)
    )
    seen = walk(made, "k")
    case = made.cases[G]
    assert (case.answerable, case.acceptable_status, case.review_state) == (True, (), ReviewState.NEEDS_ANSWER)
    assert "已改为文档有答案" in seen.last
    assert "还缺：参考答案" in walk(made, "a").last


def test_the_system_was_right_with_the_answer_of_a_person() -> None:
    made = desk()
    walk(made, "n", "e", "y", edit=Forms(("# 参考答案\n", "# 参考答案\n进水需付费维修。\n")))
    case = made.cases[F]
    assert (case.review_state, case.tags) == (ReviewState.APPROVED, (WRONG_DOWNVOTE,))
    walk(made, "u")
    assert (made.cases[F].review_state, made.cases[F].tags) == (ReviewState.UNREVIEWED, ())
