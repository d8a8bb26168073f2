"""What a system gives as its answer, in the shapes that systems have, as fields of a run record.

A text, a pair (answer, passages), an object of fields, or any object with such attributes: records of this program,
dictionaries, the response classes of the usual frameworks.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from builder.logs.fields import as_text, look_up
from builder.model.case import Status
from builder.model.run import WHOLE, RunRecord

FIELDS = tuple(
    name for name in RunRecord.model_fields if name not in ("schema_version", "case_id", "repeat", "status_derived")
)
"""Fields of a record that a system may tell."""
CONTEXTS = "contexts"
"""The one list of passages of a system that does not tell retrieved from read: it stands for both."""

_NAMES: Mapping[str, tuple[str, ...]] = {
    "answer": ("answer", "response", "output", "result", "actual_output", "completion", "text", "回答", "答案"),
    CONTEXTS: (
        "contexts", "retrieved_contexts", "retrieval_context", "source_documents", "source_nodes", "documents",
        "sources", "retriever_resources", "docs",
    ),
    "rewritten_query": ("rewritten_query", "search_query"),
    "retrieved": ("retrieved", "candidates"),
    "reranked": ("reranked",),
    "latency_ms": ("latency_ms",),
    "tokens": ("tokens", "usage"),
    "citations": ("citations", "citation_ids", "references"),
}  # fmt: skip
"""Usual names by field, the best first; every other field has its own name only."""

_ITEM = {
    "id": ("id", "chunk_id", "node_id", "segment_id", "passage_id", "id_"),
    "doc_id": ("doc_id", "document_id", "ref_doc_id", "doc", "document", "document_name", "file_name", "source"),
    "doc_version": ("doc_version", "version"),
    "text": ("text", "content", "page_content", "chunk"),
    "score": ("score", "similarity", "relevance_score"),
    "span": ("span",),
    "quote": ("quote",),
    "marker": ("marker",),
}
_NAMED = ("id", "doc_id", "doc_version", "quote", "marker")
_ITEM_NAMES = {name for names in _ITEM.values() for name in names}
_STATUS = {
    **{one.value: one for one in Status},
    **dict.fromkeys(("answered", "ok", "success"), Status.ANSWER),
    **dict.fromkeys(("refused", "rejected", "no_answer", "unanswerable"), Status.REFUSE),
    **dict.fromkeys(("clarification", "clarified", "ask_back"), Status.CLARIFY),
    **dict.fromkeys(("handover", "hand_over", "handed_over", "escalated", "human"), Status.HANDOFF),
}
_TOKENS = {
    "input": ("input", "input_tokens", "prompt_tokens"),
    "cached": ("cached", "cached_tokens", "cache_read_input_tokens"),
    "output": ("output", "output_tokens", "completion_tokens"),
}
_CHUNK_ID = re.compile(r"\S+#[0-9a-f]{10}")
_NO_ID = re.compile(r"[\s，。；：！？、]")
_LONGEST_ID = 200
_LARGEST = 1e15
"""No time and no cost is larger: neither is NaN or infinity."""


class Unreadable(ValueError):
    """What was given holds no field that is known; the message names what there is."""


def fields_of(value: Any, paths: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Fields of a run record, as plain JSON values, from whatever a system gave.

    Args:
        value: what was given.
        paths: dotted paths by field (also `contexts`); fields that it does not name are found by their usual names.

    Raises:
        Unreadable: nothing of it is known.
    """
    if isinstance(value, str):
        return {"answer": _clean(value)}
    told = _pair(value) if isinstance(value, tuple) else _listed(value) or _told(value, paths or {})
    if not told:
        raise Unreadable(f"{type(value).__name__}: {', '.join(_names_in(value)[:12]) or 'nothing in it'}")
    done: dict[str, Any] = _cleaned(_plain(_read(told)))
    return done


def item_of(value: Any, *, text_first: bool) -> dict[str, Any] | None:
    """A passage as the fields of a retrieved item; none where there is neither id nor text.

    A bare text is an id, or with `text_first` the passage itself unless it has the form of a chunk id of this program.
    """
    if isinstance(value, str):
        return _bare_item(value, text_first=text_first)
    if isinstance(value, int):
        return {"id": str(value)}
    if isinstance(value, tuple) and value:  # (passage, score), as search libraries give them
        first = item_of(value[0], text_first=text_first)
        return first and first | ({"score": value[1]} if len(value) > 1 and isinstance(value[1], int | float) else {})
    told = _attributes(value, _ITEM_NAMES | {"metadata", "meta", "node"})
    inner = told.get("node")
    below = _attributes(inner, _ITEM_NAMES | {"metadata"}) if inner is not None else {}
    about: Mapping[str, Any] = next((one for one in (*_metadata(told), *_metadata(below)) if one), {})
    found = _preferred(told, below, about)
    return _item(found)


def _preferred(*levels: Mapping[str, Any]) -> dict[str, Any]:
    """The outermost value of each field: what a passage says goes before what its metadata say."""
    return {
        field: hit
        for level in reversed(levels)
        for field, names in _ITEM.items()
        if (hit := _first(level, names, None)) is not None
    }


def _item(found: dict[str, Any]) -> dict[str, Any] | None:
    plain = ((name, found.get(name)) for name in _NAMED)
    item: dict[str, Any] = {name: str(one) for name, one in plain if isinstance(one, str | int | UUID) and str(one)}
    if isinstance(found.get("text"), str):
        item["text"] = _clean(found["text"])
    if isinstance(score := found.get("score"), int | float) and not isinstance(score, bool):
        item["score"] = score
    if _is_span(span := found.get("span")):
        item["span"] = span
    return item if "id" in item or "text" in item else None


