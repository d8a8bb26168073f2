"""Undo and redo are a walk over written acts."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from builder.curate.undo import redo_target, undo_target


class Act(NamedTuple):
    act: str
    undoes: str | None


def test_nothing_to_undo() -> None:
    assert undo_target([]) is None
    assert redo_target([]) is None


def test_undo_walks_back_and_redo_forward() -> None:
    acts = [Act("a", None), Act("b", None)]
    acts.append(Act("c", undo_target(acts)))
    assert acts[-1].undoes == "b"
    assert undo_target(acts) == "a"
    assert redo_target(acts) == "c"
    acts.append(Act("d", redo_target(acts)))
    assert undo_target(acts) == "d"
    assert redo_target(acts) is None


def test_a_new_decision_forgets_what_was_undone() -> None:
    acts = [Act("a", None), Act("b", "a"), Act("c", None)]
    assert redo_target(acts) is None
    assert undo_target(acts) == "c"


@given(st.lists(st.sampled_from("dur"), max_size=60))
def test_the_same_as_two_stacks(steps: list[str]) -> None:
    acts: list[Act] = []
    value = 0  # the plain model: a value, its past, its future
    past: list[int] = []
    future: list[int] = []
    values = {"": 0}
    current = 0
    for number, step in enumerate(steps, 1):
        name = f"a{number}"
        if step == "d":
            past.append(value)
            future.clear()
            value = number
            acts.append(Act(name, None))
        elif step == "u" and past:
            future.append(value)
            value = past.pop()
            acts.append(Act(name, undo_target(acts)))
        elif step == "r" and future:
            past.append(value)
            value = future.pop()
            acts.append(Act(name, redo_target(acts)))
        else:
            continue
        # What an act did is taken back by the act that undoes it.
        before = current
        undone = acts[-1].undoes
        current = number if undone is None else values[f"before {undone}"]
        values[f"before {name}"] = before
        assert current == value
    assert (undo_target(acts) is None) == (not past)
    assert (redo_target(acts) is None) == (not future)
