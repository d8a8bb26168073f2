"""Which cases are meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.curate.filters import NAMES, Filter, Term, matches, parse
from builder.errors import InputError
from builder.model.case import (
    Case,
    CheckOutcome,
    CheckResult,
    Evidence,
    Origin,
    QuestionType,
    ReviewState,
    Source,
    Split,
)
from builder.model.parts import Span
from builder.words import words

CASE = Case(
    case_id="g0c41d2a97e33",
    question="整机 保修多久？",
    ground_truth="24 个月。",
    evidence_groups=(
        (Evidence(doc_id="policy/2026.pdf", reading_id="r", quote="x", parts=(Span(page=1, start=0, end=1),)),),
    ),
    source=Source.FEEDBACK,
    origin=Origin(system="dify", record_ids=("m-1",), comments=("说好的 两年",)),
    question_type=QuestionType.MULTI_HOP,
    risk="refund",
    tags=("wrong_downvote", "vip"),
    split=Split.TEST,
    review_state=ReviewState.UNREVIEWED,
    checks=(
        CheckResult(name="quote", outcome=CheckOutcome.PASS),
        CheckResult(name="facts", outcome=CheckOutcome.WARN),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "type=multi_hop risk=refund 保修",
        "整机保修",  # white space does not count
        "说好的两年",
        "state=unreviewed,approved",
        "source!=generated",
        "tag=vip",
        "risk=any split!=none family=none",
        "doc=policy/*",
        "doc=2026",
        "check=facts check=any check=facts:warn check=quote:pass",
        "check!=quote",
        "split=test answerable=true origin.system=dify evidence_groups=any checks.name=quote",
        'text="整机 保修"',
        "id=g0c4",
        "type＝multi_hop　保修",
        "ground_truth='24 个月。'",
    ],
)
def test_fits(text: str) -> None:
    assert matches(CASE, parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "type=single_fact",
        "type=multi_hop 退货",
        "state=approved",
        "tag=slow",
        "risk=none",
        "doc=handbook",
        "check=quote",
        "check=none",
        "check=facts:fail",
        "split=dev",
        "answerable=false",
        "origin.system=langfuse",
        "id=m",
        "disabled=any",
    ],
)
def test_does_not_fit(text: str) -> None:
    assert not matches(CASE, parse(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour=red", "colour"),
        ("state=finished", "needs_answer"),
        ("type=多跳", "multi_hop"),
        ('text="保修', "保修"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_wrong_is_said_in_one_line(text: str, said: str, language: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    line = caught.value.line(words(language))
    assert said in line and "\n" not in line


_VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Z"], exclude_characters="'\",，＝！"))
_TERMS = st.builds(
    Term,
    st.sampled_from(["tag", "risk", "doc", "id", "family"]),
    st.lists(_VALUES.filter(bool), min_size=1, max_size=2).map(tuple),
    st.booleans(),
)


@given(st.lists(_TERMS, max_size=3))
def test_what_is_shown_says_the_same_again(terms: list[Term]) -> None:
    wanted = Filter(tuple(terms))
    assert parse(str(wanted)) == wanted


@given(st.text(max_size=30))
def test_any_text_is_a_filter_or_one_line(text: str) -> None:
    try:
        matches(CASE, parse(text))
    except InputError as error:
        assert error.key.startswith("filter_")


def test_names_are_known() -> None:
    assert parse("state=approved").names("state") and not parse("保修").names("state")
    assert {"state", "type", "source", "check", "risk", "tag", "doc", "text"} <= set(NAMES)
