"""One byte form for one value: what is hashed and frozen."""

import json
from typing import Any


def canonical(value: Any) -> str:
    """JSON with sorted keys and no white space.

    Raises:
        TypeError: the value holds a float (1.0 and 1 would be two forms of one number) or no JSON at all.
    """
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _refuse_floats(value: Any) -> None:
    rest = [value]
    while rest:
        item = rest.pop()
        kind = type(item)
        if kind is str or kind is int:
            continue
        if isinstance(item, float):
            raise TypeError(f"nothing frozen holds a float: {item!r}")
        if isinstance(item, dict):
            _refuse_keys(item)
            rest += item.values()
        elif isinstance(item, list | tuple):
            rest += item


def _refuse_keys(value: dict[Any, Any]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"keys are text: {key!r}")
