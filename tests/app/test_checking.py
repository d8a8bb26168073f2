"""Checks over what the store knows: duplicates of a whole dataset, and the corpus where there is one."""

from pathlib import Path

from builder.app.checking import checked, corpus_of, note_duplicates
from builder.app.people import PROGRAM
from builder.app.workspace import init
from builder.model.case import Case, CheckOutcome, RejectReason, ReviewState, Source
from builder.search import open_search
from builder.store import Store, open_store
from builder.store.cases import Change
from tests.make import chunk, document, evidence, page, reading

QUESTIONS = ("退款几天到账？", "退款幾天到賬", "退款多久能到账呢？", "换货要带发票吗？")
ANSWERS = ("7 天。", "七天。", "30 天。", "要。")


def _cases() -> list[Case]:
    return [
        Case(
            case_id=f"g{number:012x}",
            question=question,
            ground_truth=answer,
            source=Source.GENERATED,
            review_state=ReviewState.UNREVIEWED,
        )
        for number, (question, answer) in enumerate(zip(QUESTIONS, ANSWERS, strict=True), 1)
    ]


def _verdicts(store: Store) -> dict[str, tuple[CheckOutcome, str, str]]:
    return {
        one.case_id[-1]: (found.outcome, found.detail, found.values.get("case", "")[-1:])
        for one in store.cases.list("main")
        for found in one.checks
        if found.name == "duplicate"
    }


def test_both_sides_are_told_once_whatever_came_first(tmp_path: Path) -> None:
    told = []
    for name, cases in (("a", _cases()), ("b", _cases()[::-1])):
        with open_store(f"sqlite:///{tmp_path / name}.db") as store:
            store.cases.add(cases, PROGRAM)
            assert note_duplicates(store, "main") == 3
            told.append(_verdicts(store))
            assert note_duplicates(store, "main") == 0
            assert store.cases.get("g000000000004").revision == 1, "nothing to say of it"
            last = store.cases.history("g000000000001")[-1]
            assert (last.who, last.action, list(last.after)) == (PROGRAM, "check", ["checks"])
            acts = {store.cases.history(f"g00000000000{number}")[-1].act for number in (1, 2, 3)}
            assert len(acts) == 1
    assert told[0] == told[1]
    assert told[0]["1"] == (CheckOutcome.WARN, "duplicate", "2")
    assert told[0]["2"] == (CheckOutcome.WARN, "duplicate", "1")
    assert told[0]["3"][:2] == (CheckOutcome.FAIL, "contradicts")


def test_a_warning_goes_with_its_reason_and_people_are_left_alone(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'a'}.db") as store:
        store.cases.add(_cases()[:2], PROGRAM)
        assert note_duplicates(store, "main") == 2
        before = store.cases.get("g000000000002")
        gone = before.replace(review_state=ReviewState.REJECTED, reject_reason=RejectReason.DUPLICATE)
        store.cases.apply([Change(before, gone, "reject")], "Ann")
        assert note_duplicates(store, "main") == 1
        assert _verdicts(store)["1"] == (CheckOutcome.PASS, "", "")
        assert _verdicts(store)["2"] == (CheckOutcome.WARN, "duplicate", "1"), "decided: left as it was"
        assert note_duplicates(store, "main") == 0


def test_the_whole_corpus_is_asked_where_there_is_an_index(tmp_path: Path) -> None:
    workspace, _ = init(tmp_path)
    texts = ("备件保修 6 个月，自更换之日起计算。", "备件更换后保修六个月。")
    with open_store(workspace.store_url) as store:
        assert corpus_of(workspace, store) is None
        chunks = []
        for name, text in zip(("a.md", "b.md"), texts, strict=True):
            of = document(name)
            store.documents.save_reading(of, reading(of), [page(text)])
            chunks.append(chunk(of, text))
            store.documents.replace_chunks(of, chunks[-1:])
        one = _cases()[0].replace(
            question="换过的备件保修多长时间？",
            ground_truth="六个月。",
            evidence_groups=((evidence(chunks[0], texts[0]),),),
        )
        assert "siblings" not in {row.name for row in checked(store, one).checks}
        open_search(workspace.search_folder, [(row.chunk_id, row.text) for row in chunks])
        corpus = corpus_of(workspace, store)
        assert corpus is not None
        found = {row.name: row.detail for row in checked(store, one, corpus).checks}
        assert found["siblings"] == "sibling_found"
        assert "duplicate" not in found


def test_what_was_said_of_duplicates_stays_when_a_case_is_checked_again(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'a'}.db") as store:
        store.cases.add(_cases()[:2], PROGRAM)
        note_duplicates(store, "main")
        again = checked(store, store.cases.get("g000000000001"))
        assert [row.detail for row in again.checks if row.name == "duplicate"] == ["duplicate"]
