"""The form that goes out to the editor and comes back."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.model.access import UserContext
from builder.model.case import (
    Case,
    Grade,
    HardNegative,
    NegativeReason,
    ReviewState,
    Source,
    Status,
)
from builder.model.claim import Check, Claim, LiteralCheck, NumberCheck
from builder.review.form import again, form, read
from builder.review.form_fields import FIELDS, Blank, numbered
from builder.words import Words, words
from tests.review.desk import FAQ, POLICY, WARRANTY, desk, feedback, generated, passage

SAY = words("zh")
RISKS = ("refund", "privacy", "安全")
ANSWER = generated().ground_truth


@pytest.fixture(name="say", params=["zh", "en"])
def language(request: pytest.FixtureRequest) -> Words:
    return words(request.param)


def _checks(text: str) -> tuple[Check, ...]:
    return (NumberCheck(value="7", unit="day"),) if "7" in text else ()


def _blank(case: Case) -> Blank:
    room = desk()
    room.cases[case.case_id] = case
    item = replace(room.load(case.case_id), siblings=(passage(POLICY.quote("保修 3 个月")),))
    return Blank(item=item, passages=numbered(item), risks=RISKS, checks_of=_checks)


def _form(case: Case, say: Words = SAY, draft: str = "") -> str:
    return form(_blank(case), say, draft)


def _read(case: Case, before: str, after: str, say: Words = SAY) -> dict[str, object]:
    edit = read(before, after, _blank(case), say)
    assert edit.faults == ()
    return edit.changes


def _put(case: Case, name: str, text: str, say: Words = SAY) -> tuple[str, str]:
    """The form of a case, and the same with `text` below the heading of a field in place of what stood there."""
    before = _form(case, say)
    lines = before.split("\n")
    start = lines.index(f"# {say(f'review.field.{name}')}")
    end = next((at for at in range(start + 1, len(lines)) if lines[at].startswith("# ")), len(lines))
    return before, "\n".join([*lines[: start + 1], text, "", *lines[end:]])


def _changed(case: Case, name: str, text: str, say: Words = SAY) -> dict[str, object]:
    return _read(case, *_put(case, name, text, say), say)


def _fault(case: Case, name: str, text: str, say: Words = SAY) -> str:
    before, after = _put(case, name, text, say)
    edit = read(before, after, _blank(case), say)
    assert edit.changes == {} and len(edit.faults) == 1
    return edit.faults[0].key


def _texts(question: str, answer: str, note: str) -> Case:
    return generated().replace(question=question, ground_truth=answer, note=note)


def rich() -> Case:
    """A case in which every field of the form holds something."""
    return generated().replace(
        must_not_claims=(Claim(text="电池质保 24 个月", critical=True, check=NumberCheck(value="24", unit="month")),),
        note="与客服确认过",
        risk="refund",
        acceptable_status=(Status.ANSWER, Status.CLARIFY),
        as_of=date(2026, 1, 31),
        user_context=UserContext(user="u1", tenant="acme", region="华东", roles=("售后", "财务,审计")),
        grades=(Grade(evidence=FAQ.quote("尘盒不可进水"), grade=1),),
        hard_negatives=(HardNegative(evidence=FAQ.quote("机身支持清水箱"), reason=NegativeReason.TITLE_ONLY),),
    )


def test_unchanged_or_empty_is_no_edit(say: Words) -> None:
    for case in (generated(), rich()):
        text = _form(case, say)
        for after in (text, "", "  \n", text.replace("\n", "\r\n"), "\ufeff" + text, text + "\n\n", again(text, say)):
            assert _read(case, text, after, say) == {}


def test_a_changed_answer_is_the_only_change(say: Words) -> None:
    text = _form(generated(), say)
    after = text.replace(generated().ground_truth, "整机 24 个月。\n\n电池 6 个月。")
    assert _read(generated(), text, after, say) == {"ground_truth": "整机 24 个月。\n\n电池 6 个月。"}


def test_a_missing_answer_is_filled(say: Words) -> None:
    assert _changed(feedback(), "ground_truth", "进水属人为损坏，需付费维修。", say) == {
        "ground_truth": "进水属人为损坏，需付费维修。"
    }


def test_the_answer_that_was_voted_down_is_only_a_comment(say: Words) -> None:
    lines = _form(feedback(), say).splitlines()
    about = [line for line in lines if feedback().rejected_output in line]
    assert about and all(line.startswith("<!--") for line in about)


def test_what_must_not_be_empty_keeps_its_value() -> None:
    text = _form(generated())
    after = text.replace(generated().question, "").replace(generated().ground_truth, "新答案")
    edit = read(text, after, _blank(generated()), SAY)
    assert (edit.changes, edit.emptied) == ({"ground_truth": "新答案"}, ("question",))


def test_an_unanswerable_case_may_lose_its_answer() -> None:
    assert _changed(generated().replace(answerable=False), "ground_truth", "") == {"ground_truth": ""}


# Claims


def test_an_unchanged_claim_keeps_its_check_and_weight(say: Words) -> None:
    first = Claim(text="整机质保 24 个月", weight=70, critical=True, check=LiteralCheck(any_of=("24 个月", "两年")))
    case = generated().replace(claims=(first, Claim(text="进水不保")))
    assert _changed(case, "claims", "! 整机质保 24 个月\n- 签收后 7 日内可退货", say) == {
        "claims": (first, Claim(text="签收后 7 日内可退货", check=NumberCheck(value="7", unit="day")))
    }


@pytest.mark.parametrize("line", ["!整机质保 24 个月", "！ 整机质保 24 个月", "! 整机质保  24 个月 "])
def test_a_mark_makes_a_claim_critical(line: str) -> None:
    case = generated().replace(claims=(Claim(text="整机质保 24 个月", check=NumberCheck(value="24", unit="month")),))
    assert _changed(case, "claims", line) == {"claims": (case.claims[0].replace(critical=True),)}


def test_claims_that_say_the_same_share_a_line() -> None:
    both = tuple(
        Claim(text="整机 24 个月、电池 6 个月", check=NumberCheck(value=value, unit="month")) for value in ("24", "6")
    )
    case = generated().replace(claims=(*both, Claim(text="进水不保")))
    assert _form(case).count("整机 24 个月、电池 6 个月") == 1
    assert _changed(case, "claims", "- 整机 24 个月、电池 6 个月") == {"claims": both}
    assert _changed(case, "claims", "- 进水不保") == {"claims": (Claim(text="进水不保"),)}


def test_all_claims_may_go(say: Words) -> None:
    assert _changed(generated(), "claims", "", say) == {"claims": ()}


def test_what_must_not_be_said(say: Words) -> None:
    assert _changed(generated(), "must_not_claims", "! 进水可以保修", say) == {
        "must_not_claims": (Claim(text="进水可以保修", critical=True),)
    }


# Risk, status, day, who asks


@pytest.mark.parametrize(("text", "value"), [("privacy", "privacy"), ("Refund", "refund"), ("安全", "安全")])
def test_risk_is_one_of_the_list(text: str, value: str) -> None:
    assert _changed(generated(), "risk", text) == {"risk": value}
    assert _fault(generated(), "risk", "火灾") == "wrong_risk"


def test_no_risk(say: Words) -> None:
    assert _changed(rich(), "risk", "", say) == {"risk": None}


@pytest.mark.parametrize(
    ("text", "language"),
    [("拒答、转人工", "zh"), ("refuse handoff", "zh"), ("refuse, Handoff", "en"), ("refuse\nhandoff", "en")],
)
def test_statuses(text: str, language: str) -> None:
    wanted = {"acceptable_status": (Status.REFUSE, Status.HANDOFF)}
    assert _changed(generated(), "acceptable_status", text, words(language)) == wanted
    assert _fault(generated(), "acceptable_status", f"{text} x", words(language)) == "wrong_status"


@pytest.mark.parametrize("text", ["2026-02-28", "2026/2/28", "2026年2月28日", "2026.02.28"])
def test_a_day(text: str) -> None:
    assert _changed(rich(), "as_of", text) == {"as_of": date(2026, 2, 28)}
    assert _changed(rich(), "as_of", "") == {"as_of": None}


@pytest.mark.parametrize("text", ["2026-02-30", "明天", "2026-1", "26-01-31", "2026-01-31\n2026-02-01"])
def test_what_is_no_day(text: str) -> None:
    assert _fault(generated(), "as_of", text) == "wrong_day"


def test_who_asks_changes_line_by_line(say: Words) -> None:
    text = _form(rich(), say)
    name = say("review.context.tenant")
    old, new = (say("review.pair", name=name, value=value) for value in ("acme", "beta"))
    assert _read(rich(), text, text.replace(old, new), say) == {
        "user_context": rich().user_context.replace(tenant="beta")
    }


def test_roles_are_split_and_nothing_else(say: Words) -> None:
    changed = _changed(generated(), "user_context", "roles：售后、 财务 , legal\ntenant:", say)
    assert changed == {"user_context": UserContext(roles=("售后", "财务", "legal"))}
    assert _fault(generated(), "user_context", "年龄：30", say) == "wrong_context"
    assert _fault(generated(), "user_context", "acme", say) == "wrong_context"


# Evidence and grades


def test_a_deleted_line_drops_its_evidence() -> None:
    text = _form(generated())
    after = "\n".join(line for line in text.splitlines() if not line.startswith("[1]"))
    assert _read(generated(), text, after) == {"evidence_groups": generated().evidence_groups[1:]}


def test_the_number_of_a_shown_passage_is_needed_too(say: Words) -> None:
    sibling = POLICY.quote("保修 3 个月")
    assert _changed(generated(), "evidence_groups", "[1]\n[2]\n[3]", say) == {
        "evidence_groups": (*generated().evidence_groups, (sibling,))
    }


def test_what_becomes_evidence_is_no_look_alike() -> None:
    number = next(n for n, one in enumerate(_blank(rich()).passages, 1) if one.evidence == FAQ.quote("机身支持清水箱"))
    changed = _changed(rich(), "evidence_groups", f"[1]\n[2]\n[{number}]")
    assert changed["hard_negatives"] == ()


@pytest.mark.parametrize("line", ["[9]", "[0] x", "另一处"])
def test_a_line_that_is_no_evidence_is_a_fault(line: str) -> None:
    assert _fault(generated(), "evidence_groups", f"[1]\n{line}") == "wrong_evidence"


def test_a_form_without_the_heading_keeps_the_evidence() -> None:
    text = _form(generated())
    assert _read(generated(), text, text[: text.index("# 引文")]) == {}


@pytest.mark.parametrize("line", ["[3] = 2", "3=2", "[3]＝2 售后政策"])
def test_grades_of_shown_passages(line: str) -> None:
    assert _changed(generated(), "grades", f"{line}\n[1] = 3") == {
        "grades": (
            Grade(evidence=POLICY.quote("保修 3 个月"), grade=2),
            Grade(evidence=generated().evidence[0], grade=3),
        )
    }


@pytest.mark.parametrize("line", ["[3] = 4", "[3] = 12", "[7] = 1", "[3]", "好", "[3] = 1\n[3] = 2"])
def test_what_is_no_grade(line: str) -> None:
    assert _fault(generated(), "grades", line) == "wrong_grade"


def test_one_wrong_value_keeps_all_others_back() -> None:
    text = _form(generated())
    after = text.replace(generated().ground_truth, "新答案").replace("# 高风险主题\n", "# 高风险主题\nx\n")
    edit = read(text, after, _blank(generated()), SAY)
    assert edit.changes == {} and [fault.key for fault in edit.faults] == ["wrong_risk"]


def test_passages_of_one_text_are_printed_once() -> None:
    text = _form(generated())
    assert text.count("签收后 7 日内如出现性能故障") == 1
    assert "[1] [2] RC-410 用户手册.pdf" in text and "[3] 售后政策 2026.pdf" in text


# Drafts


def test_a_draft_for_another_revision_comes_back_as_comments() -> None:
    text = _form(generated(), draft="# 参考答案\n\n写了很久的答案")
    assert "写了很久的答案" in text
    assert _read(generated(), text, text) == {}


def test_a_draft_is_offered_to_be_put_right(say: Words) -> None:
    before, wrong = _put(generated(), "risk", "x", say)
    offered = again(again(wrong, say), say)
    assert offered.count(say("review.form.draft")) == 1
    assert read(before, offered, _blank(generated()), say).faults
    assert _read(generated(), before, offered.replace("\nx\n", "\nrefund\n"), say) == {"risk": "refund"}


def test_escapes_do_not_reach_the_editor() -> None:
    case = _texts("\x1b[31m问", "答\x07", "").replace(
        claims=(Claim(text="\x1b[2J"),), user_context=UserContext(tenant="\x1b]0;x\x07")
    )
    assert "\x1b" not in _form(case, draft="\x1b]0;x\x07") and "\x07" not in _form(case)


# Any case


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
    head = {name: text for name, text in _fields_of(_form(case)).items() if name in texts}
    after = "\n".join(f"# {SAY(f'review.field.{name}')}\n{text}" for name, text in head.items())
    edit = read(_form(before), after, _blank(before), SAY)
    assert {name: edit.changes.get(name) for name in texts if texts[name] != getattr(before, name)} == {
        name: text for name, text in texts.items() if name not in edit.emptied
    }


def _fields_of(text: str) -> dict[str, str]:
    """What stands below each heading of a form, as it is written there."""
    headings = {f"# {SAY(f'review.field.{name}')}": name for name in FIELDS}
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.split("\n"):
        if line in headings:
            lines = found.setdefault(headings[line], [])
        else:
            lines.append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


_ANY = st.text(max_size=6)
_QUOTES = st.sampled_from(
    [WARRANTY.quote("24 个月质保服务"), WARRANTY.quote("进水"), POLICY.quote("私拆"), FAQ.quote("怎样清洁")]
)
_CHECK = st.none() | st.builds(NumberCheck, value=st.just("7")) | st.builds(LiteralCheck, any_of=st.tuples(_ANY))
_CLAIM = st.builds(Claim, text=_ANY, weight=st.integers(0, 100), critical=st.booleans(), check=_CHECK)
_CLAIMS = st.lists(_CLAIM, max_size=4).map(tuple)
_CASES = st.builds(
    Case,
    case_id=st.just("m1"),
    source=st.just(Source.MANUAL),
    review_state=st.just(ReviewState.UNREVIEWED),
    question=_ANY.map(lambda text: text if text.strip() else "问"),
    ground_truth=_ANY.map(lambda text: text if text.strip() else "答"),
    answerable=st.booleans(),
    note=_ANY,
    risk=st.none() | _ANY,
    claims=_CLAIMS,
    must_not_claims=_CLAIMS,
    evidence_groups=st.lists(st.lists(_QUOTES, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple),
    grades=st.lists(st.builds(Grade, evidence=_QUOTES, grade=st.integers(0, 3)), max_size=3).map(tuple),
    hard_negatives=st.lists(
        st.builds(HardNegative, evidence=_QUOTES, reason=st.sampled_from(NegativeReason)), max_size=2
    ).map(tuple),
    acceptable_status=st.lists(st.sampled_from(Status), max_size=3).map(tuple),
    as_of=st.none() | st.dates(),
    user_context=st.builds(
        UserContext, tenant=st.none() | _ANY, department=st.none() | _ANY, roles=st.lists(_ANY, max_size=3).map(tuple)
    ),
)


@settings(deadline=None, max_examples=150)
@given(case=_CASES, language=st.sampled_from(["zh", "en"]))
def test_a_form_that_was_not_touched_changes_nothing(case: Case, language: str) -> None:
    say = words(language)
    text = _form(case, say)
    assert _read(case, text, text, say) == {}
    assert _read(case, text, again(text, say), say) == {}


@settings(deadline=None, max_examples=150)
@given(case=_CASES, language=st.sampled_from(["zh", "en"]))
def test_a_line_more_leaves_the_other_lines_as_they_were(case: Case, language: str) -> None:
    """The values are read back whole, not only compared as text."""
    say = words(language)
    told = case.replace(claims=tuple(one for one in case.claims if one.text.split() and "\\x" not in repr(one.text)))
    text = _form(told, say)
    heading = f"# {say('review.field.claims')}\n"
    claims = _read(told, text, text.replace(heading, f"{heading}- 新的一条\n"), say)["claims"]
    assert isinstance(claims, tuple) and claims[0] == Claim(text="新的一条")
    assert sorted(map(repr, claims[1:])) == sorted(map(repr, told.claims))


def test_a_form_with_fewer_fields(say: Words) -> None:
    blank = _blank(generated())
    text = form(blank, say, only=("question", "ground_truth"))
    assert f"# {say('review.field.claims')}" not in text and f"# {say('review.field.note')}" not in text
    assert read(text, text.replace(ANSWER, "新"), blank, say).changes == {"ground_truth": "新"}
