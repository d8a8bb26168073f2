"""Verdicts in the store: append-only, and without any case."""

from datetime import UTC, datetime

from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict
from builder.store import Store, open_store


def line(number: int, run: str = "base") -> AnswerVerdict:
    return AnswerVerdict(
        id=f"v{number}",
        run=run,
        case_id="nowhere",
        repeat=2,
        verdict=Verdict.WRONG,
        claims=(ClaimVerdict(index=1, must_not=True, text="免费", verdict=Judgement.WRONG),),
        note="不对",
        who="lin",
        at=datetime(2026, 3, 1, 8, 30, tzinfo=UTC),
        answer_hash="a",
        case_hash="c",
    )


def test_round_trip_in_the_order_of_writing(store: Store) -> None:
    undo = AnswerVerdict(id="v0", run="base", case_id="nowhere", who="lin", at=datetime.now(UTC), undoes="v9")
    assert store.verdicts.add([line(9), undo]) == (line(9), undo)
    store.verdicts.add([line(3, "other")])
    assert store.verdicts.of_run("base") == (line(9), undo)
    assert store.verdicts.of_run("nobody") == ()


def test_a_known_line_is_left_as_it_is(store: Store) -> None:
    store.verdicts.add([line(1)])
    assert store.verdicts.add([line(1).replace(note="anders"), line(2), line(2)]) == (line(2),)
    assert store.verdicts.of_run("base") == (line(1), line(2))


def test_a_store_made_before_has_the_table_too(url: str) -> None:
    import sqlalchemy as sa

    open_store(url).close()
    engine = sa.create_engine(url)
    with engine.begin() as tx:
        tx.execute(sa.text("DROP TABLE verdicts"))
    engine.dispose()
    with open_store(url) as found:
        assert found.verdicts.add([line(1)]) == (line(1),)
