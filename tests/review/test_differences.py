"""What was changed since a case was first written."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builder.model.claim import Claim
from builder.review.compared import comparison
from builder.review.differences import Piece, compare, differences, tokens
from builder.review.state import Mode
from builder.text.screen import cells
from builder.words import words
from tests.review.desk import DictDesk, generated
from tests.review.test_view import state


def _marked(old: str, new: str) -> str:
    signs = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(signs[piece.change].format(piece.text) for piece in compare(old, new))


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("整机质保 24 个月。", "整机质保 36 个月。", "整机质保 [-24-]{+36+} 个月。"),
        ("进水可以保修", "进水不可以保修", "进水{+不+}可以保修"),
        ("电池 6 个月，整机 24 个月", "整机 24 个月", "[-电池 6 个月，-]整机 24 个月"),
        ("for 24 months", "for 36 months", "for [-24-]{+36+} months"),
        ("the unit is covered", "the whole unit was covered", "the{+ whole+} unit [-is-]{+was+} covered"),
        ("costs 1,200.50 yuan", "costs 1,200.05 yuan", "costs [-1,200.50-]{+1,200.05+} yuan"),
        ("RC-410 的电池", "RC-420 的电池", "RC-[-410-]{+420+} 的电池"),
        ("甲的乙", "丙的丁", "[-甲的乙-]{+丙的丁+}"),
        ("一\n二", "三\n四", "[-一-]{+三+}\n[-二-]{+四+}"),
        ("", "新的", "{+新的+}"),
        ("旧的", "", "[-旧的-]"),
        ("同", "同", "同"),
    ],
)
def test_compare(old: str, new: str, marked: str) -> None:
    assert _marked(old, new) == marked


_TEXT = st.text(st.sampled_from("整机质保 24个月，。\nab c"), max_size=30)


def _side(pieces: tuple[Piece, ...], without: str) -> str:
    return "".join(piece.text for piece in pieces if piece.change != without)


@given(old=_TEXT, new=_TEXT)
def test_both_texts_can_be_read_from_the_pieces(old: str, new: str) -> None:
    pieces = compare(old, new)
    assert (_side(pieces, "added"), _side(pieces, "removed")) == (old, new)
    assert all(one.text for one in pieces)
    assert all(one.change != other.change for one, other in pairwise(pieces))


@given(st.text(max_size=30))
def test_tokens_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_long_texts_are_compared_by_sentences() -> None:
    old = "".join(f"第 {number} 条，保修期以购买日起算。" for number in range(3000))
    new = old.replace("第 1500 条，保", "第 1500 条，维")
    pieces = compare(old, new)
    assert (_side(pieces, "added"), _side(pieces, "removed")) == (old, new)
    assert sum(len(piece.text) for piece in pieces if piece.change == "removed") < 40


def test_only_the_fields_that_differ() -> None:
    case = generated()
    after = case.replace(
        claims=(case.claims[0], Claim(text="新的", critical=True)), evidence_groups=(case.evidence,), note="备注"
    )
    found = {one.name: one.pieces for one in differences(case, after)}
    assert list(found) == ["claims", "evidence_groups", "note"]
    assert Piece("! 新的", "added") in found["claims"]
    assert differences(case, case) == ()


@given(old=_TEXT, new=_TEXT, width=st.integers(12, 60))
def test_the_lines_of_a_comparison_fit_and_keep_their_signs_together(old: str, new: str, width: int) -> None:
    assume(old != new)
    beside = replace(
        state(generated().case_id, room=DictDesk({generated().case_id: generated().replace(note=new)})),
        mode=Mode.DIFFERENCE,
        original=generated().replace(note=old),
    )
    lines = ["".join(text for text, _ in line) for line in comparison(beside, words("zh"), width)][3:]
    assert all(cells(line) < width for line in lines)
    shown = "".join(line[3:] for line in lines)
    bare = re.sub(r"[\s]|\\n", "", shown)
    assert bare.count("[-") == bare.count("-]") and bare.count("{+") == bare.count("+}")
    for changed, kept in ((r"\[-.*?-\]", r"\{\+(.*?)\+\}"), (r"\{\+.*?\+\}", r"\[-(.*?)-\]")):
        side = re.sub(kept, r"\1", re.sub(changed, "", bare))
        assert side == re.sub(r"\s", "", new if "-" in changed else old)
    assert not any(line.strip().startswith(("-]", "+}")) or line.endswith(("[-", "{+")) for line in lines)
