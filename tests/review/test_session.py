"""Keys in, decisions out: the whole room but for the real terminal."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import Refused
from builder.model.case import Case, RejectReason, ReviewState, Status
from builder.model.decision import Decision
from builder.review.acts import WRONG_DOWNVOTE
from builder.review.desk import Deed, Item
from builder.review.keys import KEYS
from builder.review.summary import lines
from builder.words import words
from tests.review.desk import DictDesk, desk, feedback, generated, hostile
from tests.review.walk import Clock, walk

G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))


def _fill(text: str) -> str:
    return text.replace("# 参考答案\n", "# 参考答案\n\n进水需付费维修。\n")


def test_approve_leads_to_the_next_case() -> None:
    room = desk()
    seen = walk(room, "a")
    assert room.cases[G].review_state is ReviewState.APPROVED
    assert f"{G} 已通过" in seen.last and feedback().question in seen.last


def test_every_decision_is_saved_before_the_next_painting() -> None:
    room = desk()
    states: list[str] = []

    class Watching(DictDesk):
        def load(self, case_id: str) -> Item:
            states.append(f"{case_id} {self.cases[G].review_state}")
            return super().load(case_id)

    walk(Watching(room.cases), "enter")
    assert states == [f"{G} unreviewed", f"{G} approved", f"{F} approved"]


@pytest.mark.parametrize(("digit", "reason"), list(zip("12345678", list(RejectReason)[:8], strict=True)))
def test_reject_takes_a_reason(digit: str, reason: RejectReason) -> None:
    room = desk()
    seen = walk(room, "x", digit)
    assert room.cases[G].reject_reason is reason
    assert words("zh")(f"reject.{reason}") in seen.last


def test_another_reason_is_written_in_a_line() -> None:
    room = desk()
    assert walk(room, "delete", "9", lines=("答非所问",)).prompts
    assert room.cases[G].reject_reason is RejectReason.OTHER


@pytest.mark.parametrize(
    ("keys", "lines"), [(("x", "esc"), ()), (("x", "9"), (None,)), (("x", "9"), ("  ",)), (("x", "a"), ())]
)
def test_a_cancelled_reject_changes_nothing(keys: tuple[str, ...], lines: tuple[str | None, ...]) -> None:
    room = desk()
    assert "已取消" in walk(room, *keys, lines=lines).last
    assert room.cases == desk().cases


def test_approve_is_refused_with_what_is_missing() -> None:
    room = desk()
    assert "还缺：参考答案。e 填写" in walk(room, "n", "a").last
    assert room.cases == desk().cases


def test_fill_pin_and_approve_a_complaint() -> None:
    room = desk()
    seen = walk(room, "n", "2", "e", "a", edit=_fill)
    case = room.cases[F]
    assert (case.review_state, case.ground_truth) == (ReviewState.APPROVED, "进水需付费维修。")
    assert [one.doc_id for one in case.evidence] == ["policy.pdf"]
    assert (seen.summary.filled, seen.summary.approved, seen.summary.edited) == (1, 1, 1)


def test_a_pinned_passage_is_shown_and_can_be_taken_back() -> None:
    room = desk()
    seen = walk(room, "n", "1", "esc", "1")
    assert "引文 1/1" in seen.screens[2] and "已选" in seen.screens[3]
    assert room.cases[F].evidence == ()


def test_an_edit_stays_on_the_screen_and_waits_for_approval() -> None:
    room = desk()
    seen = walk(room, "a", "p", "e", edit=lambda text: text.replace("24 个月", "两年"))
    assert room.cases[G].review_state is ReviewState.UNREVIEWED
    assert "已保存修改：参考答案" in seen.last and "两年" in seen.last
    assert seen.summary.approved == 0


@pytest.mark.parametrize(("edit", "said"), [(lambda text: text, "没有改动"), (lambda text: None, "编辑器没有正常结束")])
def test_no_edit_is_said(edit: object, said: str) -> None:
    room = desk()
    assert callable(edit)
    assert said in walk(room, "e", edit=edit).last
    assert room.cases == desk().cases


def test_not_in_the_documents_then_approve() -> None:
    room = desk()
    walk(room, "n", "k", "y")
    case = room.cases[F]
    assert (case.answerable, case.acceptable_status, case.review_state) == (
        False,
        (Status.REFUSE,),
        ReviewState.APPROVED,
    )
    assert WRONG_DOWNVOTE in case.tags


def test_the_system_was_right_needs_a_persons_answer_first() -> None:
    room = desk()
    assert "请先用 e 写参考答案" in walk(room, "n", "y").last
    assert "只有线上点踩的题" in walk(room, "y").last
    assert room.cases == desk().cases


def test_skipped_cases_come_back_when_the_others_are_done() -> None:
    room = desk()
    seen = walk(room, "s", "x", "3", "a")
    assert generated().question[:10] in seen.last
    assert (seen.summary.skipped, seen.summary.left) == (1, 1)


def test_undo_goes_back_and_says_what_was_undone() -> None:
    room = desk()
    seen = walk(room, "x", "2", "x", "3", "u", "u")
    assert f"已撤销 {G} 的“拒绝”" in seen.last and generated().question[:10] in seen.last
    assert {case_id: case.review_state for case_id, case in room.cases.items()} == {
        G: ReviewState.UNREVIEWED,
        F: ReviewState.NEEDS_ANSWER,
        H: ReviewState.UNREVIEWED,
    }
    assert seen.summary.rejected == 0


def test_redo_does_it_again() -> None:
    room = desk()
    seen = walk(room, "a", "u", "U")
    assert room.cases[G].review_state is ReviewState.APPROVED
    assert seen.summary.approved == 1
    assert "没有可重做的" in walk(room, "U").last


def test_undo_reaches_into_earlier_sessions() -> None:
    room = desk()
    walk(room, "a")
    seen = walk(room, "n", "backspace")
    assert f"已撤销 {G} 的上一步" in seen.last
    assert room.cases[G].review_state is ReviewState.UNREVIEWED


def test_a_case_outside_the_queue_is_shown_after_undo() -> None:
    room = desk()
    walk(room, "a")

    class Rest(DictDesk):
        def queue(self, expression: str = "") -> tuple[str, ...]:
            return (F, H)

    seen = walk(Rest(room.cases, done=room.done), "u")
    assert generated().question[:10] in seen.last and "3/3" in seen.last


@pytest.mark.parametrize(
    ("line", "shown"), [("3", "3/3"), (F[:4], "2/3"), ("99", "没有这一条：99"), ("zz", "没有这一条")]
)
def test_jump_by_number_or_id(line: str, shown: str) -> None:
    assert shown in walk(desk(), "g", lines=(line,)).last


def test_search_offers_what_it_finds_and_pins_it() -> None:
    room = desk()
    seen = walk(room, "/", "1", lines=("付费维修",))
    assert "检索“付费维修”" in seen.screens[1] and "售后政策" in seen.screens[1]
    assert room.cases[G].evidence[-1].doc_id == "policy.pdf"
    assert "引文 3/3" in seen.last
    assert "没有找到“冰箱”" in walk(room, "/", lines=("冰箱",)).last


def test_search_is_left_with_escape() -> None:
    seen = walk(desk(), "/", "esc", lines=("付费维修",))
    assert "引文 1/2" in seen.last


def test_somebody_else_was_faster() -> None:
    room = desk()

    class Race(DictDesk):
        def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
            if self.cases[G].revision == 1:
                self.cases[G] = generated().replace(question="换过的问题？", revision=2)
            return super().commit(case, decisions)

    at = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    deed = Deed(who="wang", action="edit", at=at, after={"question": "换过的问题？"})
    race = Race(room.cases, deeds=[(2, deed)])
    seen = walk(race, "a", "esc")
    clash = seen.screens[1]
    assert "已被别人改过" in clash and "wang  修改" in clash and "换过的问题？" in clash, "what they did"
    assert "lin  通过" in clash, "what was about to be done"
    assert "换过的问题？" in seen.last
    assert race.cases[G].review_state is ReviewState.UNREVIEWED


def test_what_was_typed_is_kept_when_it_cannot_be_saved() -> None:
    room = desk()
    forms: list[str] = []

    class Strict(DictDesk):
        def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
            raise Refused("review_terminal")

    def edit(text: str) -> str:
        forms.append(text)
        return text.replace("24 个月", "两年零一天")

    seen = walk(Strict(room.cases), "e", "e", edit=edit)
    assert "未保存" in seen.last
    assert "两年零一天" in forms[1] and "上次写的" in forms[1]


def test_the_end_of_the_queue() -> None:
    room = desk()
    seen = walk(room, "a", "x", "3", "a", "n")
    assert "这一轮都看过了" in seen.screens[-2] and "已是最后一条" in seen.last
    assert "这一轮都看过了" not in walk(room, "n", "n", "a", "p").last


def test_an_empty_queue_says_so() -> None:
    assert "没有待审的题" in walk(DictDesk({})).last


@pytest.mark.parametrize(
    ("key", "said"),
    [("通", "输入法处于中文状态"), ("paste", "不接受粘贴"), ("Z", "没有这个键：Z"), ("alt-a", "没有这个键")],
)
def test_other_keys_do_nothing_and_say_why(key: str, said: str) -> None:
    room = desk()
    assert said in walk(room, key).last
    assert room.cases == desk().cases


def test_keys_typed_before_the_case_could_be_read_are_dropped() -> None:
    room = desk()
    walk(room, "a", "enter", clock=Clock(0.02), guard=0.15)
    assert room.cases == desk().cases


def test_a_held_key_decides_once() -> None:
    room = DictDesk({f"m{n}": hostile().replace(case_id=f"m{n}") for n in range(9)})
    walk(room, *["resize"] * 3, *["a"] * 8, clock=Clock(0.05), guard=0.15)
    assert sum(case.review_state is ReviewState.APPROVED for case in room.cases.values()) == 1


def test_seconds_leave_out_idle_time_and_the_editor() -> None:
    clock = Clock(0.0)

    def edit(text: str) -> str:
        clock.now += 300
        return text

    class Slow(DictDesk):
        def search(self, query: str, limit: int) -> tuple[()]:
            clock.now += 1000
            return ()

    room = Slow(desk().cases)
    summary = walk(room, "e", "/", "a", lines=("x",), edit=edit, clock=clock).summary
    assert (summary.editor_minutes, summary.typical) == (5, 120)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_summary_names_the_reasons(language: str) -> None:
    say = words(language)
    summary = walk(desk(), "x", "2", "x", "2").summary
    text = "\n".join(lines(summary, say))
    assert f"{say('reject.unsupported')} 2" in text and "lin" in text and say("review.summary.next") in text


_KEYS = st.sampled_from(
    [*(name for key in KEYS for name in key.names if name not in ("q", "ctrl-c")), "通", "resize", "Z"]
)


_TEXTS = [None, "", "1", "2", "3", "进水", "x", "g0", "type=multi_hop", "state=any", "no=filter"]


@settings(max_examples=60, deadline=None)
@given(keys=st.lists(_KEYS, max_size=40), texts=st.lists(st.sampled_from(_TEXTS), max_size=5))
def test_any_keys_never_raise_and_undo_leads_back_to_the_start(keys: list[str], texts: list[str | None]) -> None:
    room = desk()
    seen = walk(room, *keys, lines=tuple(texts), edit=lambda text: text.replace("\n\n", "\n\n改", 3))
    told = seen.summary.approved + seen.summary.rejected + seen.summary.left
    assert told == len(room.cases) if "f" not in keys else told <= len(room.cases)
    replayed = desk().cases
    for act in room.done:
        replayed |= {after.case_id: after for _, after in act}
    assert _plain(replayed) == _plain(room.cases), "replaying the acts gives the cases"
    walk(room, *["u"] * (len(room.done) + 1))
    assert _plain(room.cases) == desk().cases


def _plain(cases: dict[str, Case]) -> dict[str, Case]:
    return {case_id: case.replace(revision=1) for case_id, case in cases.items()}
