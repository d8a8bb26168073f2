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
    if isinstance(value, float):
        raise TypeError(f"nothing frozen holds a float: {value!r}")
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"keys are text: {key!r}")
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)
