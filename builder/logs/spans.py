"""Traces of spans, whoever wrote them: what one trace says of one answer.

Attribute names of OpenTelemetry's GenAI conventions, of OpenInference (Phoenix) and of Traceloop are known.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from builder.logs.fields import as_text, is_deep, look_up
from builder.logs.given import item_of
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, asked, number_in

_QUESTIONS = ("input.value", "gen_ai.input.messages", "traceloop.entity.input", "gen_ai.prompt.0.content", "input")
_ANSWERS = (
    "output.value",
    "gen_ai.output.messages",
    "traceloop.entity.output",
    "gen_ai.completion.0.content",
    "output",
)
_CASES = ("case_id", "builder.case_id", "traceloop.association.properties.case_id", "metadata.case_id")
_INPUT = ("gen_ai.usage.input_tokens", "llm.token_count.prompt", "gen_ai.usage.prompt_tokens")
_CACHED = ("gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read")
_OUTPUT = ("gen_ai.usage.output_tokens", "llm.token_count.completion", "gen_ai.usage.completion_tokens")
_DOCUMENTS = {
    "retrieval": ("retrieval.documents", "gen_ai.retrieval.documents"),
    "rerank": ("reranker.output_documents",),
}
"""Where the passages of a stage stand."""
_STAGES = {"RETRIEVER": "retrieval", "RERANKER": "rerank", "LLM": "generation", "GENERATION": "generation"}
_NUMBERED = re.compile(r"(.+?)\.(\d+)\.(?:document\.)?(.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One step of a trace."""

    number: int
    """Where it stands in the file, from 1."""
    trace: str
    """The trace."""
    span: str = ""
    """Its id."""
    parent: str = ""
    """The step that it belongs to; empty for the whole."""
    name: str = ""
    """Its name."""
    kind: str = ""
    """What it does, in capitals: RETRIEVER, RERANKER, LLM, …; empty where it is not said."""
    begun: float | None = None
    """When, in milliseconds."""
    ended: float | None = None
    """Until when."""
    error: str = ""
    """Why it failed."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """By dotted name."""

    @property
    def took(self) -> float | None:
        """Milliseconds."""
        return None if self.begun is None or self.ended is None else round(max(0.0, self.ended - self.begun), 3)


def rows_of(spans: Iterable[Span]) -> Iterator[RunRow | RowProblem]:
    """One row a trace, in the order of their first spans; a trace that asks nothing is a row that says so."""
    traces: dict[str, list[Span]] = {}
    for span in spans:
        traces.setdefault(span.trace, []).append(span)
    for steps in traces.values():
        yield _row(steps)


def _row(steps: Sequence[Span]) -> RunRow | RowProblem:
    root = _root(steps)
    question = asked(_value([root, *steps], _QUESTIONS))
    case_id = as_text(_value([root, *steps], _CASES))
    if not question and not case_id:
        return RowProblem(row=root.number, code="no_question", detail=root.name or root.trace)
    done: dict[str, Any] = {"answer": answer} if (answer := _said(_value([root], _ANSWERS))) else {}
    if not done and (made := [step for step in steps if stage_of(step) == "generation"]):
        done = {"answer": answer} if (answer := _said(_value([made[-1]], _ANSWERS))) else {}
    if root.error:
        done["error"] = root.error
    done |= _passages(steps) | _figures(root, steps)
    return RunRow(number=root.number, case_id=case_id, question=question, values=done)


def _root(steps: Sequence[Span]) -> Span:
    known = {step.span for step in steps if step.span}
    tops = [step for step in steps if not step.parent or step.parent not in known]
    return next((step for step in tops if _value([step], _QUESTIONS) is not None), tops[0] if tops else steps[0])


def stage_of(step: Span) -> str:
    """retrieval, rerank, generation or nothing that is known."""
    if step.kind in _STAGES:
        return _STAGES[step.kind]
    names = set(step.attributes)
    for stage, prefixes in _DOCUMENTS.items():
        if any(name.startswith(prefixes) for name in names) or any(look_up(step.attributes, one) for one in prefixes):
            return stage
    operation = str(step.attributes.get("gen_ai.operation.name", ""))
    return {"retrieval": "retrieval", "chat": "generation", "text_completion": "generation"}.get(operation, "")


def _value(steps: Sequence[Span], names: Sequence[str]) -> Any:
    """The first of `names` that is filled, in the first step that has one."""
    for step in steps:
        for name in names:
            found = look_up(step.attributes, name)
            found = _in_metadata(step.attributes, name) if found in (None, "") else found
            if found not in (None, ""):
                return _parsed(found)
    return None


def _in_metadata(attributes: Mapping[str, Any], name: str) -> Any:
    head, _, tail = name.partition(".")
    return look_up(_parsed(attributes.get(head)), tail) if tail and head == "metadata" else None


def _parsed(value: Any) -> Any:
    """What is written as JSON in a text."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if is_deep(found) else found


