"""The form that goes out to the editor and comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.case import Case, ReviewState, Source
from builder.review.form import form, read
from builder.words import Words, words
from tests.review.desk import desk, feedback, generated

SAY = words("zh")


@pytest.fixture(name="say", params=["zh", "en"])
def language(request: pytest.FixtureRequest) -> Words:
    return words(request.param)


def _form(case: Case, say: Words = SAY, draft: str = "") -> str:
    room = desk()
    room.cases[case.case_id] = case
    return form(room.load(case.case_id), say, draft)


def _texts(question: str, answer: str, note: str) -> Case:
    return generated().replace(question=question, ground_truth=answer, note=note)


def test_unchanged_or_empty_is_no_edit(say: Words) -> None:
    text = _form(generated(), say)
    for after in (text, "", "  \n", text.replace("\n", "\r\n"), "\ufeff" + text, text + "\n\n"):
        assert read(text, after, generated(), say).changes == {}


def test_a_changed_answer_is_the_only_change(say: Words) -> None:
    text = _form(generated(), say)
    after = text.replace(generated().ground_truth, "整机 24 个月。\n\n电池 6 个月。")
    assert read(text, after, generated(), say).changes == {"ground_truth": "整机 24 个月。\n\n电池 6 个月。"}


def test_a_missing_answer_is_filled(say: Words) -> None:
    text = _form(feedback(), say)
    heading = f"# {say('review.field.ground_truth')}\n"
    after = text.replace(heading, heading + "\n进水属人为损坏，需付费维修。\n")
    assert read(text, after, feedback(), say).changes == {"ground_truth": "进水属人为损坏，需付费维修。"}


def test_the_answer_that_was_voted_down_is_only_a_comment(say: Words) -> None:
    lines = _form(feedback(), say).splitlines()
    about = [line for line in lines if feedback().rejected_output in line]
    assert about and all(line.startswith("<!--") for line in about)


def test_what_must_not_be_empty_keeps_its_value() -> None:
    text = _form(generated())
    after = text.replace(generated().question, "").replace(generated().ground_truth, "新答案")
    edit = read(text, after, generated(), SAY)
    assert (edit.changes, edit.emptied) == ({"ground_truth": "新答案"}, ("question",))


def test_an_unanswerable_case_may_lose_its_answer() -> None:
    case = generated().replace(answerable=False)
    text = _form(case)
    edit = read(text, text.replace(case.ground_truth, ""), case, SAY)
    assert (edit.changes, edit.emptied) == ({"ground_truth": ""}, ())


def test_a_deleted_line_drops_its_evidence() -> None:
    text = _form(generated())
    after = "\n".join(line for line in text.splitlines() if not line.startswith("[1]"))
    assert read(text, after, generated(), SAY).changes == {"evidence_groups": generated().evidence_groups[1:]}


def test_a_form_without_the_heading_keeps_the_evidence() -> None:
    text = _form(generated())
    assert read(text, text[: text.index("# 引文")], generated(), SAY).changes == {}


def test_a_draft_comes_back_as_comments() -> None:
    text = _form(generated(), draft="# 参考答案\n\n写了很久的答案")
    assert "写了很久的答案" in text
    assert read(text, text, generated(), SAY).changes == {}


def test_escapes_do_not_reach_the_editor() -> None:
    assert "\x1b" not in _form(_texts("\x1b[31m问", "答\x07", ""), draft="\x1b]0;x\x07")


_LINES = st.sampled_from(["# 问题", "# 参考答案", "## 小节", "<!-- x -->", "\\# a", "\\\\<!--", "", "一行", "[1] x"])
_FREE = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=8)
_TEXT = st.lists(_LINES | _FREE, min_size=1, max_size=4)


@given(question=_TEXT, answer=_TEXT, note=_TEXT)
def test_every_text_survives_the_way_out_and_in(question: list[str], answer: list[str], note: list[str]) -> None:
    wanted = {"question": question, "ground_truth": answer, "note": note}
    texts = {name: "\n".join(lines).strip() for name, lines in wanted.items()}
    texts["question"] = texts["question"] or "问"
    texts["ground_truth"] = texts["ground_truth"] or "答"
    case = Case(case_id="m1", source=Source.MANUAL, review_state=ReviewState.UNREVIEWED, **texts)
    before = _texts("别的问", "别的答", "别的注")
    edit = read(_form(before), _form(case), before, SAY)
    assert {name: edit.changes.get(name) for name in texts if texts[name] != getattr(before, name)} == {
        name: text for name, text in texts.items() if name not in edit.emptied
    }
