"""builder doctor --models: one tiny call to each model that is set; the only part of doctor that calls anybody."""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from builder.app.doctor_records import Finding
from builder.app.formats import StoreFormats
from builder.errors import InputError, WorkspaceError
from builder.generate.writer import Message, Request, WriterOptions, open_writer
from builder.llm.client import Client
from builder.llm.endpoint import Endpoint, endpoint
from builder.llm.failures import CallFailed
from builder.llm.formats import FORMATS, FormatMemory, Formats
from builder.llm.reply import read_items
from builder.model.attempt import Reply
from builder.settings import GenerateSettings, Settings, find_workspace
from builder.store import open_store

_MESSAGES = (
    {"role": "system", "content": 'Answer with compact JSON only: {"answer":"","answerable":true or false}'},
    {"role": "user", "content": "How many days has a week?"},
)
_MAX_TOKENS = 500
"""Room for a model that thinks before it answers."""
_CONTEXT = ("context_length", "max_model_len", "n_ctx", "context_window", "max_context_length", "n_ctx_train")
"""Where servers tell it in `GET /models`: OpenRouter, vLLM, llama.cpp, Groq, LM Studio, llama.cpp."""


def examine_models(start: Path, model: str | None = None) -> tuple[Finding, ...]:
    """Call `model` and the models that builder.toml sets, each once, or as often as its format takes to be found.

    Raises:
        InputError: no model is set, no key, or a broken builder.toml.
    """
    with _workspace(start) as (settings, memory):
        names = dict.fromkeys(filter(None, (model, settings.model, settings.verify_model)))
        if not names:
            raise InputError("no_model")
        return tuple(asyncio.run(_examined(name, settings, memory)) for name in names)


@contextmanager
def _workspace(start: Path) -> Iterator[tuple[GenerateSettings, FormatMemory | None]]:
    """What the workspace around `start` says, and its memory; without a workspace the usual settings and none."""
    try:
        workspace = find_workspace(start)
    except WorkspaceError:
        yield Settings().generate, None
        return
    with open_store(workspace.store_url) as store:
        yield workspace.settings.generate, StoreFormats(store, fresh=True)


async def _examined(model: str, settings: GenerateSettings, memory: FormatMemory | None) -> Finding:
    local = model.endswith(".gguf")
    place = None if local else endpoint(os.environ, model, settings.timeout)
    where = place.host if place else "-"
    try:
        found = await (_remote(place, settings, memory) if place else _local(model, settings))
    except CallFailed as failure:
        values = {"model": model, "where": where, "reason": failure.reason.value, "detail": failure.detail}
        return Finding(name="model_failed", outcome="fail", values=values)
    return found.replace(values={"model": model, "where": where, **found.values})


async def _remote(place: Endpoint, settings: GenerateSettings, memory: FormatMemory | None) -> Finding:
    formats = Formats(place, settings.response_format, memory)
    async with Client(place, formats=formats) as client:
        for _ in FORMATS:
            tried, began = formats.current, time.monotonic()
            reply = await client.chat(_MESSAGES, max_tokens=_MAX_TOKENS, temperature=0.0, shape="answer")
            seconds = time.monotonic() - began
            if formats.current == tried:
                break
        context = await _context(client)
    return _finding(reply, formats.current, context, seconds)


async def _local(file: str, settings: GenerateSettings) -> Finding:
    writer = open_writer("local", WriterOptions(model=file, timeout=float(settings.timeout)))
    messages = tuple(Message(**message) for message in _MESSAGES)
    try:
        began = time.monotonic()
        reply = await writer.write(
            Request(messages=messages, passages=(), asked=1, max_tokens=_MAX_TOKENS, shape="answer")
        )
        return _finding(reply, settings.response_format, None, time.monotonic() - began)
    finally:
        await writer.close()


def _finding(reply: Reply, wanted: str, context: int | None, seconds: float) -> Finding:
    values = {"format": wanted, "ms": str(round(seconds * 1000))}
    if not read_items(reply.text, finished=reply.finish_reason == "stop").items:
        return Finding(name="model_no_json", outcome="warn", values=values)
    if context is None:
        return Finding(name="model_untold", outcome="ok", values=values)
    return Finding(name="model", outcome="ok", values={**values, "context": str(context)})


async def _context(client: Client) -> int | None:
    """The context length that the server tells for the model; many tell none, some have no such list."""
    try:
        listed = await client.models()
    except CallFailed:
        return None
    rows = listed.get("data") if isinstance(listed, dict) else None
    entries = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    mine = [row for row in entries if row.get("id") == client.endpoint.model] or entries[:1] * (len(entries) == 1)
    return next((length for row in mine if (length := _told(row)) is not None), None)


def _told(row: Mapping[str, object]) -> int | None:
    meta = row.get("meta")
    places = (row, meta) if isinstance(meta, dict) else (row,)
    found = (place.get(name) for name in _CONTEXT for place in places)
    return next((length for length in found if isinstance(length, int) and length > 0), None)
