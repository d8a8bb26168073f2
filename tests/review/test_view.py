"""Screens as committed text, exactly as a user sees them; the styles stand below, a letter a cell.

Write them anew after a wanted change, then read the difference:
`BUILDER_GOLDEN=write pytest tests/review/test_view.py`.
"""

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from rich.text import Text

from builder.model.case import CheckOutcome, CheckResult, Turn
from builder.review import acts, clash, core, outcome
from builder.review.desk import Deed
from builder.review.state import Doing, Done, Message, State
from builder.review.view import Frame, render
from builder.text.screen import cells
from builder.words import words
from tests.review.desk import DictDesk, desk, feedback, generated, hostile

GOLDEN = Path(__file__).with_name("golden")
LEGEND = "~~~ b bold  d dim  u underlined  B bold and underlined  D dim and underlined  c bold and coloured"
G, F, H = (case.case_id for case in (generated(), feedback(), hostile()))


def state(case_id: str, *keys: str, room: DictDesk | None = None) -> State:
    """The state with a case on the screen, after some keys."""
    room = room or desk()
    order = room.queue()
    now, _ = core.begin("lin", order, 0.0, 0.0)
    now = outcome.opened(now, order.index(case_id), room.load(case_id), 0.0)
    for key in keys:
        now, _ = core.update(now, key, 1.0)
    return now


def _experienced(now: State) -> State:
    done = tuple(Done(case_id=f"m{n}", doing=Doing.REJECT if n == 3 else Doing.APPROVE, seconds=31) for n in range(11))
    return replace(
        now, done=done, order=(*(f"m{n}" for n in range(11)), *now.order, *(f"n{n}" for n in range(72))), index=11
    )


def _filtered(now: State) -> State:
    return replace(now, expression="type=multi_hop 保修", order=now.order[:2], held=(F,))


def _clash(now: State) -> State:
    at = datetime(2026, 11, 30, 8, 0).astimezone()
    deed = Deed(
        who="wang", action="reject", at=at, after={"review_state": "rejected"}, reason="unsupported: 引文说的是配件"
    )
    changes: dict[str, object] = {"ground_truth": "整机质保 24 个月；电池 6 个月。"}
    mine = acts.edit(now, Doing.EDIT, changes, Message("edited"))
    assert now.item is not None
    return clash.clashed(now, now.item, (deed,), mine)


def _noted() -> DictDesk:
    checks = (*generated().checks, CheckResult(name="verify", outcome=CheckOutcome.FAIL))
    return DictDesk({G: generated().replace(note="王：依据不足", checks=checks)})


SCREENS: dict[str, tuple[State, str, int, int]] = {
    "zh-100x30-generated": (_experienced(state(G)), "zh", 100, 30),
    "zh-80x24-generated": (_experienced(state(G)), "zh", 80, 24),
    "zh-100x30-first": (state(G), "zh", 100, 30),
    "zh-80x24-first": (state(G), "zh", 80, 24),
    "zh-100x30-to-complete": (state(F), "zh", 100, 30),
    "zh-80x24-to-complete": (state(F), "zh", 80, 24),
    "zh-100x30-reject": (state(G, "x"), "zh", 100, 30),
    "zh-80x24-reject": (state(G, "x"), "zh", 80, 24),
    "zh-80x24-hostile": (state(H), "zh", 80, 24),
    "zh-80x24-second-evidence": (state(G, "]"), "zh", 80, 24),
    "zh-80x24-help": (state(G, "?"), "zh", 80, 24),
    "zh-80x24-finished": (replace(state(G), item=None), "zh", 80, 24),
    "zh-60x16-generated": (state(G), "zh", 60, 16),
    "zh-60x20-first": (state(G), "zh", 60, 20),
    "zh-60x20-to-complete": (state(F), "zh", 60, 20),
    "zh-60x20-help": (state(G, "?"), "zh", 60, 20),
    "zh-80x24-filtered": (_filtered(state(G)), "zh", 80, 24),
    "zh-80x24-batch": (core.update(_filtered(state(G)), "b", 1.0)[0], "zh", 80, 24),
    "zh-80x24-clash": (_clash(state(G)), "zh", 80, 24),
    "zh-100x30-blind": (replace(state(G, room=_noted()), blind=True), "zh", 100, 30),
    "en-100x30-generated": (_experienced(state(G)), "en", 100, 30),
    "en-80x24-to-complete": (state(F), "en", 80, 24),
}


