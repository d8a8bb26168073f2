"""Cases and revisions: version-checked, and illegal states are refused by the database itself."""

import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from builder.curate.states import decide
from builder.errors import Conflict, InputError
from builder.model.case import CheckOutcome, CheckResult, DisabledReason, ReviewState
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.decision import Action, Decision
from builder.store import Store, open_store
from builder.store.cases import Change
from tests import make

APPROVE = Decision(action=Action.APPROVE)


def approve(store: Store, case_id: str, who: str) -> None:
    case = store.cases.get(case_id)
    store.cases.apply([Change(case, decide(case, APPROVE), "approve")], who)


def test_round_trip(store: Store) -> None:
    chunk = make.chunk(make.document(), "整机质保 24 个月。")
    case = make.case(evidence_groups=((make.evidence(chunk, "24 个月"),),), tags=("a", "b"), as_of="2026-01-01")
    store.cases.add([case], "lin")
    assert store.cases.get(case.case_id) == case
    assert store.cases.list("main") == (case,)


def test_adding_twice_adds_nothing(store: Store) -> None:
    assert len(store.cases.add([make.case()], "lin")) == 1
    assert store.cases.add([make.case(question="另一个问题？")], "lin") == ()
    assert [row.action for row in store.cases.history("m000000000001")] == ["create"]


def test_more_cases_than_one_statement_takes(store: Store) -> None:
    many = [make.case(f"m{number:012d}") for number in range(12_000)]
    assert len(store.cases.add(many, "lin")) == 12_000
    assert store.cases.add(many, "lin") == ()


def test_every_change_is_a_revision(store: Store) -> None:
    store.cases.add([make.case()], "lin")
    approve(store, "m000000000001", "wang")
    created, approved = store.cases.history("m000000000001")
    assert (created.number, approved.number, approved.who) == (1, 2, "wang")
    assert approved.before == {"review_state": "unreviewed"}
    assert approved.after == {"review_state": "approved"}
    assert approved.at.tzinfo is not None
    assert store.cases.get("m000000000001").revision == 2
    assert store.cases.approvers(["m000000000001"]) == {"wang"}


def test_one_act_several_steps(store: Store) -> None:
    case = make.case(review_state=ReviewState.NEEDS_ANSWER, ground_truth="")
    store.cases.add([case], "lin")
    filled = decide(case, Decision(action=Action.EDIT, changes={"ground_truth": "24 个月"}))
    act = store.cases.apply([Change(case, filled, "edit"), Change(filled, decide(filled, APPROVE), "approve")], "lin")
    assert [row.number for row in store.cases.revisions_of(act)] == [2, 3]
    assert store.cases.get(case.case_id).review_state is ReviewState.APPROVED


def test_the_later_of_two_decisions_is_refused(store: Store) -> None:
    store.cases.add([make.case(), make.case("m000000000002")], "lin")
    seen = store.cases.get("m000000000001")
    other = store.cases.get("m000000000002")
    approve(store, seen.case_id, "wang")
    rejected = decide(seen, Decision(action=Action.REJECT, reason="unclear"))
    with pytest.raises(Conflict):
        store.cases.apply([Change(other, decide(other, APPROVE), "approve"), Change(seen, rejected, "reject")], "lin")
    assert store.cases.get(other.case_id) == other, "all or nothing"
    assert store.cases.get(seen.case_id).review_state is ReviewState.APPROVED


def test_eight_at_once_one_wins(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'b.db'}"
    with open_store(url) as store:
        store.cases.add([make.case()], "lin")
    outcomes: list[str] = []

    def one(number: int) -> None:
        with open_store(url) as mine:
            case = mine.cases.get("m000000000001")
            ready.wait()
            try:
                mine.cases.apply([Change(case, decide(case, APPROVE), "approve")], f"r{number}")
                outcomes.append("ok")
            except Conflict:
                outcomes.append("conflict")

    ready = threading.Barrier(8)
    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict"] * 7 + ["ok"]