def _said(value: Any) -> str:
    """The answer; of messages the last one, of an object its field of that name."""
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        return as_text(value[-1].get("parts") or value[-1].get("content") or value[-1])
    return as_text(value, ("answer", "response", "output", "result", "text", "completion"))


def _passages(steps: Sequence[Span]) -> dict[str, Any]:
    """Candidates of all retrievals, one after the other, and what a reranker gave. What was read, no trace tells."""
    fields = {"retrieval": "retrieved", "rerank": "reranked"}
    done: dict[str, Any] = {}
    for step in sorted(steps, key=lambda step: step.begun or 0.0):
        stage = stage_of(step)
        if stage in fields:
            done.setdefault(fields[stage], []).extend(documents(step, stage))
    return done


def documents(step: Span, stage: str) -> list[dict[str, Any]]:
    """The passages of a step, in their order."""
    prefixes = _DOCUMENTS[stage]
    for prefix in prefixes:
        whole = _parsed(look_up(step.attributes, prefix))
        if isinstance(whole, list):
            return [item for one in whole if (item := _item(one)) is not None]
    spread: dict[int, dict[str, Any]] = {}
    for name, value in step.attributes.items():
        match = _NUMBERED.fullmatch(name)
        if match and match[1] in prefixes:
            spread.setdefault(int(match[2]), {})[match[3]] = _parsed(value)
    if spread:
        return [item for _, one in sorted(spread.items()) if (item := _item(one)) is not None]
    output = _parsed(_value([step], _ANSWERS))
    output = look_up(output, "documents") if isinstance(output, Mapping) else output
    return [item for one in output if (item := _item(one)) is not None] if isinstance(output, list) else []


def _item(value: Any) -> dict[str, Any] | None:
    """A passage; its fields may be named `document.content`."""
    if isinstance(value, Mapping):
        value = {str(name).removeprefix("document."): one for name, one in value.items()}
        inner = value.get("document")
        value = {**value, **inner} if isinstance(inner, Mapping) else value
        value = {name: _parsed(one) if name == "metadata" else one for name, one in value.items()}
    return item_of(value, text_first=True)


def _figures(root: Span, steps: Sequence[Span]) -> dict[str, Any]:
    latency: dict[str, float] = {} if root.took is None else {"total": root.took}
    tokens: dict[str, dict[str, int]] = {}
    for step in steps:
        stage = stage_of(step)
        if step is not root and stage and step.took is not None:
            latency[stage] = latency.get(stage, 0.0) + step.took
        counted = {"input": _INPUT, "cached": _CACHED, "output": _OUTPUT}
        for kind, names in counted.items():
            count = number_in(_value([step], names))
            if count is not None and stage in ("generation", ""):
                own = tokens.setdefault(stage or "total", {})
                own[kind] = own.get(kind, 0) + int(count)
    return ({"latency_ms": latency} if latency else {}) | ({"tokens": tokens} if tokens else {})
