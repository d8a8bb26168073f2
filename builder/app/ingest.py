"""builder ingest: source files become pages and chunks, and the cases that rest on them are kept true."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from builder.app.chunking import chunk_ready, uncut
from builder.app.ingest_report import IngestReport
from builder.app.reading import read_images, read_texts
from builder.app.settling import Settlement, settlement, to_read
from builder.app.staleness import Restated, restate_cases
from builder.errors import InputError, UsageError
from builder.ingest.chunk import chunker_version
from builder.ingest.sync import SyncPlan, file_hash, plan_sync, too_many_removed
from builder.ingest.walk import USER_CHUNKS, Walk, walk
from builder.model.document import Document, DocumentStatus, PageOrigin
from builder.progress import Progress
from builder.settings import ChunkFields, OcrSettings, Workspace
from builder.store import Store, open_store

if TYPE_CHECKING:
    from builder.app.user_chunks import ChunkImport

__all__ = ["Confirm", "IngestReport", "chunk_fields", "ingest", "ocr_settings"]

Confirm = Callable[[int], bool]
"""Asked before so many documents are retired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What has to be done in all; nothing is stored yet."""

    known: tuple[Document, ...]
    """Documents that there are."""
    walks: Mapping[str, Walk]
    syncs: Mapping[str, SyncPlan]
    settled: tuple[Settlement, ...]
    imports: "tuple[ChunkImport, ...]"

    @property
    def roots(self) -> set[str]:
        """All roots that were looked at."""
        return {*self.walks, *(planned.root for planned in self.imports)}

    @property
    def removed(self) -> list[Document]:
        """Documents that are gone."""
        gone = [*(sync.removed for sync in self.syncs.values()), *(planned.removed for planned in self.imports)]
        return list(chain.from_iterable(gone))

    @property
    def kept(self) -> list[Document]:
        """Documents to be stored with another place, time or metadata."""
        told = [*(settled.kept for settled in self.settled), *(planned.kept for planned in self.imports)]
        return list(chain.from_iterable(told))

    @property
    def acts(self) -> bool:
        """Pages or chunks change."""
        reads = any(settled.reads for settled in self.settled)
        return reads or bool(self.removed) or any(planned.acts for planned in self.imports)


def ingest(
    workspace: Workspace,
    paths: Sequence[Path],
    progress: Progress,
    *,
    chunks: Sequence[Path] = (),
    ocr: OcrSettings | None = None,
    workers: int | None = None,
    fields: ChunkFields | None = None,
    confirm: Confirm = lambda removed: False,
    dry_run: bool = False,
) -> IngestReport:
    """Bring documents, pages, chunks and cases in step with the files below `paths` and the chunks in `chunks`.

    Without either all registered folders and files of chunks are looked at. Text pages of all documents come first,
    document by document; pages that need OCR come after them. `confirm` is asked before many documents are retired.

    Raises:
        InputError: a path does not exist, nothing below the paths is a file that can be read, or no such chunker.
    """
    workspace = _asked(workspace, ocr, workers, fields)
    chunker_version(workspace.settings.chunk.name)
    with open_store(workspace.store_url) as store:
        plan = _planned(workspace, store, paths, chunks)
        report = _counted(plan)
        if dry_run:
            return report
        _register(store, plan)
        if plan.kept:
            store.documents.save(plan.kept)
        if not (plan.acts or _unfinished(workspace, store, plan.known)):
            return _summary(store, plan, report, store.documents.all() if plan.kept else plan.known)
        return _work(workspace, store, plan, report, progress, confirm)


def chunk_fields(workspace: Workspace, **asked: str | None) -> ChunkFields:
    """The fields of the user's own chunks: those of the workspace with what the command line says."""
    return workspace.settings.chunk_fields.replace(**{name: value for name, value in asked.items() if value})


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


def _asked(workspace: Workspace, ocr: OcrSettings | None, workers: int | None, fields: ChunkFields | None) -> Workspace:
    settings = workspace.settings
    ingest = settings.ingest if workers is None else settings.ingest.replace(workers=workers)
    changes = {"ingest": ingest, "ocr": ocr or settings.ocr, "chunk_fields": fields or settings.chunk_fields}
    return workspace.replace(settings=settings.replace(**changes))


def _planned(workspace: Workspace, store: Store, paths: Sequence[Path], chunks: Sequence[Path]) -> _Plan:
    known = store.documents.all()
    folders, files = _roots(workspace, store, known, paths, chunks)
    walks = {root: walk(path) for root, path in folders.items()}
    syncs = {
        root: plan_sync(found.files, known, root, found.complete, lambda file: file_hash(file.path))
        for root, found in walks.items()
    }
    imports = _imports(workspace, store, known, files)
    if not imports and not any(found.files or found.problems for found in walks.values()):
        raise InputError("nothing_to_read", where=", ".join(walks))
    settled = tuple(settlement(workspace, root, walks[root], syncs[root]) for root in walks)
    return _Plan(known=known, walks=walks, syncs=syncs, settled=settled, imports=imports)


def _imports(
    workspace: Workspace, store: Store, known: Sequence[Document], files: Sequence[str]
) -> "tuple[ChunkImport, ...]":
    if not files:
        return ()
    from builder.app.user_chunks import plan_import

    return tuple(plan_import(workspace, store, root, known) for root in files)


