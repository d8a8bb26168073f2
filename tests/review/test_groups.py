"""Evidence groups by keys: a second one that is needed too, an alternative, siblings, both ways back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.case import Evidence, HardNegative, NegativeReason, ReviewState
from builder.review.groups import Groups, group_of, joined, overlap, turned
from tests.review.desk import FAQ, POLICY, WARRANTY, DictDesk, desk, feedback, generated, hostile, passage
from tests.review.walk import walk

G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))
SIBLING = POLICY.quote("人为原因导致的损坏（包括进水、私拆）需付费维修")
FIRST, SECOND = generated().evidence


def room(group: int = 1) -> DictDesk:
    """The cases, where one passage is proposed as a sibling."""
    made = desk()
    made.siblings = (replace(passage(SIBLING), group=group),)
    return made


def whole(text: object) -> str:
    """The document of a piece of evidence."""
    assert isinstance(text, Evidence)
    return text.doc_id


def test_a_digit_pins_what_is_needed_too() -> None:
    made = desk()
    seen = walk(made, "/", "2", lines=("付费维修",))
    assert "只有 1 个候选" in seen.last
    walk(made, "/", "1", lines=("付费维修",))
    assert [len(group) for group in made.cases[G].evidence_groups] == [1, 1, 1]


def test_an_offer_becomes_an_alternative_of_the_evidence_in_focus() -> None:
    made = desk()
    seen = walk(made, "]", "/", "=", "1", lines=("付费维修",))
    assert "哪一段和引文 2 一样能回答" in seen.screens[-2]
    assert "片段 1 已收为引文 2 的另一出处" in seen.last and "[2b]|" in seen.last
    groups = made.cases[G].evidence_groups
    assert groups[0] == (FIRST,) and groups[1][0] == SECOND and whole(groups[1][1]) == "policy.pdf"


def test_the_choice_can_be_scrolled_and_cancelled() -> None:
    made = desk()
    seen = walk(made, "/", "=", "down", "9", lines=("进水",))
    assert "哪一段和引文 1 一样能回答" in seen.screens[-2] and "只有 3 个候选" in seen.last
    assert "已取消" in walk(made, "/", "=", "esc", lines=("进水",)).last
    assert made.cases == desk().cases


def test_needed_too_and_as_good_are_one_key_apart() -> None:
    made = desk()
    seen = walk(made, "=", "]", "=")
    assert "任一处即可" in seen.screens[1] and "1a,1b|" in seen.screens[1]
    assert "每处都需要" in seen.last
    assert made.cases[G].evidence_groups == generated().evidence_groups
    assert made.cases[G].review_state is ReviewState.UNREVIEWED


def test_focus_stays_with_the_evidence_that_is_moved() -> None:
    made = desk()
    seen = walk(made, "=", "=")
    assert made.cases[G].evidence_groups == ((SECOND,), (FIRST,))
    assert "引文 2/2" in seen.last


@pytest.mark.parametrize(
    ("keys", "said"),
    [(("n", "="), "还没有引文"), (("=", "u", "=", "u"), "已撤销"), (("1",), "这里没有候选片段")],
)
def test_what_cannot_be_done_is_said(keys: tuple[str, ...], said: str) -> None:
    made = desk()
    assert said in walk(made, *keys).last
    assert {one: case.replace(revision=1) for one, case in made.cases.items()} == desk().cases


def test_a_single_piece_has_no_alternative_yet() -> None:
    made = DictDesk({G: generated().replace(evidence_groups=((FIRST,),))})
    assert "只有一处引文" in walk(made, "=").last


def test_a_sibling_is_taken_by_one_key_and_joins_its_group() -> None:
    made = room()
    seen = walk(made, "1", size=(100, 30))
    assert "另有 1 段也含答案" in seen.screens[0]
    assert made.cases[G].evidence_groups == ((FIRST,), (SECOND, SIBLING))
    assert "另有" not in seen.last and "引文 3/3" in seen.last
    assert made.cases[G].review_state is ReviewState.UNREVIEWED


def test_siblings_stand_below_the_evidence() -> None:
    seen = walk(room(), *["down"] * 20)
    assert "这些片段也含答案" in seen.last and "售后政策 2026.pdf" in seen.last


def test_a_sibling_of_a_group_that_is_gone_joins_the_one_in_focus() -> None:
    made = room(group=7)
    walk(made, "1")
    assert made.cases[G].evidence_groups == ((FIRST, SIBLING), (SECOND,))


def test_what_becomes_evidence_is_no_look_alike_any_more() -> None:
    made = room()
    mark = HardNegative(evidence=POLICY.quote("私拆"), reason=NegativeReason.OTHER)
    other = HardNegative(evidence=FAQ.quote("清水箱"), reason=NegativeReason.OTHER)
    made.cases[G] = generated().replace(hard_negatives=(mark, other))
    walk(made, "1")
    assert made.cases[G].hard_negatives == (other,)
    walk(made, "u")
    assert made.cases[G].hard_negatives == (mark, other)


def test_all_is_one_step_for_undo() -> None:
    made = room()
    seen = walk(made, "1", "=", "u", "u")
    assert made.cases[G].replace(revision=1) == generated()
    assert "另一出处" in seen.last


# The groups themselves

_PIECES = [FIRST, SECOND, SIBLING, FAQ.quote("怎样清洁"), WARRANTY.quote("3.2 退换货")]


@st.composite
def _groups(draw: st.DrawFn) -> Groups:
    order = draw(st.permutations(_PIECES))
    found: list[tuple[Evidence, ...]] = []
    rest = order[: draw(st.integers(1, len(order)))]
    while rest:
        size = draw(st.integers(1, len(rest)))
        found.append(tuple(rest[:size]))
        rest = rest[size:]
    return tuple(found)


def _flat(groups: Groups) -> list[Evidence]:
    return [one for group in groups for one in group]


@given(groups=_groups(), draw=st.data())
def test_turning_loses_nothing_and_leaves_no_group_empty(groups: Groups, draw: st.DataObject) -> None:
    place = draw.draw(st.integers(0, len(_flat(groups)) - 1))
    after = turned(groups, place)
    assert all(after)
    assert sorted(map(repr, _flat(after))) == sorted(map(repr, _flat(groups)))
    alone = len(groups[group_of(groups, place)]) == 1
    assert len(after) == len(groups) + (-1 if alone and len(groups) > 1 else 0 if alone else 1)


@given(groups=_groups(), piece=st.sampled_from(_PIECES), draw=st.data())
def test_what_joins_a_group_stands_nowhere_else(groups: Groups, piece: Evidence, draw: st.DataObject) -> None:
    number = draw.draw(st.integers(0, len(groups) - 1))
    after = joined(groups, number, piece)
    assert _flat(after).count(piece) == 1
    assert set(_flat(after)) == {*_flat(groups), piece}
    assert next(group for group in after if piece in group)[:-1] == tuple(one for one in groups[number] if one != piece)


def test_overlap() -> None:
    text = WARRANTY.quote(WARRANTY.text)
    assert overlap(text, FIRST) and overlap(FIRST, text)
    assert not overlap(FIRST, SECOND) and not overlap(FIRST, SIBLING)