def test_acts_over_the_same_cases_in_opposite_order(store: Store, url: str) -> None:
    """Neither waits for the other for ever: one is taken, the other is taken or refused."""
    ids = [f"m{number:012d}" for number in range(6)]
    store.cases.add([make.case(case_id) for case_id in ids], "lin")
    rounds = 15
    outcomes: list[str] = []
    ready = threading.Barrier(2, timeout=20)

    def one(who: str, order: list[str]) -> None:
        with open_store(url) as mine:
            for number in range(rounds):
                cases = [mine.cases.get(case_id) for case_id in order]
                ready.wait()
                try:
                    changes = [Change(case, case.replace(note=f"{who} {number}"), "edit") for case in cases]
                    mine.cases.apply(changes, who)
                    outcomes.append(who)
                except Conflict:
                    outcomes.append("conflict")
                ready.wait()

    threads = [threading.Thread(target=one, args=("lin", ids)), threading.Thread(target=one, args=("wang", ids[::-1]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 2 * rounds
    taken = len(outcomes) - outcomes.count("conflict")
    assert rounds <= taken
    assert [store.cases.get(case_id).revision for case_id in ids] == [taken + 1] * len(ids), "whole acts only"


ILLEGAL = [
    "UPDATE cases SET review_state = 'golden'",
    "UPDATE cases SET ground_truth = ''",
    "UPDATE cases SET question = '  '",
    "UPDATE cases SET review_state = 'needs_answer'",
    "UPDATE cases SET review_state = 'rejected'",
    "UPDATE cases SET reject_reason = 'other'",
    "UPDATE cases SET disabled_reason = 'stale_check'",
    "UPDATE cases SET disabled_reason = 'tired'",
    "UPDATE cases SET source = 'dream'",
]


@pytest.mark.parametrize("statement", ILLEGAL)
def test_the_database_refuses_illegal_states(store: Store, url: str, statement: str) -> None:
    store.cases.add([make.case()], "lin")
    engine = sa.create_engine(url)
    with pytest.raises(IntegrityError), engine.begin() as tx:
        tx.exec_driver_sql(statement)
    engine.dispose()
    assert store.cases.get("m000000000001") == make.case()


def test_no_such_case(store: Store) -> None:
    with pytest.raises(InputError, match="m-none"):
        store.cases.get("m-none")


def test_every_kind_of_claim_comes_back(store: Store) -> None:
    """A default that tells two kinds apart is stored too: without it the case could not be read again."""
    claims = (
        Claim(text="24 个月", check=NumberCheck(value="24", unit="month")),
        Claim(text="不保修", critical=True, check=LiteralCheck(none_of=("保修",))),
        Claim(text="说明"),
    )
    store.cases.add([make.case(claims=claims, must_not_claims=claims[:1])], "lin")
    assert store.cases.get("m000000000001").claims == claims
    edited = decide(store.cases.get("m000000000001"), Decision(action=Action.EDIT, changes={"claims": claims[:2]}))
    store.cases.apply([Change(store.cases.get("m000000000001"), edited, "edit")], "lin")
    assert store.cases.get("m000000000001").claims == claims[:2]


def test_the_queue_by_urgency(store: Store) -> None:
    """Risk, failed check, warning, rest; approved ones only where their source changed; it follows every change."""
    fail, warn = (CheckResult(name="quote", outcome=outcome) for outcome in (CheckOutcome.FAIL, CheckOutcome.WARN))
    kinds: dict[str, dict[str, Any]] = {
        "m000000000001": {},
        "m000000000002": {"checks": (warn,)},
        "m000000000003": {"checks": (warn, fail)},
        "m000000000004": {"risk": "refund"},
        "m000000000005": {"risk": "refund", "checks": (fail,)},
        "m000000000006": {"review_state": ReviewState.APPROVED},
        "m000000000007": {"review_state": ReviewState.APPROVED, "disabled_reason": DisabledReason.STALE_CHANGED},
        "m000000000008": {"review_state": ReviewState.APPROVED, "disabled_reason": DisabledReason.BY_HAND},
        "m000000000009": {"dataset": "other"},
    }
    store.cases.add([make.case(case_id, **kind) for case_id, kind in kinds.items()], "lin")
    waiting = store.cases.queue("main", [ReviewState.UNREVIEWED], [DisabledReason.STALE_CHANGED])
    groups = [sorted(int(case_id[1:]) for case_id in group) for group in waiting]
    assert groups == [[5], [4], [3], [2], [1, 7]]
    plain = store.cases.get("m000000000001")
    store.cases.apply([Change(plain, plain.replace(risk="privacy"), "edit")], "lin")
    approve(store, "m000000000003", "lin")
    later = store.cases.queue("main", [ReviewState.UNREVIEWED])
    assert [sorted(int(case_id[1:]) for case_id in group) for group in later] == [[5], [1, 4], [2]]
    assert store.cases.queue("empty", [ReviewState.UNREVIEWED]) == ()
