"""Targets by name: the workspace's own BM25, an address, or a function."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from builder.app.run_records import RunAsked, refuse_others
from builder.errors import InputError, UsageError
from builder.logs.given import CONTEXTS, FIELDS
from builder.score.targets.bm25 import Bm25Target
from builder.score.targets.function import open_function
from builder.score.targets.http import BODY, open_http, read_headers
from builder.score.targets.question import Target
from builder.search import open_search
from builder.settings import Workspace
from builder.store import open_store

BM25 = "bm25"
_ALL = ("target", "repeats", "retry_failed")
"""Options that go with every target."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A target, ready to be asked."""

    target: Target
    """What is asked."""
    secrets: tuple[str, ...] = ()
    """Names in the environment whose values are sent to it and must not be stored."""


@contextmanager
def opened(workspace: Workspace, asked: RunAsked) -> Iterator[Opened]:
    """The target that `asked` names. Only bm25 needs the store.

    Raises:
        UsageError: an option that does not go with this target, or no such field.
        InputError: no such function, address, template or chunk.
    """
    _check(asked)
    if asked.target == BM25:
        yield Opened(target=_bm25(workspace, asked))
    elif "://" in asked.target:
        headers, names = read_headers(asked.headers, os.environ)
        target = open_http(
            asked.target,
            template=_template(asked.body),
            headers=headers,
            paths=asked.fields,
            concurrency=asked.concurrency,
        )
        yield Opened(target=target, secrets=names)
    else:
        yield Opened(target=open_function(asked.target, Path.cwd(), asked.fields))


def _check(asked: RunAsked) -> None:
    is_address = "://" in asked.target
    if asked.target != BM25 and not is_address and ":" not in asked.target:
        raise UsageError("run_target", target=asked.target)
    own = ("top",) if asked.target == BM25 else ("fields", "body", "headers") if is_address else ("fields",)
    refuse_others(asked, (*_ALL, *own), f"--target {'http://…' if is_address else asked.target}")
    if unknown := sorted(set(asked.fields) - {*FIELDS, CONTEXTS}):
        raise UsageError("run_field", field=unknown[0], known=", ".join((*FIELDS, CONTEXTS)))


def _template(path: Path | None) -> str:
    if path is None:
        return BODY
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("unreadable", file=path, detail=getattr(error, "strerror", None) or error) from error


def _bm25(workspace: Workspace, asked: RunAsked) -> Bm25Target:
    with open_store(workspace.store_url) as store:
        chunks = store.documents.chunks()
    if not chunks:
        raise InputError("no_chunks")
    return Bm25Target(
        search=open_search(workspace.search_folder, [(chunk.chunk_id, chunk.text) for chunk in chunks]),
        chunks={chunk.chunk_id: chunk for chunk in chunks},
        top=asked.top,
        departments=workspace.settings.departments,
    )
