"""builder ingest: source files become pages and chunks, and the cases that rest on them are kept true."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from builder.app.chunking import chunk_ready
from builder.app.ingest_report import IngestReport
from builder.app.reading import read_images, read_texts
from builder.app.settling import settle
from builder.app.staleness import Restated, restate_cases
from builder.errors import InputError, UsageError
from builder.ingest.sync import SyncPlan, file_hash, plan_sync, too_many_removed
from builder.ingest.walk import Walk, walk
from builder.model.document import DocumentStatus, PageOrigin
from builder.progress import Progress
from builder.settings import OcrSettings, Workspace
from builder.store import Store, open_store

__all__ = ["Confirm", "IngestReport", "ingest", "ocr_settings"]

Confirm = Callable[[int], bool]
"""Asked before so many documents are retired."""


def ingest(
    workspace: Workspace,
    paths: Sequence[Path],
    progress: Progress,
    *,
    ocr: OcrSettings | None = None,
    workers: int | None = None,
    confirm: Confirm = lambda removed: False,
    dry_run: bool = False,
) -> IngestReport:
    """Bring documents, pages, chunks and cases in step with the files below `paths`.

    Without paths all registered folders are looked at. Text pages of all documents come first, document by document;
    pages that need OCR come after them. `confirm` is asked before many documents are retired.

    Raises:
        InputError: a path does not exist, or nothing below the paths is a file that can be read.
    """
    ocr = ocr or workspace.settings.ocr
    settings = workspace.settings.ingest if workers is None else workspace.settings.ingest.replace(workers=workers)
    workspace = workspace.replace(settings=workspace.settings.replace(ingest=settings, ocr=ocr))
    with open_store(workspace.store_url) as store:
        walks = {root: walk(path) for root, path in _roots(workspace, store, paths).items()}
        plans = {root: _plan(store, root, found) for root, found in walks.items()}
        report = _planned(walks, plans)
        if dry_run:
            return report
        before = store.documents.chunks()
        report = _retire(store, plans, report, confirm)
        jobs, report = settle(workspace, store, walks, plans, report)
        read_texts(workspace, store, jobs, progress)
        # Texts are of use at once: an interrupted OCR must not keep them back.
        chunk_ready(workspace, store, progress)
        early = restate_cases(store, before)
        read_images(workspace, store, progress)
        chunk_ready(workspace, store, progress)
        return _summary(store, plans, report, early + restate_cases(store, before))


def ocr_settings(
    workspace: Workspace, *, mode: str | None = None, engine: str | None = None, languages: str | None = None
) -> OcrSettings:
    """The OCR settings of the workspace with what the command line says.

    Raises:
        InputError: a word that is none of the choices.
    """
    asked = {"mode": mode, "engine": engine, "languages": languages}
    try:
        return workspace.settings.ocr.replace(**{name: value for name, value in asked.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError("option_value", option=f"--ocr ({first['loc'][0]})", detail=first["msg"]) from error


def _roots(workspace: Workspace, store: Store, paths: Sequence[Path]) -> dict[str, Path]:
    """Folders to walk, by the name under which they are registered."""
    if not paths:
        registered = store.documents.roots()
        if not registered:
            raise InputError("no_roots")
        return {root: workspace.root / root for root in registered}
    if absent := [path for path in paths if not path.exists()]:
        raise InputError("no_path", path=absent[0])
    return {_root_name(workspace, path): path for path in paths}


def _root_name(workspace: Workspace, path: Path) -> str:
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    return folder.relative_to(workspace.root).as_posix() if folder.is_relative_to(workspace.root) else str(folder)


def _plan(store: Store, root: str, found: Walk) -> SyncPlan:
    return plan_sync(found.files, store.documents.all(), root, found.complete, lambda file: file_hash(file.path))


def _planned(walks: dict[str, Walk], plans: dict[str, SyncPlan]) -> IngestReport:
    if not any(found.files or found.problems for found in walks.values()):
        raise InputError("nothing_to_read", where=", ".join(walks))
    return IngestReport(
        new=sum(len(plan.new) for plan in plans.values()),
        changed=sum(len(plan.changed) for plan in plans.values()),
        unchanged=sum(len(plan.unchanged) for plan in plans.values()),
        renamed=sum(len(plan.renamed) for plan in plans.values()),
        retired=sum(len(plan.removed) for plan in plans.values()),
        ignored=tuple(path for found in walks.values() for path in found.ignored),
        problems=tuple(problem for found in walks.values() for problem in found.problems),
    )


def _retire(store: Store, plans: dict[str, SyncPlan], report: IngestReport, confirm: Confirm) -> IngestReport:
    removed = [document for plan in plans.values() for document in plan.removed]
    known = sum(1 for document in store.documents.all() if document.root in plans)
    if removed and too_many_removed(len(removed), known) and not confirm(len(removed)):
        return report.replace(retired=0, retire_refused=len(removed))
    chunks = store.documents.retire(removed, datetime.now(UTC)) if removed else 0
    return report.replace(retired_chunks=chunks)


def _summary(store: Store, plans: dict[str, SyncPlan], report: IngestReport, cases: Restated) -> IngestReport:
    documents = [document for document in store.documents.all() if document.root in plans]
    failed = [document for document in documents if document.status is DocumentStatus.FAILED]
    problems = [(document.doc_id, document.problem) for document in documents if document.problem]
    return report.replace(
        cases_moved=cases.moved,
        cases_disabled=cases.disabled,
        failed=len(failed),
        read=len(documents) - len(failed),
        waiting_pages=len(store.documents.pages_by_origin(PageOrigin.WAITING)),
        problems=(*report.problems, *problems),
    )
