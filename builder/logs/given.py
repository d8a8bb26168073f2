"""What a system gives as its answer, in the shapes that systems have, as fields of a run record.

A text, a pair (answer, passages), an object of fields, or any object with such attributes: records of this program,
dictionaries, the response classes of the usual frameworks.
"""

import json
import re
from collections.abc import Iterable, Mapping
from numbers import Number, Real
from typing import Any, TypeGuard
from uuid import UUID

from builder.logs.fields import as_text, is_deep, look_up
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
    "text": ("text", "content", "page_content", "pageContent", "chunk"),
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
    "cached": (
        "cached", "cached_tokens", "cache_read_input_tokens", "prompt_tokens_details.cached_tokens",
        "input_tokens_details.cached_tokens", "input_token_details.cache_read",
    ),
    "output": ("output", "output_tokens", "completion_tokens"),
}  # fmt: skip
_TOOL = ("name", "tool", "tool_name", "function")
_SAID = ("message", "detail", "msg", "description", "reason", "error", "code", "type")
"""Where an error that is an object says what it is."""
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
    pair = isinstance(value, tuple) and not hasattr(value, "_fields")
    told = _pair(value) if pair else _listed(value) or _told(value, paths or {})
    if not told:
        raise Unreadable(f"{type(value).__name__}: {', '.join(_names_in(value)[:12]) or 'nothing in it'}")
    try:
        done: dict[str, Any] = _plain(_read(told))
    except Unreadable:
        raise
    except (RecursionError, ValueError, TypeError) as error:  # a circle, or keys that are no texts
        raise Unreadable(f"{type(value).__name__}: {error}") from error
    if is_deep(done):
        raise Unreadable(f"{type(value).__name__}: nested too deep")
    return {name: cleaned(one) for name, one in done.items()}


def item_of(value: Any, *, text_first: bool) -> dict[str, Any] | None:
    """A passage as the fields of a retrieved item; none where there is neither id nor text.

    A bare text is an id, or with `text_first` the passage itself unless it has the form of a chunk id of this program.
    """
    if isinstance(value, str):
        return _bare_item(value, text_first=text_first)
    if isinstance(value, Number | UUID):
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
    item: dict[str, Any] = {name: str(one) for name, one in plain if isinstance(one, str | Number | UUID) and str(one)}
    if isinstance(found.get("text"), str):
        item["text"] = _clean(found["text"])
    if _is_figure(score := found.get("score")):
        item["score"] = float(score)
    if _is_span(span := found.get("span")):
        item["span"] = span
    if item.keys() & {"id", "text"}:
        return item
    return {"id": item["doc_id"]} | item if "doc_id" in item else None  # all that is told is the document


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
    for name in ("answer", "context_text", "rewritten_query", "refusal_reason"):
        if name in done:
            done[name] = _clean(done[name]) if isinstance(done[name], str) else as_text(_object(done[name]))
    for name in ("retrieved", "reranked", "context", "citations"):
        if name in done:
            done[name] = _items(done[name], text_first=False)
    if "citations" in done:
        done["citations"] = [_cited(item) for item in done["citations"]]
    if "tool_calls" in done:
        done["tool_calls"] = _tools(done["tool_calls"])
    if not isinstance(done.get("filters", {}), Mapping):
        done["filters"] = {"filter": done["filters"]}
    if CONTEXTS in told:
        items = _items(told[CONTEXTS], text_first=True)
        done = {"retrieved": items, "context": items} | done
    return done | _status(done) | _figures(done) | _error(done)


def _items(value: Any, *, text_first: bool) -> list[dict[str, Any]]:
    """Passages in their order; one of a form that nobody knows keeps its place, as the text of what was given."""
    whole = [value] if isinstance(value, str | Mapping) else list(value) if isinstance(value, Iterable) else [value]
    return [item_of(one, text_first=text_first) or {"text": _clean(_shown(one))} for one in whole if not _blank(one)]


def _blank(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_blank, value.values()))
    return value is None or (isinstance(value, str) and not value.strip())


def _cited(item: dict[str, Any]) -> dict[str, Any]:
    """A citation that only says words is named by them."""
    return item if "id" in item else {"id": item["text"], "quote": item["text"]} | item


def _tools(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list | tuple):
        raise Unreadable(f"tool_calls: {type(value).__name__}, no list")
    return [_tool(_object(one)) for one in value]


def _tool(value: Any) -> dict[str, Any]:
    """A call as ours: a bare name, what chat endpoints give (`function: {name, arguments}`), or what frameworks do."""
    told = dict(value) if isinstance(value, Mapping) else {"name": value}
    if isinstance(inner := _object(told.get("function")), Mapping):
        told |= dict(inner)
    name = next((told[one] for one in _TOOL if isinstance(told.get(one), str) and told[one]), None)
    if name is None:
        raise Unreadable(f"tool_calls: {', '.join(map(str, told))} hold no name")
    arguments = _first(told, ("arguments", "args", "input", "parameters"), None)
    flag = told.get("side_effect")
    rest = {"error": _words(told.get("error")), "side_effect": flag if isinstance(flag, bool) else None}
    return {str(one): found for one, found in told.items()} | {"name": name, "arguments": arguments} | rest


def _error(done: Mapping[str, Any]) -> dict[str, Any]:
    """Empty, false and zero are no error, as services say it where all went well."""
    return {"error": _words(done["error"])} if "error" in done else {}


def _words(error: Any) -> str | None:
    if not error:
        return None
    if isinstance(error, BaseException):
        return _clean(str(error)).strip() or type(error).__name__
    found = _object(error)
    if isinstance(found, Mapping):
        return next((said for name in _SAID if (said := _words(found.get(name)))), None) or _shown(found)
    return _clean(found if isinstance(found, str) else _shown(found)).strip() or None


def _shown(value: Any) -> str:
    return json.dumps(_object(value), ensure_ascii=False, default=str)


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
        elif value is not None:
            found[name] = None
    if "ttft_ms" in done and not _is_figure(done["ttft_ms"]):
        found["ttft_ms"] = None
    if "tokens" in done:
        found["tokens"] = _tokens(_object(done["tokens"]))
    return found


def _is_figure(value: Any) -> TypeGuard[float]:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return is_number and abs(value) < _LARGEST


def _tokens(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    if counts := _counts(value):
        return {WHOLE: counts}
    return {str(stage): counts for stage, one in value.items() if (counts := _counts(_object(one)))} or None


def _counts(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    hits = {kind: (look_up(value, name) for name in names) for kind, names in _TOKENS.items()}
    found = {kind: next((hit for hit in some if hit is not None), None) for kind, some in hits.items()}
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


def cleaned(value: Any) -> Any:
    """A value as a file takes it: without NUL and halves of surrogate pairs in its texts."""
    if isinstance(value, dict):
        return {_clean(name): cleaned(one) for name, one in value.items()}
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    return _clean(value) if isinstance(value, str) else value


def _clean(text: str) -> str:
    """Without what no file takes: NUL, and halves of surrogate pairs."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text.replace("\0", ""))