def _roots(
    workspace: Workspace, store: Store, known: Sequence[Document], paths: Sequence[Path], chunks: Sequence[Path]
) -> tuple[dict[str, Path], list[str]]:
    """Folders to walk, by the name under which they are registered, and files of chunks."""
    if not paths and not chunks:
        registered = store.documents.roots()
        if not registered:
            raise InputError("no_roots")
        files = [root for root in registered if _is_chunk_file(workspace, root, known)]
        return {root: workspace.root / root for root in registered if root not in files}, files
    if absent := [path for path in (*paths, *chunks) if not path.exists()]:
        raise InputError("no_path", path=absent[0])
    names = dict.fromkeys(_file_name(workspace, path) for path in chunks)
    return {_root_name(workspace, path): path for path in paths}, list(names)


def _is_chunk_file(workspace: Workspace, root: str, known: Iterable[Document]) -> bool:
    """True where the registered root is a file of chunks, and no folder."""
    return (workspace.root / root).is_file() or any(
        document.root == root and document.media_type == USER_CHUNKS for document in known
    )


def _file_name(workspace: Workspace, path: Path) -> str:
    """The name under which a file of chunks is registered."""
    real = path.resolve()
    return real.relative_to(workspace.root).as_posix() if real.is_relative_to(workspace.root) else str(real)


def _root_name(workspace: Workspace, path: Path) -> str:
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    return folder.relative_to(workspace.root).as_posix() if folder.is_relative_to(workspace.root) else str(folder)


def _counted(plan: _Plan) -> IngestReport:
    syncs, imports = plan.syncs.values(), plan.imports
    files = [(planned.root, planned.problem) for planned in plan.imports if planned.problem]
    broken = [problem for settled in plan.settled for problem in settled.broken]
    return IngestReport(
        new=sum(len(sync.new) for sync in syncs) + sum(len(planned.new) for planned in imports),
        changed=sum(len(sync.changed) for sync in syncs) + sum(len(planned.changed) for planned in imports),
        unchanged=sum(len(sync.unchanged) for sync in syncs) + sum(planned.unchanged for planned in imports),
        renamed=sum(len(sync.renamed) for sync in syncs),
        retired=len(plan.removed),
        metadata_changed=sum(settled.retold for settled in plan.settled) + sum(planned.retold for planned in imports),
        broken=len(broken) + len(files),
        ignored=tuple(path for walked in plan.walks.values() for path in walked.ignored),
        problems=(*(problem for walked in plan.walks.values() for problem in walked.problems), *broken, *files),
        chunk_fields={planned.root: dict(planned.fields) for planned in plan.imports if planned.fields},
        wrong_rows={planned.root: planned.wrong for planned in plan.imports if planned.wrong},
    )


def _register(store: Store, plan: _Plan) -> None:
    """Remember the folders, and the files of chunks of which something was taken."""
    refused = {planned.root for planned in plan.imports if planned.wrong or planned.problem}
    known = set(store.documents.roots())
    for root in (*plan.walks, *(planned.root for planned in plan.imports)):
        if root not in known and root not in refused:
            store.documents.register_root(root)


def _unfinished(workspace: Workspace, store: Store, known: Sequence[Document]) -> bool:
    """An earlier run was interrupted, pages wait, or chunks are to be cut with other settings."""
    if uncut(workspace, known) or store.documents.cases_due():
        return True
    given_up = store.documents.pages_by_origin(PageOrigin.FAILED) if workspace.settings.ocr.mode != "never" else ()
    asks = any(page.problem is not None and page.problem.code == "needs_ocr" for _, page in given_up)
    return asks or bool(store.documents.pages_by_origin(PageOrigin.WAITING))


def _work(
    workspace: Workspace, store: Store, plan: _Plan, report: IngestReport, progress: Progress, confirm: Confirm
) -> IngestReport:
    before = store.documents.chunks() if store.cases.datasets() else ()
    store.documents.mark_cases(due=True)
    report = _retire(store, plan, report, confirm)
    _save_imports(workspace, store, plan, report)
    read_texts(workspace, store, [job for settled in plan.settled for job in to_read(store, settled)], progress)
    # What an earlier run left uncut. Texts are of use at once: an interrupted OCR must not keep them back.
    chunk_ready(workspace, store, progress)
    early = restate_cases(store, before)
    doubtful = read_images(workspace, store, progress)
    report = report.replace(problems=(*report.problems, *doubtful))
    late = restate_cases(store, before) if chunk_ready(workspace, store, progress) else Restated()
    store.documents.mark_cases(due=False)
    report = report.replace(cases_moved=(early + late).moved, cases_disabled=(early + late).disabled)
    return _summary(store, plan, report, store.documents.all())


def _save_imports(workspace: Workspace, store: Store, plan: _Plan, report: IngestReport) -> None:
    if not plan.imports:
        return
    from builder.app.user_chunks import save_import

    for planned in plan.imports:
        # Ids of documents that were not retired may stand in the file under another document.
        if not (report.retire_refused and planned.removed):
            save_import(workspace, store, planned)


def _retire(store: Store, plan: _Plan, report: IngestReport, confirm: Confirm) -> IngestReport:
    removed = plan.removed
    known = sum(1 for document in plan.known if document.root in plan.roots)
    if removed and too_many_removed(len(removed), known) and not confirm(len(removed)):
        return report.replace(retired=0, retire_refused=len(removed))
    chunks = store.documents.retire(removed, datetime.now(UTC)) if removed else 0
    return report.replace(retired_chunks=chunks)


def _summary(store: Store, plan: _Plan, report: IngestReport, documents: Sequence[Document]) -> IngestReport:
    looked = [document for document in documents if document.root in plan.roots]
    failed = [document for document in looked if document.status is DocumentStatus.FAILED]
    problems = [(document.doc_id, document.problem) for document in looked if document.problem]
    return report.replace(
        failed=len(failed),
        read=len(looked) - len(failed),
        waiting_pages=len(store.documents.pages_by_origin(PageOrigin.WAITING)),
        problems=(*report.problems, *problems),
    )
