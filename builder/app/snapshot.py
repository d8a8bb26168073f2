"""builder snapshot: create, list, verify."""

from datetime import UTC, datetime

from builder import __version__
from builder.app.people import reviewer_name
from builder.model.case import ReviewState
from builder.model.chunk_index import ChunkIndex
from builder.model.snapshot import Manifest
from builder.settings import Workspace
from builder.snapshot.deep import Finding
from builder.snapshot.freeze import Frozen, LeftOut, plan_freeze
from builder.snapshot.listing import Listed, list_snapshots
from builder.snapshot.verify import verify
from builder.snapshot.write import Facts, snapshot_name, write_snapshot
from builder.store import Store, open_store


def create(
    workspace: Workspace,
    name: str,
    *,
    include_unreviewed: bool = False,
    dataset: str | None = None,
    who: str | None = None,
) -> tuple[Manifest, tuple[LeftOut, ...]]:
    """Freeze the cases that count. Returns the manifest, and by name the cases left out for their evidence.

    Raises:
        UsageError: the name is not allowed.
        InputError: no case counts, the name is taken, or the folder cannot be written.
    """
    snapshot_name(name)
    creator, goal = reviewer_name(workspace, who), dataset or workspace.settings.dataset
    with open_store(workspace.store_url) as store:
        chunks = store.documents.chunks()
        frozen = plan_freeze(
            store.cases.list(goal),
            chunks,
            store.documents.all(retired=True),
            include_unreviewed=include_unreviewed,
            chunk_of=ChunkIndex(chunks).chunk_of,
        )
        approvers = _approvers(store, frozen)
    facts = Facts(
        name=name,
        dataset=goal,
        created_at=datetime.now(UTC),
        created_by=creator,
        tool=f"builder {__version__}",
        include_unreviewed=include_unreviewed,
        approved_by=approvers,
    )
    return write_snapshot(workspace.snapshots, frozen, facts), frozen.problems


def list_all(workspace: Workspace) -> tuple[Listed, ...]:
    """The snapshots of the workspace, oldest first; broken ones with what is wrong."""
    return list_snapshots(workspace.snapshots)


def check(workspace: Workspace, name: str, *, deep: bool = False) -> tuple[Finding, ...]:
    """What is wrong with a snapshot; empty where nothing is.

    Raises:
        UsageError: no such name is possible.
        InputError: there is no such snapshot.
    """
    return verify(workspace.snapshots / snapshot_name(name), deep=deep)


def _approvers(store: Store, frozen: Frozen) -> tuple[str, ...]:
    approved = [case.case_id for case in frozen.cases if case.review_state is ReviewState.APPROVED]
    return tuple(sorted(store.cases.approvers(approved)))
