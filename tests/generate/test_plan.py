"""The plan never asks for more than the tightest target, is spread, and is the same every time."""

from hypothesis import given, settings
from hypothesis import strategies as st

from builder.generate.plan import estimate_tokens, plan
from builder.model.chunk import Chunk
from tests.generate.make import HANDBOOK, chunk


def corpus(documents: int = 4, chunks: int = 6) -> list[Chunk]:
    return [
        chunk(f"第 {n} 段。{d}", doc_id=f"d{d}.pdf", ordinal=n, section=(f"s{n // 2}",))
        for d in range(documents)
        for n in range(chunks)
    ]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_target_is_ever_passed(data: st.DataObject) -> None:
    chunks = corpus(data.draw(st.integers(1, 4)), data.draw(st.integers(1, 6)))
    ids = [c.chunk_id for c in chunks]
    per_chunk = data.draw(st.integers(1, 3))
    cases = data.draw(st.none() | st.integers(0, 30))
    limit = data.draw(st.none() | st.integers(0, 20))
    window = data.draw(st.integers(1, 4))
    have = data.draw(st.dictionaries(st.sampled_from(ids), st.integers(0, 4)))
    spent = frozenset(data.draw(st.sets(st.sampled_from(ids))))
    total = sum(have.values())
    made = plan(
        chunks,
        per_chunk=per_chunk,
        cases=cases,
        limit=limit,
        have=have,
        turns=dict.fromkeys(spent, 2),
        total_have=total,
        window=window,
    )
    asked_about = [chunk_id for call in made.calls for chunk_id in call.chunk_ids]
    needs = {i: max(0, per_chunk - have.get(i, 0)) for i in ids if i not in spent}
    assert len(asked_about) == len(set(asked_about)) and set(asked_about) <= {i for i, need in needs.items() if need}
    assert made.asked <= sum(needs.values())
    assert cases is None or made.asked <= max(0, cases - total)
    assert limit is None or len(asked_about) <= limit
    assert all(call.asked <= sum(needs[i] for i in call.chunk_ids) and call.asked > 0 for call in made.calls)
    assert all(len(call.chunk_ids) <= window for call in made.calls)
    assert made.review_seconds == 30 * made.asked
    if cases is None and limit is None:
        assert made.asked == sum(needs.values()) and made.bound_by == "per_chunk"


def test_spread_over_documents_then_sections() -> None:
    made = plan(corpus(), per_chunk=1, limit=8)
    documents = [call.chunk_ids[0].split("#")[0] for call in made.calls]
    assert sorted(documents[:4]) == sorted(documents[4:]) == ["d0.pdf", "d1.pdf", "d2.pdf", "d3.pdf"]
    sections = {c.chunk_id: c.section for c in corpus()}
    for name in set(documents):
        mine = [sections[call.chunk_ids[0]] for call in made.calls if call.chunk_ids[0].startswith(name)]
        assert len(set(mine)) == 2


def test_the_same_every_time_and_shuffled_by_the_seed() -> None:
    chunks = corpus()
    first = plan(chunks, per_chunk=2, limit=5, seed=1)
    assert first == plan(list(reversed(chunks)), per_chunk=2, limit=5, seed=1)
    orders = {repr(plan(chunks, per_chunk=2, limit=5, seed=seed).calls) for seed in range(6)}
    assert len(orders) > 1


def test_the_same_command_twice_makes_no_call() -> None:
    chunks = corpus()
    first = plan(chunks, per_chunk=2, limit=5, cases=7)
    have: dict[str, int] = {}
    for call in first.calls:
        have[call.chunk_ids[0]] = call.asked
    assert sum(have.values()) == 7 and first.bound_by == "cases"
    again = plan(chunks, per_chunk=2, limit=5, cases=7, have=have, total_have=7)
    assert again.calls == ()
    short = dict(list(have.items())[1:])
    total = sum(short.values())
    spent = dict.fromkeys(have, 2)
    assert plan(chunks, per_chunk=2, limit=len(have), have=short, turns=spent, total_have=total).calls == ()
    once = dict.fromkeys(have, 1)
    asked_again = plan(chunks, per_chunk=2, limit=len(have), have=short, turns=once, total_have=total).calls
    assert all(task.turn == 2 for task in asked_again)
    assert {task.chunk_ids[0] for task in asked_again} == {name for name in have if short.get(name, 0) < 2}


def test_the_tightest_target_is_named() -> None:
    chunks = corpus(2, 5)
    assert plan(chunks, per_chunk=2).bound_by == "per_chunk"
    assert plan(chunks, per_chunk=2, limit=3).bound_by == "limit"
    assert plan(chunks, per_chunk=2, limit=3, cases=5).bound_by == "cases"
    assert plan(chunks, per_chunk=2, limit=99, cases=999).bound_by == "per_chunk"


def test_a_window_holds_neighbours_of_one_document_and_language() -> None:
    chunks = [
        chunk(HANDBOOK if n == 2 else "中文一段。", doc_id=d, ordinal=n) for d in ("a", "b") for n in (0, 1, 2, 3, 5)
    ]
    calls = {call.chunk_ids: call.asked for call in plan(chunks, per_chunk=2, window=3).calls}
    assert sorted(map(len, calls)) == [1, 1, 1, 1, 1, 1, 2, 2] and max(calls.values()) == 4


def test_earlier_questions_go_along() -> None:
    one = chunk()
    made = plan([one], per_chunk=2, have={one.chunk_id: 1}, total_have=1, earlier={one.chunk_id: ["备件保修多久？"]})
    assert made.calls[0].asked == 1 and made.calls[0].earlier == ("备件保修多久？",)


def test_estimate() -> None:
    assert estimate_tokens("保修") == 2 and estimate_tokens("a" * 40) == 10 and estimate_tokens("") == 0
