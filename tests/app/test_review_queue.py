"""The queue over a real store: order, filters, batches and their undo, reservations."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.app.review import StoreDesk
from builder.app.review_queue import queue
from builder.errors import Conflict, InputError
from builder.model.case import CheckOutcome, CheckResult, DisabledReason, Evidence, RejectReason, ReviewState, Source
from builder.model.decision import Action, Decision
from builder.model.parts import Span
from builder.settings import Settings, Workspace
from builder.store import Store, open_store
from builder.store.cases import Change
from tests.make import case

REJECT = Decision(action=Action.REJECT, reason=RejectReason.DUPLICATE)
APPROVE = Decision(action=Action.APPROVE)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(root=tmp_path, settings=Settings())


@pytest.fixture
def store(workspace: Workspace) -> Iterator[Store]:
    """Twelve cases: one with a risk, one that fails a check, one that warns, one that needs its answer."""
    fail, warn = (CheckResult(name="facts", outcome=one) for one in (CheckOutcome.FAIL, CheckOutcome.WARN))
    cases = [case(f"m{number:012d}") for number in range(12)]
    cases[7] = cases[7].replace(risk="refund", source=Source.MANUAL)
    cases[3] = cases[3].replace(checks=(warn, fail))
    cases[5] = cases[5].replace(checks=(warn,))
    cases[9] = cases[9].replace(ground_truth="", review_state=ReviewState.NEEDS_ANSWER)
    with open_store(workspace.store_url) as found:
        found.cases.add(cases, "builder")
        yield found


def desk(workspace: Workspace, store: Store, who: str = "lin", seconds: int = 600) -> StoreDesk:
    return StoreDesk(workspace, store, "main", who, seconds=seconds)


def number(case_id: str) -> int:
    return int(case_id[1:])


def test_risk_first_then_failed_checks_then_by_the_seed(store: Store) -> None:
    order = [*map(number, queue(store, "main"))]
    assert order[:3] == [7, 3, 5] and sorted(order) == list(range(12))
    assert queue(store, "main", seed=1) == queue(store, "main", seed=1)
    assert [*map(number, queue(store, "main", seed=1))][3:] != order[3:]


def test_the_order_of_the_rest_stays_when_some_are_decided(workspace: Workspace, store: Store) -> None:
    before = queue(store, "main")
    lin = desk(workspace, store)
    for case_id in before[:4]:
        lin.commit(lin.load(case_id).case, (REJECT,))
    assert lin.queue() == before[4:], "the next session begins at the first undecided one"


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("risk=refund", {7}),
        ("check=facts", {3, 5}),
        ("state=needs_answer", {9}),
        ("type=single_fact risk=any", {7}),
        ("type=multi_hop", set()),
        ("family=none id=m00000000001", {10, 11}),
        ("state!=needs_answer risk=none check!=facts", {0, 1, 2, 4, 6, 8, 10, 11}),
    ],
)
def test_filtered_queues(store: Store, expression: str, wanted: set[int]) -> None:
    assert {*map(number, queue(store, "main", expression))} == wanted


def test_filtered_and_whole_queue_have_one_order(store: Store) -> None:
    assert queue(store, "main", "state=unreviewed,needs_answer") == queue(store, "main")


def test_decided_cases_come_only_where_they_are_asked_for(workspace: Workspace, store: Store) -> None:
    lin = desk(workspace, store)
    first = lin.queue()[0]
    lin.commit(lin.load(first).case, (APPROVE,))
    assert first not in lin.queue("risk=refund")
    assert lin.queue("state=approved") == (first,)


def test_an_approved_case_whose_source_changed_waits_again(workspace: Workspace, store: Store) -> None:
    lin = desk(workspace, store)
    first = lin.queue()[0]
    approved = lin.commit(lin.load(first).case, (APPROVE,)).case
    stale = approved.replace(disabled_reason=DisabledReason.STALE_CHECK)
    store.cases.apply([Change(approved, stale, "stale")], "builder")
    assert first in lin.queue()
    assert lin.commit(lin.load(first).case, (APPROVE,)).case.enabled
    assert first not in lin.queue()


def test_a_filter_that_is_none_is_refused(workspace: Workspace, store: Store) -> None:
    with pytest.raises(InputError):
        desk(workspace, store).queue("colour=red")


def states(store: Store) -> list[ReviewState]:
    return [one.review_state for one in store.cases.list("main")]


def test_a_batch_is_one_act_and_one_step_for_undo_also_later(workspace: Workspace, store: Store) -> None:
    before = states(store)
    lin = desk(workspace, store)
    single = lin.queue()[-1]
    lin.commit(lin.load(single).case, (APPROVE,))
    chosen = lin.queue("check=none")
    done = lin.sweep("check=none", chosen, REJECT)
    assert done == chosen and len(done) == 9 and states(store).count(ReviewState.REJECTED) == 9
    assert {one.act for case_id in done for one in store.cases.history(case_id)[1:]} == {
        store.cases.acts("main", "lin")[-1].act
    }
    again = desk(workspace, store)
    assert set(again.undo()) == set(done)
    assert states(store).count(ReviewState.REJECTED) == 0
    assert set(again.redo()) == set(done) and states(store).count(ReviewState.REJECTED) == 9
    assert set(again.undo()) == set(done)
    assert again.undo() == (single,) and again.undo() == ()
    assert states(store) == before
    assert again.redo() == (single,) and set(again.redo()) == set(done) and again.redo() == ()


def test_undo_of_a_batch_leaves_what_others_changed_since(workspace: Workspace, store: Store) -> None:
    lin, wang = desk(workspace, store), desk(workspace, store, "wang")
    done = lin.sweep("check=facts", lin.queue("check=facts"), REJECT)
    wang.commit(store.cases.get(done[0]), (Decision(action=Action.RESTORE), APPROVE))
    assert lin.undo() == (done[1],)
    assert store.cases.get(done[0]).review_state is ReviewState.APPROVED
    assert lin.redo() == (done[1],) and store.cases.get(done[1]).review_state is ReviewState.REJECTED


def test_undo_that_can_take_nothing_back_is_a_conflict(workspace: Workspace, store: Store) -> None:
    lin, wang = desk(workspace, store), desk(workspace, store, "wang")
    first = lin.queue()[0]
    lin.commit(lin.load(first).case, (REJECT,))
    wang.commit(store.cases.get(first), (Decision(action=Action.RESTORE),))
    with pytest.raises(Conflict):
        lin.undo()


def test_new_verdicts_of_a_program_hinder_no_undo(workspace: Workspace, store: Store) -> None:
    lin = desk(workspace, store)
    first = lin.queue()[0]
    rejected = lin.commit(lin.load(first).case, (REJECT,)).case
    store.cases.apply([Change(rejected, rejected.replace(checks=()), "check")], "builder")
    assert lin.undo() == (first,)


def test_a_batch_leaves_out_what_was_decided_meanwhile(workspace: Workspace, store: Store) -> None:
    lin, wang = desk(workspace, store), desk(workspace, store, "wang")
    chosen = lin.queue("check=facts")
    wang.commit(wang.load(chosen[0]).case, (APPROVE,))
    wang.load(lin.queue()[0])  # wang looks at another one now
    assert lin.sweep("check=facts", chosen, REJECT) == (chosen[1],)
    assert store.cases.get(chosen[0]).review_state is ReviewState.APPROVED


def test_what_is_before_one_is_kept_from_the_other(workspace: Workspace, store: Store) -> None:
    lin, wang = desk(workspace, store), desk(workspace, store, "wang")
    first, second = lin.queue()[:2]
    assert lin.load(first).held_by == "" and wang.held() == (first,) and lin.held() == ()
    assert wang.load(first).held_by == "lin", "who wants it all the same is told"
    lin.load(second)
    assert wang.held() == (second,), "one at a time"
    with lin:
        pass
    assert wang.held() == (), "given back at the end"


def test_a_reservation_ends_by_itself(workspace: Workspace, store: Store) -> None:
    first = queue(store, "main")[0]
    desk(workspace, store, seconds=0).load(first)
    assert desk(workspace, store, "wang").load(first).held_by == ""


def test_cases_of_other_datasets_are_not_here(workspace: Workspace, store: Store) -> None:
    store.cases.add([case("m99", dataset="other")], "builder")
    with pytest.raises(InputError):
        desk(workspace, store).load("m99")


def test_who_wrote_the_note_and_what_was_done_since(workspace: Workspace, store: Store) -> None:
    lin = desk(workspace, store)
    seen = lin.load(lin.queue()[0]).case
    note = Decision(action=Action.EDIT, changes={"note": "看过"})
    desk(workspace, store, "wang").commit(seen, (note, APPROVE))
    assert lin.load(seen.case_id).note_by == "wang"
    assert [(deed.who, deed.action) for deed in lin.since(seen)] == [("wang", "edit"), ("wang", "approve")]


def test_no_picture_of_what_is_not_there(workspace: Workspace, store: Store) -> None:
    gone = Evidence(doc_id="gone.pdf", reading_id="r", quote="x", parts=(Span(page=1, start=0, end=1),))
    with pytest.raises(InputError) as caught:
        desk(workspace, store).picture(gone)
    assert caught.value.key == "picture_gone"
