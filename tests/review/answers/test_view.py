"""Screens as committed text; see tests.review.test_view. BUILDER_GOLDEN=write writes them anew."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.review.answers import core, outcome
from builder.review.answers.desk import Key
from builder.review.answers.state import Judge, State
from builder.review.answers.view import render
from builder.review.view import Frame
from builder.text.screen import cells
from builder.words import words
from tests.review.answers.desk import G2, F, G, ListDesk, M
from tests.review.test_view import picture

GOLDEN = Path(__file__).with_name("golden")


def state(key: Key, *keys: str, room: ListDesk | None = None) -> State:
    """The state with an answer on the screen, after some keys that write nothing."""
    room = room or ListDesk()
    order = room.queue()
    now, _ = core.begin("lin", "rag-7b", order, 0.0, 0.0)
    now = outcome.opened(now, order.index(key), room.load(key), 0.0)
    for name in keys:
        now, _ = core.update(now, name, 1.0)
    return now


def judged() -> State:
    """An answer with marks of a person, in the middle of a session."""
    room = ListDesk()
    now = state(G, room=room)
    for name in "1223m":
        now, effect = core.update(now, name, 1.0)
        if isinstance(effect, Judge):
            now, _ = outcome.judged(now, room.judge(room.load(G), effect.saying), effect)
    return now


SCREENS: dict[str, tuple[State, str, int, int]] = {
    "zh-100x30-wrong": (state(G), "zh", 100, 30),
    "zh-80x24-wrong": (state(G), "zh", 80, 24),
    "zh-60x20-wrong": (state(G), "zh", 60, 20),
    "en-100x30-wrong": (state(G), "en", 100, 30),
    "en-80x24-wrong": (state(G), "en", 80, 24),
    "zh-100x30-claims": (judged(), "zh", 100, 30),
    "zh-80x24-refused": (state(G2), "zh", 80, 24),
    "zh-80x24-failed": (state(M), "zh", 80, 24),
    "zh-100x30-many": (state(F, "0"), "zh", 100, 30),
    "zh-80x24-many": (state(F, "tab"), "zh", 80, 24),
    "zh-80x24-help": (state(G, "?"), "zh", 80, 24),
    "en-80x24-help": (state(G, "?"), "en", 80, 24),
}


def shown(now: State, language: str, width: int, height: int) -> str:
    frame = render(now, words(language), width, height)
    return picture(Frame(frame.rows))


@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str) -> None:
    text = shown(*SCREENS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("BUILDER_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@given(
    width=st.integers(1, 130),
    height=st.integers(1, 50),
    key=st.sampled_from([G, G2, M, F]),
    keys=st.text("?]\t0", max_size=2),
    language=st.sampled_from(["zh", "en"]),
)
def test_every_window_gets_a_screen_of_its_size(width: int, height: int, key: Key, keys: str, language: str) -> None:
    frame = render(state(key, *keys), words(language), width, height)
    assert len(frame.rows) == height
    assert all(cells(row.text().plain) <= width for row in frame.rows)
    assert not any(character in row.text().plain for row in frame.rows for character in "\x1b\x07\u202e\u200b\n")


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (60, 20)])
def test_a_long_answer_can_be_read_to_its_end(size: tuple[int, int]) -> None:
    room = ListDesk(records=(ListDesk().records[0].replace(answer="很长的回答。" * 120 + "完结"),))
    now, seen = state(G, "tab", room=room), ""
    for _ in range(200):
        frame = render(now, words("zh"), *size)
        seen += "".join(row.text().plain for row in frame.rows)
        now = outcome.painted(now, context_top=frame.context_top, fields_top=frame.fields_top, page=frame.page)
        now, _ = core.update(now, "down", 1.0)
    assert "完结" in seen and "进水可以免费维修" in seen
