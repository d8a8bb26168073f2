"""The JSON that calls ask for, as schemas that servers can hold a model to.

A strict schema forbids every field that it does not name. So it is made from the system prompt: its fields are those
that the prompt shows, in that order. A prompt that shows a field unknown here gets no schema at all.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Shape = Literal["items", "rewrite", "answer"]
"""items: questions and answers; rewrite: a question in other words; answer: a short answer, or that there is none."""

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer"}
_NUMBERS: dict[str, Any] = {"type": "array", "items": _NUMBER}
_FIELDS: Mapping[str, dict[str, Any]] = {
    "question": _TEXT,
    "ground_truth": _TEXT,
    "answer": _TEXT,
    "quote": _TEXT,
    "reason": _TEXT,
    "answerable": {"type": "boolean"},
    "found": {"type": "boolean"},
    "claims": {"type": "array", "items": _TEXT},
    "conversation": {"type": "array", "items": _TEXT},
    # Of one passage a number, of several a list; the sentences are then one list a passage.
    "source_index": {"anyOf": [_NUMBER, _NUMBERS]},
    "sentences": {"type": "array", "items": {"anyOf": [_NUMBER, _NUMBERS]}},
}
"""What a prompt may ask for, see generate.items."""
_USUAL: Mapping[Shape, tuple[str, ...]] = {
    "items": ("question", "ground_truth", "source_index", "sentences"),
    "rewrite": ("question",),
    "answer": ("answer", "found"),
}
"""Fields of a prompt that shows none."""
_SHOWN = re.compile(r"""["“]([^"“”\s{}\[\],:：]{1,40})["”]\s*[:：]""")
_LIST = "items"


def schema_of(shape: Shape, messages: Sequence[Mapping[str, str]]) -> dict[str, Any] | None:
    """The strict JSON schema of the reply to a prompt; none where the prompt shows a field that is not known here."""
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    shown = tuple(dict.fromkeys(_SHOWN.findall(system)))
    fields = tuple(name for name in shown if name != _LIST) or _USUAL[shape]
    if not set(fields) <= set(_FIELDS):
        return None
    one = _object({name: _FIELDS[name] for name in fields})
    listed = _LIST in shown or (shape == "items" and not shown)
    return _object({_LIST: {"type": "array", "items": one}}) if listed else one


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with all of these properties and no other: what strict mode asks for."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
