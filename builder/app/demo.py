"""builder demo: the main job on the sample documents, step by step, in a workspace that stays."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from builder.app.cases import CaseView, view
from builder.app.coverage import coverage
from builder.app.generate import Asked, GenerationReport, generate
from builder.app.importing import ImportReport, import_files
from builder.app.ingest import IngestReport, ingest
from builder.app.run import run
from builder.app.run_records import RunAsked, RunReport
from builder.app.snapshot import create
from builder.app.workspace import init
from builder.curate.states import decide
from builder.ingest.coverage import DocumentCoverage
from builder.model.case import Case, CheckOutcome, ReviewState, Source
from builder.model.chunk import ChunkKind
from builder.model.decision import Action, Decision
from builder.model.record import Record
from builder.model.snapshot import Manifest
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import open_store
from builder.store.cases import Change

REVIEWER = "demo-script"
"""Who approves in the demo: a script, named as such; in a real workspace people do."""
SNAPSHOT = "sample"
_SHOWN = 3


class Begun(Record):
    """The workspace is made."""

    workspace: Workspace


class Read(Record):
    """The documents are read."""

    report: IngestReport
    documents: tuple[DocumentCoverage, ...]


class Approved(Record):
    """The script has approved what passed all checks."""

    approved: int
    left: int


class Frozen(Record):
    """The snapshot is there."""

    manifest: Manifest
    examples: tuple[CaseView, ...]


class Floored(Record):
    """The built-in floor was measured with the snapshot."""

    run: RunReport


Step = Begun | Read | GenerationReport | tuple[ImportReport, ...] | Approved | Frozen | Floored


def demo(progress: Progress, folder: Path | None = None) -> Iterator[Step]:
    """Run the main job and yield what each step did. Needs no key and no network."""
    workspace, _ = init(folder or Path(tempfile.mkdtemp(prefix="builder-demo-")), sample=True)
    yield Begun(workspace=workspace)
    report = ingest(workspace, [workspace.root / "docs"], progress)
    yield Read(report=report, documents=coverage(workspace))
    yield generate(workspace, Asked(per_chunk=2, writer="extractive"), progress)
    yield import_files(workspace, sorted((workspace.root / "feedback").glob("thumbs_down.*")), who=REVIEWER)
    yield _approve(workspace)
    manifest, _ = create(workspace, SNAPSHOT, who=REVIEWER)
    yield Frozen(manifest=manifest, examples=_examples(workspace))
    yield Floored(run=run(workspace, RunAsked(snapshot=SNAPSHOT), progress))


def _approve(workspace: Workspace) -> Approved:
    with open_store(workspace.store_url) as store:
        waiting = store.cases.list(
            workspace.settings.dataset, states=[ReviewState.UNREVIEWED], sources=[Source.GENERATED]
        )
        good = [case for case in waiting if _passed(case)]
        decision = Decision(action=Action.APPROVE, text=REVIEWER)
        store.cases.apply([Change(case, decide(case, decision), "approve", REVIEWER) for case in good], REVIEWER)
    return Approved(approved=len(good), left=len(waiting) - len(good))


def _passed(case: Case) -> bool:
    """No check doubts it; that the wording is copied is what this writer does."""
    return all(result.outcome is CheckOutcome.PASS or result.name == "leakage" for result in case.checks)


def _examples(workspace: Workspace) -> tuple[CaseView, ...]:
    """Three approved cases that show different things: running text, a table, the other language."""
    with open_store(workspace.store_url) as store:
        cases = store.cases.list(workspace.settings.dataset, states=[ReviewState.APPROVED])
        views = [view(store, case) for case in cases]
    return tuple(_different([one for one in views if not any(chunk.metadata.restricted for chunk in one.chunks)]))


def _different(views: Sequence[CaseView]) -> Iterator[CaseView]:
    wanted = [(ChunkKind.TEXT, "zh"), (ChunkKind.TABLE, "zh"), (ChunkKind.TEXT, "en")]
    for kind, language in wanted[:_SHOWN]:
        for found in views:
            if any(chunk.kind is kind and chunk.language == language for chunk in found.chunks):
                yield found
                break
