"""Screens of all that can be done to one case, in three windows, as committed text.

Write them anew after a wanted change, then read the difference:
`BUILDER_GOLDEN=write pytest tests/review/test_case_screens.py`.
"""

import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.case import CheckOutcome, CheckResult
from builder.review import core, outcome
from builder.review.state import Message, Mode, State, Tone
from builder.review.view import render
from builder.text.screen import cells
from builder.words import words
from tests.review.desk import DictDesk, desk, feedback, generated
from tests.review.test_form import rich
from tests.review.test_groups import room
from tests.review.test_view import GOLDEN, picture, state

G, F = generated().case_id, feedback().case_id
SIZES = ((100, 30), (80, 24), (60, 20))


def _keys(now: State, *keys: str) -> State:
    for key in keys:
        now, effect = core.update(now, key, 1.0)
        assert effect is None
    return now


def _found(query: str) -> State:
    return outcome.found(state(G), query, desk().search(query, 9))


def _full() -> State:
    """Every field of the pane holds something."""
    checks = (
        CheckResult(name="quote", outcome=CheckOutcome.PASS),
        CheckResult(name="siblings", outcome=CheckOutcome.WARN),
    )
    case = rich().replace(family="g0c41d2a97e33", audience="新手", checks=checks)
    return _keys(state(G, room=DictDesk({G: case})), "tab", "pagedown")


def _compared() -> State:
    case = generated()
    now = case.replace(
        ground_truth=case.ground_truth.replace("24 个月", "36 个月").replace("不在质保", "也在质保"),
        claims=(case.claims[0].replace(text="整机质保 36 个月"), case.claims[1].replace(critical=True)),
        evidence_groups=(case.evidence,),
        note="与客服核对过\n原文第 12 页",
    )
    beside = state(G, room=DictDesk({G: now}))
    return replace(beside, mode=Mode.DIFFERENCE, original=case)


def _wrong() -> State:
    known = ("refund", "privacy", "account", "safety", "hand_over")
    return replace(state(G), message=Message("wrong_risk", {"text": "午饭", "known": known}, Tone.WARN))


SHOWN: dict[str, State] = {
    "siblings": state(G, room=room()),
    "alternative": _keys(_found("付费维修 进水"), "="),
    "look-alike": _keys(_found("付费维修 进水"), "h", "1"),
    "fields": _full(),
    "difference": _compared(),
    "to-complete": state(F),
    "wrong-value": _wrong(),
}
SCREENS = [(name, "zh", size) for name in SHOWN for size in SIZES]
SCREENS += [(name, "en", (80, 24)) for name in ("siblings", "look-alike", "difference", "wrong-value")]


@pytest.mark.parametrize(("name", "language", "size"), SCREENS, ids=lambda value: str(value))
def test_screen(name: str, language: str, size: tuple[int, int]) -> None:
    shown = picture(render(SHOWN[name], words(language), *size))
    path = GOLDEN / f"case-{language}-{size[0]}x{size[1]}-{name}.txt"
    if os.environ.get("BUILDER_GOLDEN") == "write":
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@given(name=st.sampled_from(sorted(SHOWN)), width=st.integers(1, 130), height=st.integers(1, 50))
def test_every_window_gets_a_screen_of_its_size(name: str, width: int, height: int) -> None:
    frame = render(SHOWN[name], words("zh"), width, height)
    assert len(frame.rows) == height
    assert all(cells(row.text().plain) <= width for row in frame.rows)