def _is_span(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    start, end = value.get("start"), value.get("end")
    return isinstance(start, int) and isinstance(end, int) and 0 <= start < end


def _bare_item(value: str, *, text_first: bool) -> dict[str, Any] | None:
    if not value.strip():
        return None
    is_id = _CHUNK_ID.fullmatch(value) if text_first else len(value) <= _LONGEST_ID and not _NO_ID.search(value)
    return {"id": value} if is_id else {"text": _clean(value)}


def _metadata(told: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return tuple(one for name in ("metadata", "meta") if isinstance(one := told.get(name), Mapping))


def _listed(value: Any) -> dict[str, Any]:
    """A list is what a system found; it answers nothing."""
    return {CONTEXTS: value} if isinstance(value, list) else {}


def _pair(value: tuple[Any, ...]) -> dict[str, Any]:
    """(answer, passages); an answer alone, too."""
    if not value or len(value) > 2:
        return {}
    return {"answer": value[0]} | ({CONTEXTS: value[1]} if len(value) == 2 else {})


def _told(value: Any, paths: Mapping[str, str]) -> dict[str, Any]:
    """The values by field, as given; what is absent or None is left out."""
    told = {field: found for field, path in paths.items() if (found := look_up(value, path)) is not None}
    usual = {field: _NAMES.get(field, (field,)) for field in (*FIELDS, CONTEXTS) if field not in paths}
    usual.pop("question", None)
    there = _attributes(value, {name for names in usual.values() for name in names})
    return told | {field: hit for field, names in usual.items() if (hit := _first(there, names, None)) is not None}


def _attributes(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Those of `names` that a dictionary or an object has; methods are no values."""
    if isinstance(value, Mapping):
        return {name: value[name] for name in names if name in value}
    found = ((name, getattr(value, name, None)) for name in names if name.isidentifier())
    return {name: hit for name, hit in found if hit is not None and not callable(hit)}


def _first(values: Mapping[str, Any], names: Iterable[str], default: Any) -> Any:
    return next((values[name] for name in names if values.get(name) is not None), default)


def _names_in(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [str(name) for name in value]
    return [name for name in getattr(value, "__dict__", {}) if not name.startswith("_")]


def _read(told: dict[str, Any]) -> dict[str, Any]:
    """The values in the form of a record."""
    done = {name: value for name, value in told.items() if name in FIELDS}
    for name in ("answer", "context_text", "rewritten_query", "refusal_reason", "error"):
        if name in done:
            done[name] = _clean(done[name]) if isinstance(done[name], str) else as_text(_object(done[name]))
    for name in ("retrieved", "reranked", "context", "citations"):
        if name in done:
            done[name] = _items(done[name], text_first=False)
    if "citations" in done:
        done["citations"] = [item for item in done["citations"] if "id" in item]
    if CONTEXTS in told:
        items = _items(told[CONTEXTS], text_first=True)
        done = {"retrieved": items, "context": items} | done
    return done | _status(done) | _figures(done)


def _items(value: Any, *, text_first: bool) -> list[dict[str, Any]]:
    whole = [value] if isinstance(value, str | Mapping) else list(value) if isinstance(value, Iterable) else [value]
    return [item for one in whole if (item := item_of(one, text_first=text_first)) is not None]


def _status(done: Mapping[str, Any]) -> dict[str, Any]:
    """A status of ours; what a system calls otherwise is kept beside it, and no status is given."""
    if "status" not in done:
        return {}
    said = str(getattr(done["status"], "value", done["status"]))
    known = _STATUS.get(said.strip().casefold())
    return {"status": known.value} if known else {"status": None, "status_said": _clean(said)}


def _figures(done: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("latency_ms", "cost"):
        value = _object(done.get(name))
        if _is_figure(value):
            found[name] = {WHOLE: value}
        elif isinstance(value, Mapping):
            found[name] = {str(stage): figure for stage, figure in value.items() if _is_figure(figure)}
        elif isinstance(value, int | float):
            found[name] = None
    if "tokens" in done:
        found["tokens"] = _tokens(_object(done["tokens"]))
    return found


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def _tokens(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    if counts := _counts(value):
        return {WHOLE: counts}
    return {str(stage): counts for stage, one in value.items() if (counts := _counts(_object(one)))} or None


def _counts(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    found = {kind: _first(value, names, None) for kind, names in _TOKENS.items()}
    return {kind: count for kind, count in found.items() if isinstance(count, int) and count >= 0}


def _object(value: Any) -> Any:
    """A record or an object with attributes as a dictionary; everything else as it is."""
    if hasattr(value, "model_dump"):
        return value.model_dump()
    plain = value is None or isinstance(value, str | int | float | Mapping | list | tuple)
    return value if plain else {name: one for name, one in vars(value).items()} if hasattr(value, "__dict__") else value


def _plain(value: Any) -> Any:
    """JSON values only, no NaN among them."""
    return json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)


def _cleaned(value: Any) -> Any:
    if isinstance(value, dict):
        return {_clean(name): _cleaned(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    return _clean(value) if isinstance(value, str) else value


def _clean(text: str) -> str:
    """Without what no file takes: NUL, and halves of surrogate pairs."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text.replace("\0", ""))
