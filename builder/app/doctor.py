"""builder doctor: what this machine has and lacks. Makes no network call; doctor_models does."""

import os
import platform
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from builder import __version__
from builder.app.doctor_records import Finding
from builder.errors import BuilderError, WorkspaceError
from builder.ingest.ocr.engine import available_engines
from builder.settings import OcrSettings, Workspace, find_workspace
from builder.store import open_store


def examine(start: Path) -> tuple[Finding, ...]:
    """Look at the program, OCR, writers, and the workspace around `start`."""
    return (_program(), _ocr(), _editor(), *_writers(), *_workspace(start))


def _program() -> Finding:
    return Finding(name="program", outcome="ok", values={"version": __version__, "python": platform.python_version()})


def _ocr() -> Finding:
    engines = available_engines(OcrSettings().languages)
    if not engines:
        return Finding(name="no_ocr", outcome="warn")
    return Finding(name="ocr", outcome="ok", values={"engines": ", ".join(engines)})


def _editor() -> Finding:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    found = shutil.which(editor.split()[0])
    return Finding(
        name="editor" if found else "no_editor", outcome="ok" if found else "warn", values={"editor": editor}
    )


def _writers() -> tuple[Finding, ...]:
    endpoint = os.environ.get("OPENAI_BASE_URL") or ("api.openai.com" if os.environ.get("OPENAI_API_KEY") else "")
    remote = (
        Finding(name="endpoint", outcome="ok", values={"url": endpoint})
        if endpoint
        else Finding(name="no_endpoint", outcome="warn")
    )
    local = Finding(name="local" if find_spec("xllamacpp") else "no_local", outcome="ok")
    return remote, local


def _workspace(start: Path) -> tuple[Finding, ...]:
    try:
        workspace = find_workspace(start)
    except WorkspaceError:
        return (Finding(name="no_workspace", outcome="warn"),)
    except BuilderError as error:
        return (Finding(name="broken", outcome="fail", values={"detail": str(error)}),)
    return Finding(name="workspace", outcome="ok", values={"root": str(workspace.root)}), _guarded(_store, workspace)


def _guarded(look: Callable[[Workspace], Finding], workspace: Workspace) -> Finding:
    try:
        return look(workspace)
    except BuilderError as error:
        return Finding(name="broken", outcome="fail", values={"detail": str(error)})


def _store(workspace: Workspace) -> Finding:
    with open_store(workspace.store_url) as store:
        return Finding(
            name="store",
            outcome="ok",
            values={
                "documents": str(len(store.documents.all())),
                "chunks": str(store.documents.chunk_count()),
                "cases": str(sum(store.cases.counts(workspace.settings.dataset).values())),
                "dataset": workspace.settings.dataset,
            },
        )
