"""The main job with `store = "postgresql://…"`: every step of it writes to the server and reads from it."""

from pathlib import Path

import pytest

from builder.app.review import StoreDesk
from builder.curate.states import decide
from builder.errors import Conflict
from builder.model.case import RejectReason, ReviewState
from builder.model.decision import Action, Decision
from builder.store import Store
from builder.store.cases import Change, PlannedAct
from builder.text.ids import act_id
from tests.folder import HANDBOOK, POLICY, Folder

APPROVE = Decision(action=Action.APPROVE)
LOG = '{"id": "1", "question": "生鲜能退吗？", "answer": "能。", "rating": "down"}\n'


@pytest.fixture
def served(folder: Folder, postgres_url: str) -> Folder:
    """A workspace on a PostgreSQL server with two documents, generated cases and one thumbs-down."""
    folder.write("builder.toml", f'store = "{postgres_url}"\n')
    folder.write("docs/policy.md", POLICY)
    folder.write("docs/handbook.md", HANDBOOK)
    folder.write("log.jsonl", LOG)
    folder.done("ingest", "docs")
    folder.done("generate", "--writer", "extractive", "--cases", "4")
    folder.done("import", "log.jsonl")
    return folder


def test_from_documents_to_a_snapshot(served: Folder) -> None:
    assert served.done("ingest", "docs", "--json").json["unchanged"] == 2
    served.done("generate", "--writer", "extractive", "--cases", "4")
    assert len(served.done("cases", "list", "--json").json) == 5, "the same command twice makes nothing"
    with served.store() as store:
        _decided_at_the_desk(served, store)
        _decided_by_mail(store)
    shown = served.done("cases", "list", "--json").json
    assert sorted(row["review_state"] for row in shown) == ["approved"] * 4 + ["rejected"]
    served.done("snapshot", "create", "one")
    served.done("snapshot", "verify", "one", "--deep")
    assert not list(Path(served.path / "data").glob("*.db")), "nothing went into a file"
    assert served.done("doctor").code == 0


def _decided_at_the_desk(served: Folder, store: Store) -> None:
    lin, wang = (StoreDesk(served.workspace, store, who=who) for who in ("lin", "wang"))
    waiting = next(item.case for item in map(lin.load, lin.queue()) if item.missing)
    fill = Decision(action=Action.EDIT, changes={"ground_truth": "不能，生鲜商品除外。"})
    assert lin.commit(waiting, (fill, APPROVE)).case.review_state is ReviewState.APPROVED
    assert lin.undo() == (waiting.case_id,)
    assert lin.redo() == (waiting.case_id,)
    other = wang.load(wang.queue()[0]).case
    lin.commit(other, (Decision(action=Action.REJECT, reason=RejectReason.UNCLEAR),))
    with pytest.raises(Conflict):
        wang.commit(other, (APPROVE,))


def _decided_by_mail(store: Store) -> None:
    """Several acts at once, as a sheet brings them: one that is refused takes the others with it."""
    rest = store.cases.list("main", states=[ReviewState.UNREVIEWED])
    planned = [PlannedAct(act_id(), "zhao", [Change(case, decide(case, APPROVE), "approve")]) for case in rest]
    with pytest.raises(Conflict):
        store.cases.apply_all([*planned, planned[0]])
    assert store.cases.list("main", states=[ReviewState.UNREVIEWED]) == rest
    store.cases.apply_all(planned)
    assert len(store.cases.acts("main", "zhao")) == len(rest) == 3
