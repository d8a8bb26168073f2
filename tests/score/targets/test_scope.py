"""What a run was to ask: asked once by the runner, once more by scoring, with one answer."""

from builder.model.case import Split
from builder.model.run import RunHeader
from builder.score.scope import cases_of, in_scope
from tests import make

CASES = [
    make.case(f"m{number:012x}", split=Split.TEST if number % 3 == 0 else Split.DEV if number % 3 == 1 else None)
    for number in range(30)
]


def test_splits_choose_and_no_split_is_in_none() -> None:
    assert len(in_scope(CASES)) == 30
    assert {case.split for case in in_scope(CASES, splits=(Split.TEST,))} == {Split.TEST}
    assert len(in_scope(CASES, splits=(Split.TEST, Split.DEV))) == 20
    assert in_scope(CASES, splits=(Split.CHALLENGE,)) == ()


def test_a_limit_draws_by_the_seed_whatever_the_order() -> None:
    few, more = in_scope(CASES, limit=5, seed=1), in_scope(list(reversed(CASES)), limit=9, seed=1)
    assert len(few) == 5 and {case.case_id for case in few} < {case.case_id for case in more}
    assert in_scope(CASES, limit=5, seed=1) != in_scope(CASES, limit=5, seed=2)
    assert [case.case_id for case in few] == sorted(case.case_id for case in few)
    assert len(in_scope(CASES, limit=99)) == 30


def test_the_header_says_the_same() -> None:
    header = RunHeader(snapshot="v1", splits=(Split.TEST,), limit=4, seed=3)
    assert cases_of(header, CASES) == in_scope(CASES, splits=(Split.TEST,), limit=4, seed=3)
    assert len(cases_of(RunHeader(snapshot="v1"), CASES)) == 30
