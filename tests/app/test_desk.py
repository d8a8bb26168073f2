"""The reviewer's desk over a real store: queue, decisions, undo across sessions, conflicts."""

from collections.abc import Iterator

import pytest

from builder.app.review import StoreDesk
from builder.errors import Conflict, Refused
from builder.model.case import RejectReason, ReviewState
from builder.model.decision import Action, Decision
from builder.store import Store
from tests.folder import Folder

APPROVE = Decision(action=Action.APPROVE)
REJECT = Decision(action=Action.REJECT, reason=RejectReason.UNCLEAR)


@pytest.fixture
def store(docs: Folder) -> Iterator[Store]:
    """Two generated cases and one that needs an answer."""
    docs.done("generate", "--writer", "extractive", "--cases", "2")
    docs.write("log.jsonl", '{"id": "1", "question": "生鲜能退吗？", "answer": "能。", "rating": "down"}\n')
    docs.done("import", "log.jsonl")
    with docs.store() as found:
        yield found


def desk(docs: Folder, store: Store, who: str = "lin") -> StoreDesk:
    return StoreDesk(docs.workspace, store, who=who)


def test_question_answer_and_source_come_together(docs: Folder, store: Store) -> None:
    lin = desk(docs, store)
    items = [lin.load(case_id) for case_id in lin.queue()]
    assert len(items) == 3
    generated = [item for item in items if item.case.source == "generated"]
    assert all(
        passage.text[start:end] == passage.evidence.quote
        for item in generated
        for passage in item.passages
        for start, end in passage.marks
    )
    assert all(item.passages and item.passages[0].marks for item in generated)
    waiting = next(item for item in items if item.case.source == "feedback")
    assert waiting.missing == ("ground_truth",)
    assert any("生鲜" in passage.text for passage in waiting.proposals), "passages are proposed"


def test_filling_and_approving_is_one_step_for_undo(docs: Folder, store: Store) -> None:
    lin = desk(docs, store)
    case = next(lin.load(one).case for one in lin.queue() if lin.load(one).missing)
    fill = Decision(action=Action.EDIT, changes={"ground_truth": "不能，生鲜商品除外。"})
    item = lin.commit(case, (fill, APPROVE))
    assert item.case.review_state is ReviewState.APPROVED
    assert lin.undo() == (case.case_id,)
    assert store.cases.get(case.case_id).replace(revision=1) == case
    assert lin.redo() == (case.case_id,)
    assert store.cases.get(case.case_id).review_state is ReviewState.APPROVED


def test_pinning_a_passage_runs_the_checks_again(docs: Folder, store: Store) -> None:
    lin = desk(docs, store)
    item = next(lin.load(one) for one in lin.queue() if lin.load(one).proposals)
    pin = Decision(action=Action.EDIT, changes={"evidence_groups": ((item.proposals[0].evidence,),)})
    pinned = lin.commit(item.case, (pin,))
    assert len(pinned.passages) == 1
    assert {"quote", "leakage", "siblings"} <= {result.name for result in pinned.case.checks}


def test_undo_reaches_over_sessions_but_not_over_people(docs: Folder, store: Store) -> None:
    first, second = desk(docs, store).queue()[:2]
    lin, wang = desk(docs, store), desk(docs, store, "wang")
    lin.commit(lin.load(first).case, (APPROVE,))
    wang.commit(wang.load(second).case, (REJECT,))
    again = desk(docs, store)
    assert again.undo() == (first,)
    assert again.undo() == ()
    assert store.cases.get(second).review_state is ReviewState.REJECTED


def test_two_people_one_case(docs: Folder, store: Store) -> None:
    lin, wang = desk(docs, store), desk(docs, store, "wang")
    case_id = lin.queue()[0]
    seen = lin.load(case_id).case
    wang.commit(wang.load(case_id).case, (APPROVE,))
    with pytest.raises(Conflict):
        lin.commit(seen, (REJECT,))
    assert store.cases.get(case_id).review_state is ReviewState.APPROVED
    lin.commit(lin.load(case_id).case, (REJECT,))
    with pytest.raises(Conflict):
        wang.undo()


def test_what_is_refused_changes_nothing(docs: Folder, store: Store) -> None:
    lin = desk(docs, store)
    case = next(lin.load(one).case for one in lin.queue() if lin.load(one).missing)
    with pytest.raises(Refused):
        lin.commit(case, (APPROVE,))
    assert store.cases.get(case.case_id) == case
    assert lin.undo() == ()


def test_decided_cases_leave_the_queue(docs: Folder, store: Store) -> None:
    lin = desk(docs, store)
    for case_id in lin.queue():
        lin.commit(lin.load(case_id).case, (REJECT,))
    assert lin.queue() == ()
