"""One byte form for one value."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.canonical import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_round_trip_in_one_form(value: Any) -> None:
    written = canonical(value)
    assert json.loads(written) == value
    assert canonical(json.loads(written)) == written


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_order_of_keys_does_not_count(value: dict[str, int]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_form() -> None:
    assert canonical({"b": [1, None, True], "a": "质保"}) == '{"a":"质保","b":[1,null,true]}'
    assert canonical((1, 2)) == canonical([1, 2])


@pytest.mark.parametrize("value", [1.0, [0.5], {"a": {"b": float("nan")}}, ({"a": [1, 2.5]},)])
def test_floats_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="float"):
        canonical(value)


@pytest.mark.parametrize("value", [{1: "a"}, [{None: 1}]])
def test_keys_are_text(value: Any) -> None:
    with pytest.raises(TypeError, match="keys are text"):
        canonical(value)


def test_no_json_at_all() -> None:
    with pytest.raises(TypeError):
        canonical({"a": {1, 2}})
