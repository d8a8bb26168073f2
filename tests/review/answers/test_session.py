"""Keys in, verdicts out: the whole room but for the real terminal."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import Refused
from builder.model.verdict import AnswerVerdict, Judgement, Verdict
from builder.review.answers.desk import Answer, Key, Saying
from builder.review.answers.keys import KEYS
from builder.review.answers.summary import lines
from builder.score.verdict_file import answer_hash, current
from builder.words import words
from tests.review.answers.desk import G2, RECORDS, F, G, ListDesk, M
from tests.review.answers.walk import walk
from tests.review.walk import Clock


def verdicts(room: ListDesk) -> dict[Key, Verdict | None]:
    return {Key(line.case_id, line.repeat): line.verdict for line in current(room.lines)}


def claims(room: ListDesk, key: Key = G) -> list[tuple[int, bool, Judgement]]:
    found = [line for line in current(room.lines) if (line.case_id, line.repeat) == key]
    return [(one.index, one.must_not, one.verdict) for line in found for one in line.claims]


@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        (("a", "enter"), Verdict.CORRECT),
        (("x", "delete"), Verdict.WRONG),
        (("r", "+"), Verdict.REFUSED_RIGHTLY),
        (("f", "-"), Verdict.REFUSED_WRONGLY),
    ],
)
def test_one_key_a_verdict(keys: tuple[str, str], verdict: Verdict) -> None:
    for key in keys:
        room = ListDesk()
        seen = walk(room, key)
        assert verdicts(room) == {G: verdict}
        assert words("zh")(f"answers.verdict.{verdict}") in seen.last and "2/4" in seen.last


def test_every_act_is_saved_before_the_next_painting() -> None:
    seen: list[int] = []

    class Watching(ListDesk):
        def load(self, key: Key) -> Answer:
            seen.append(len(self.lines))
            return super().load(key)

    walk(Watching(), "1", "a", "x")
    assert seen == [0, 1, 2, 2, 3, 3]


def test_a_digit_makes_a_claim_right_then_wrong_then_undecided() -> None:
    room = ListDesk()
    seen = walk(room, "1", "2", "2", "4")
    assert claims(room) == [(0, False, Judgement.RIGHT), (1, False, Judgement.WRONG), (0, True, Judgement.RIGHT)]
    assert "1 对 ! 整机质保 24 个月" in seen.last and "2 错 电池" in seen.last
    walk(room, "2")
    assert (1, False, Judgement.WRONG) not in claims(room)


def test_claims_stay_with_the_verdict() -> None:
    room = ListDesk()
    walk(room, "1", "x", "p", "2")
    assert verdicts(room)[G] is Verdict.WRONG and len(claims(room)) == 2


def test_more_claims_than_digits() -> None:
    room = ListDesk()
    seen = walk(room, "g", "0", "3", "9", lines=("f5b",))
    assert claims(room, F) == [(11, False, Judgement.RIGHT)]
    assert "只有 12 个要点" in seen.last
    assert "要点都在这里了" in walk(room, "0").last


def test_a_note_is_written_changed_and_taken_away() -> None:
    room = ListDesk()
    seen = walk(room, "tab", "m", "m", "*", "pagedown", "m", lines=("金额不对", None, "金额错了", "-"))
    assert any("金额错了" in screen for screen in seen.screens) and "备注已删去" in seen.last
    assert [line.note for line in room.lines] == ["金额不对", "金额错了", ""] and current(room.lines) == ()


def test_undo_goes_back_over_claims_notes_and_verdicts() -> None:
    room = ListDesk()
    seen = walk(room, "1", "m", "a", "x", "u", "u", "u", "u", "u", lines=("备",))
    assert current(room.lines) == () and "没有可撤销的" in seen.last
    walk(room, "U", "U", "U", "U")
    assert verdicts(room) == {G: Verdict.CORRECT, G2: Verdict.WRONG} and len(claims(room)) == 1
    again = ListDesk(lines=room.lines, made=room.made)
    walk(again, "backspace")
    assert verdicts(again) == {G: Verdict.CORRECT}


def test_another_verdict_replaces_the_first() -> None:
    room = ListDesk()
    seen = walk(room, "a", "p", "x")
    assert verdicts(room) == {G: Verdict.WRONG}
    assert seen.summary.counts == ((Verdict.WRONG, 1),)


def test_the_queue_ends_and_can_be_gone_back_to() -> None:
    seen = walk(ListDesk(), "a", "f", "x", "r")
    assert "这一轮都评过了" in seen.last
    assert "滤网" in walk(ListDesk(), "a", "f", "x", "r", "p").last
    assert seen.summary.left == 0 and "正确" in "\n".join(lines(seen.summary, words("zh")))


def test_skipped_answers_come_back_when_the_others_are_judged() -> None:
    seen = walk(ListDesk(), "s", "a", "a", "a")
    assert "1/4" in seen.last and (seen.summary.skipped, seen.summary.left) == (1, 1)
    assert walk(ListDesk(), "space", "a", "a", "a", "a").summary.skipped == 0


@pytest.mark.parametrize(
    ("line", "wanted"), [("3", "3/4"), ("m9", "3/4"), ("zz", "没有这一条：zz"), ("9", "没有这一条：9")]
)
def test_jump(line: str, wanted: str) -> None:
    assert wanted in walk(ListDesk(), "g", lines=(line,)).last


def test_marks_are_walked() -> None:
    room = ListDesk(records=(RECORDS[0].replace(context_text="前文。\n" * 60 + (RECORDS[0].context_text or "")),))
    seen = walk(room, "]", size=(80, 24))
    assert "[1]|" in seen.last
    assert "[1]|" not in seen.screens[0]
    assert "[1]|" in walk(room, "[", size=(80, 24)).last
    assert "这里没有标记" in walk(ListDesk(), "n", "]").last


def test_a_verdict_on_another_answer_is_shown_as_old() -> None:
    room = ListDesk()
    walk(room, "1", "a")
    changed = ListDesk(lines=room.lines, records=(RECORDS[0].replace(answer="24 个月"),))
    seen = walk(changed)
    assert "不再算数" in seen.last and "须重评" in seen.last and "1 —" in seen.last


def test_what_others_say_is_shown() -> None:
    line = AnswerVerdict(
        id="o1", run="rag-7b", case_id=G.case_id, verdict=Verdict.WRONG, note="电池错", who="wang",
        at=datetime(2026, 3, 1, tzinfo=UTC), answer_hash=answer_hash(RECORDS[0]),
    )  # fmt: skip
    assert "wang  错误  电池错" in walk(ListDesk(lines=[line]), "tab", "pagedown").last


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (("对",), "输入法处于中文状态"),
        (("paste",), "这里不接受粘贴"),
        (("alt-x",), "没有这个键"),
        (("p",), "已是第一条"),
        (("U",), "没有可重做的"),
        (("8",), "只有 4 个要点"),
        (("tab",), "↑↓ 滚动问题和回答"),
        (("m",), "已取消"),
    ],
)
def test_what_cannot_be_done_is_said(keys: tuple[str, ...], said: str) -> None:
    room = ListDesk()
    assert said in walk(room, *keys).last
    assert room.lines == []


def test_keys_typed_ahead_and_held_keys_decide_once() -> None:
    room = ListDesk()
    walk(room, "a", "a", "a", "x", clock=Clock(0.01), guard=0.15)
    assert room.lines == []
    walk(room, "a", "a", "a", clock=Clock(0.2), guard=0.15)
    assert len(room.lines) == 1


def test_a_refusal_is_said_and_nothing_is_lost() -> None:
    class Full(ListDesk):
        def judge(self, answer: Answer, saying: Saying) -> Answer:
            raise Refused("conflict", case="x", seen=1, now=2)

    seen = walk(Full(), "a")
    assert "未保存" in seen.last and "1/4" in seen.last


@settings(max_examples=60, deadline=None)
@given(
    keys=st.lists(
        st.sampled_from([*(name for key in KEYS for name in key.names if key.act != "quit"), "対", "paste", "resize"]),
        max_size=40,
    ),
    typed=st.lists(st.none() | st.sampled_from(["备注", "2", "g0c", "-", "zz"]), max_size=6),
    size=st.sampled_from([(100, 30), (80, 24), (60, 20)]),
)
def test_random_keys_never_raise_and_undo_leads_back_to_the_start(
    keys: list[str], typed: list[str | None], size: tuple[int, int]
) -> None:
    room = ListDesk()
    walk(room, *keys, lines=tuple(typed), size=size)
    replayed = ListDesk()
    walk(replayed, *keys, lines=tuple(typed), size=(80, 24))
    assert replayed.lines == room.lines, "the same keys give the same lines, however large the window"
    walk(room, *["u"] * (len(room.lines) + 1))
    assert current(room.lines) == ()
    assert M in room.queue()