def _letter(style: Style) -> str:
    if style.color:
        return "B" if style.underline else "c"
    if style.underline:
        return "B" if style.bold else "D" if style.dim else "u"
    return "b" if style.bold else "d" if style.dim else "."


def _styles(text: Text) -> str:
    letters = ""
    for place, character in enumerate(text.plain):
        styles = [Style.parse(str(one.style)) for one in text.spans if one.start <= place < one.end]
        style = Style.combine([Style.null(), *styles])
        letters += _letter(style) * cells(character)
    return letters.rstrip(".")


def picture(frame: Frame) -> str:
    """A frame as text: what stands there, then how it is drawn."""
    rows = [row.text() for row in frame.rows]
    shown = [row.plain.rstrip() for row in rows]
    return "\n".join([*shown, LEGEND, *map(_styles, rows)]) + "\n"


@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str) -> None:
    now, language, width, height = SCREENS[name]
    shown = picture(render(now, words(language), width, height))
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("BUILDER_GOLDEN") == "write":
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@given(
    width=st.integers(1, 130),
    height=st.integers(1, 50),
    case_id=st.sampled_from([G, F, H]),
    keys=st.text("x?]\t", max_size=2),
)
def test_every_window_gets_a_screen_of_its_size(width: int, height: int, case_id: str, keys: str) -> None:
    frame = render(state(case_id, *keys), words("zh"), width, height)
    assert len(frame.rows) == height
    assert all(cells(row.text().plain) <= width for row in frame.rows)
    assert not any(character in row.text().plain for row in frame.rows for character in "\x1b\x07\u202e\u200b\n")


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (60, 16)])
def test_a_long_case_can_be_read_to_its_end(size: tuple[int, int]) -> None:
    case = generated().replace(
        ground_truth="很长的答案。" * 120 + "完",
        conversation=(Turn(role="user", text="在吗？"), Turn(role="assistant", text="请问有什么可以帮您？")),
    )
    now = state(G, "tab", room=DictDesk({G: case}))
    seen = ""
    for _ in range(200):
        frame = render(now, words("zh"), *size)
        seen += "".join(row.text().plain for row in frame.rows)
        now = outcome.painted(now, source_top=frame.source_top, fields_top=frame.fields_top, page=frame.page)
        now, _ = core.update(now, "down", 1.0)
    assert "完" in seen and "电池与配件质保 6 个月" in seen


def test_scrolling_stops_at_the_ends() -> None:
    now = state(G)
    for key in [*["pagedown"] * 30, *["up"] * 40]:
        now, _ = core.update(now, key, 1.0)
        frame = render(now, words("zh"), 80, 24)
        now = outcome.painted(now, source_top=frame.source_top, fields_top=frame.fields_top, page=frame.page)
    assert frame.source_top == 0


def test_evidence_that_is_not_in_its_text_is_named() -> None:
    room = desk()
    item = room.load(G)
    lost = replace(item, passages=(replace(item.passages[0], marks=()), *item.passages[1:]))
    now = outcome.opened(state(G), 0, lost, 0.0)
    text = "\n".join(row.text().plain for row in render(now, words("zh"), 80, 24).rows)
    assert "[1]! 引文未在原文中逐字找到" in text


def test_alternatives_are_numbered_within_their_group() -> None:
    case = generated()
    both = case.replace(evidence_groups=(case.evidence,))
    text = "\n".join(row.text().plain for row in render(state(G, room=DictDesk({G: both})), words("zh"), 100, 30).rows)
    assert "[1a]|" in text and "[1b]|" in text


def test_the_footer_names_approve_only_where_it_can_be_done() -> None:
    def footer(case_id: str) -> str:
        return "\n".join(row.text().plain for row in render(state(case_id), words("zh"), 80, 24).rows[-2:])

    assert "a 通过" in footer(G) and "1-9" not in footer(G)
    assert "a 通过" not in footer(F) and "e 填答案" in footer(F) and "1-9 选引文" in footer(F)
