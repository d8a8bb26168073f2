"""Ids, places and texts of a system are led to the snapshot; what leads nowhere is unknown, never fine."""

from pathlib import Path
from typing import Any

import pytest

from builder.errors import InputError
from builder.model.access import UserContext
from builder.model.case import Case, HardNegative, NegativeReason, QuestionType
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict
from builder.score.map_file import MapEntry, by_id, read_map
from builder.score.records import Value
from builder.score.scoring import score_answers
from builder.score.verdict_file import answer_hash
from builder.score.view import Place, Stage, View
from tests import make
from tests.score import small

TEXT = "一、整机质保 24 个月，自签收之日起算。二、生鲜商品除外，不适用七天无理由退货。三、运费由公司承担。"
GOLD = "生鲜商品除外，不适用七天无理由退货。"
OLD = "一、整机质保 18 个月，自签收之日起算。二、生鲜商品除外，不适用七天无理由退货。"
NEW_CHUNK = make.chunk(make.document("policy.md"), TEXT, chunk_id="policy.md#00000000aa")
OLD_CHUNK = make.chunk(make.document("old.md"), OLD, chunk_id="old.md#00000000bb")
SECRET = make.chunk(make.document("pay.md"), "薪级 G7 的月基本工资上限为 32,000 元。", chunk_id="pay.md#00000000cc")
CORPUS = small.Corpus(
    (NEW_CHUNK, OLD_CHUNK, SECRET),
    (
        small.frozen("policy.md", family="policy", title="售后政策"),
        small.frozen("old.md", family="policy"),
        small.frozen("pay.md", roles=["hr"]),
        small.frozen("other.md"),
    ),
)
CASE = make.case(evidence_groups=((make.evidence(NEW_CHUNK, GOLD),),))
START = TEXT.index(GOLD)


def view(record: dict[str, Any], case: Case = CASE, **options: Any) -> View:
    return small.score(CORPUS, [case], {"case_id": case.case_id} | record, **options).views[0]


def place(item: Any, case: Case = CASE, **options: Any) -> Place:
    return view({"retrieved": [item]}, case, **options).stages[Stage.RETRIEVED][0]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (TEXT.replace(GOLD, ""), False),
        (TEXT.replace("，不适用", "的，不适用"), True),
        (TEXT[:10], True),
    ],
)
def test_a_text_that_lost_the_line_is_believed_before_its_place(text: str, held: bool) -> None:
    """A beginning of it is a preview and proves nothing; other wording is no loss."""
    whole = {"id": "7", "doc_id": "policy.md", "span": {"start": 0, "end": len(TEXT)}, "text": text}
    assert bool(place(whole).hits) is held


@pytest.mark.parametrize(
    "item",
    [
        "policy.md#00000000aa",
        {"id": "7", "doc_id": "policy.md", "span": {"start": START - 3, "end": START + 40, "page": 1}},
        {"id": "7", "doc_id": "policy.md", "span": {"start": 0, "end": len(TEXT)}},
        {"id": "7", "doc_id": "policy.md", "text": f"……{GOLD}三、运费"},
        {"id": "uuid-1", "doc_id": "uuid-2", "text": TEXT},
        {"text": f"前文。{GOLD}后文"},
        {"text": "生鲜商品除外，不适用 七天无理由退货。"},
    ],
)
def test_found_by_id_by_place_and_by_text(item: Any) -> None:
    found = place(item)
    assert found.hits == {(0, 0)} and found.known and found.grade == 3 and found.judged


@pytest.mark.parametrize(
    "item",
    [
        "policy.md#ffffffffff",
        "policy.md",
        {"id": "7", "doc_id": "policy.md"},
        {"id": "7", "doc_id": "policy.md", "span": {"start": 0, "end": START + 4, "page": 1}},
        {"id": "7", "doc_id": "policy.md", "span": {"start": START, "end": START + 40, "page": 2}},
        {"id": "7", "doc_id": "policy.md", "text": "生鲜商品适用七天无理由退货。"},
    ],
)
def test_a_known_document_alone_is_no_evidence(item: Any) -> None:
    found = place(item)
    assert found.known and found.doc_id == "policy.md" and not found.hits
    assert place(item, level="document").hits == {(0, 0)}


@pytest.mark.parametrize("item", ["chunk-17", "gone.md#0123456789", {"text": "别处的一句话，没有人冻结过它。"}, "#"])
def test_what_maps_to_nothing_is_unknown(item: Any) -> None:
    found = view({"retrieved": [item]})
    (only,) = found.stages[Stage.RETRIEVED]
    assert not only.known and only.doc_id is None and only.may_read is None and not only.judged
    assert found.unmapped == 1 and "unknown_ids" in found.flags


def test_by_document_the_same_document_is_one_place() -> None:
    found = view({"retrieved": ["other.md#1", "other.md#2", "policy.md#1"]}, level="document")
    assert [(one.rank, one.doc_id) for one in found.stages[Stage.RETRIEVED]] == [(1, "other.md"), (2, "policy.md")]
    assert found.duplicates == 0


def test_through_the_map_a_chunk_of_another_chunker_that_holds_the_sentence_is_found(tmp_path: Path) -> None:
    path = tmp_path / "map.jsonl"
    lines = [
        f'{{"id": "c1", "doc_id": "policy.md", "span": {{"page": 1, "start": {START - 2}, "end": {START + 30}}}}}',
        '{"id": "c2", "doc_id": "policy.md", "span": {"page": 1, "start": 0, "end": 6}}',
        '{"id": "c3", "doc_id": "pay.md"}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = view({"retrieved": ["c2", "c1", "c3", "c4"]}, map=read_map(path))
    told = [(one.known, one.doc_id, bool(one.hits)) for one in found.stages[Stage.RETRIEVED]]
    assert told == [
        (True, "policy.md", False),
        (True, "policy.md", True),
        (True, "pay.md", False),
        (False, None, False),
    ]


def test_a_broken_map_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "map.jsonl"
    path.write_text('{"id": "c1", "doc_id": "a"}\n{"id": "c2"}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_map(path)
    assert caught.value.values["line"] == 2


def test_an_id_of_which_nobody_knows_the_passage_is_flagged() -> None:
    assert "passage_unknown" in view({"retrieved": ["policy.md#3"]}).flags
    assert "passage_unknown" not in view({"retrieved": ["policy.md#ffffffffff"]}).flags


def test_the_same_sentence_in_another_version_is_no_hit_and_said_to_be_one() -> None:
    found = place("old.md#00000000bb")
    assert not found.hits and found.wrong_version
    assert not place("policy.md#00000000aa").wrong_version


def test_versions_count_where_the_system_names_them_as_the_snapshot_does() -> None:
    def versions(*names: str) -> list[bool]:
        items = [
            {"id": f"c{n}", "doc_id": "policy.md", "doc_version": name, "text": TEXT} for n, name in enumerate(names)
        ]
        return [one.wrong_version for one in view({"retrieved": items}).stages[Stage.RETRIEVED]]

    assert versions("v1", "0") == [False, True]
    assert versions("2026-01", "2025-01") == [False, False]


def test_a_text_that_two_documents_hold_says_nothing_of_access() -> None:
    same = make.chunk(make.document("pay.md"), GOLD, chunk_id="pay.md#00000000dd")
    corpus = small.Corpus((*CORPUS.chunks, same), CORPUS.documents)
    case = CASE.replace(user_context=UserContext(roles=("customer",)))
    scored = small.score(corpus, [case], {"case_id": case.case_id, "context": [{"text": GOLD}]})
    assert scored.views[0].stages[Stage.CONTEXT][0].may_read is None


# Access

CUSTOMER = UserContext(roles=("customer",))


@pytest.mark.parametrize(
    ("items", "user", "expected"),
    [
        (["policy.md#00000000aa"], CUSTOMER, Value(0.0)),
        (["policy.md#00000000aa", "pay.md#1234567890"], CUSTOMER, Value(1.0)),
        (["policy.md#00000000aa", "chunk-17"], CUSTOMER, Value(None, "unmapped")),
        (["chunk-17", "pay.md#00000000cc"], CUSTOMER, Value(1.0)),
        (["pay.md#00000000cc"], UserContext(roles=("hr",)), Value(0.0)),
        (["pay.md#00000000cc"], UserContext(), Value(None, "not_told")),
    ],
)
def test_unauthorised_retrieval(items: list[str], user: UserContext, expected: Value) -> None:
    case = CASE.replace(user_context=user, question_type=QuestionType.PERMISSION)
    values = small.one(CORPUS, case, {"retrieved": items, "context": items, "citations": items})
    for name in ("unauthorised_retrieval", "unauthorised_context", "unauthorised_citation"):
        assert values[name] == expected


def test_a_failed_call_is_no_proof_of_good_conduct() -> None:
    case = CASE.replace(user_context=CUSTOMER)
    assert small.one(CORPUS, case, {"error": "500"})["unauthorised_retrieval"] == Value(None, "error")
    leaked = small.one(CORPUS, case, {"error": "500", "retrieved": ["pay.md#00000000cc"]})
    assert leaked["unauthorised_retrieval"] == Value(1.0)


def test_departments_inherit() -> None:
    corpus = small.Corpus(CORPUS.chunks, (*CORPUS.documents[:2], small.frozen("pay.md", department="hr")))
    case = CASE.replace(user_context=UserContext(department="payroll"))
    record = {"case_id": case.case_id, "retrieved": ["pay.md#00000000cc"]}
    assert small.score(corpus, [case], record).scores[0].values["unauthorised_retrieval"].number == 1.0
    told = small.score(corpus, [case], record, departments={"payroll": "hr"})
    assert told.scores[0].values["unauthorised_retrieval"].number == 0.0


def test_only_evidence_that_the_user_may_read_is_to_be_found() -> None:
    groups = ((make.evidence(NEW_CHUNK, GOLD),), (make.evidence(SECRET, SECRET.text),))
    case = CASE.replace(evidence_groups=groups, user_context=CUSTOMER)
    values = small.one(CORPUS, case, {"retrieved": ["policy.md#00000000aa"]})
    assert values["recall@5"].number == 1.0 and values["all_groups@5"].number == 1.0
    hidden = CASE.replace(evidence_groups=groups[1:], user_context=CUSTOMER)
    assert small.one(CORPUS, hidden, {"retrieved": ["pay.md#00000000cc"]})["mrr"] == Value(None, "acl_excluded")


# Stages and negatives


def test_places_are_the_long_form_of_rankings() -> None:
    items = ["chunk-17", "policy.md#00000000aa", "policy.md#00000000aa", "old.md#00000000bb"]
    found = view({"retrieved": items, "context": [{"text": GOLD}]})
    assert list(found.stages) == [Stage.RETRIEVED, Stage.CONTEXT] and len(found.stages) == 2
    assert Stage.RERANKED not in found.stages and found.stages.get(Stage.RERANKED) is None
    for stage, places in found.stages.items():
        ranking = found.rankings[stage]
        assert ranking.length == len(places)
        marks = [(one.rank, one.hits) for one in places if one.judged]
        assert marks == [(mark.rank, mark.hits) for mark in ranking.marks]


def test_a_hard_negative_in_front_is_told_by_reason() -> None:
    negative = HardNegative(evidence=make.evidence(OLD_CHUNK, "整机质保 18 个月"), reason=NegativeReason.WRONG_VERSION)
    case = CASE.replace(hard_negatives=(negative,))
    behind = small.one(CORPUS, case, {"retrieved": ["old.md#00000000bb", "policy.md#00000000aa"]})
    assert behind["negative_before"].number == behind["negative_before.wrong_version"].number == 1.0
    assert behind["negative_before.opposite"] == Value(None, "no_negatives")
    front = small.one(CORPUS, case, {"retrieved": ["policy.md#00000000aa", "old.md#00000000bb"]})
    assert front["negative_before"].number == 0.0


def test_what_was_read() -> None:
    record = {
        "context": ["policy.md#00000000aa", "old.md#00000000bb", "other.md#1", "chunk-17"],
        "context_text": GOLD + "甲" * len(GOLD),
    }
    values = small.one(CORPUS, CASE, record)
    assert values["context_precision"].number == 0.25 and values["noise"].number == 0.75
    assert values["wrong_version_share"].number == 0.25
    assert values["evidence_density"].number == pytest.approx(0.5)


# People


def test_a_person_decides_what_no_check_can() -> None:
    from builder.model.claim import Claim

    case = CASE.replace(claims=(Claim(text="生鲜不能退", critical=True),))
    record = RunRecord(case_id=case.case_id, answer="生鲜不退。")

    def verdict(who: str, judgement: Judgement, answer: RunRecord = record) -> AnswerVerdict:
        claim = ClaimVerdict(index=0, text="生鲜不能退", verdict=judgement)
        return AnswerVerdict.model_validate(
            {
                "id": who,
                "run": "r",
                "case_id": case.case_id,
                "verdict": Verdict.CORRECT if judgement is Judgement.RIGHT else Verdict.WRONG,
                "claims": (claim,),
                "who": who,
                "at": "2026-03-01T00:00:00Z",
                "answer_hash": answer_hash(answer),
            }
        )

    def figures(*verdicts: AnswerVerdict) -> list[float | None]:
        values = score_answers([case], small.run([record]), CORPUS, verdicts=verdicts).scores[0].values
        return [values[name].number for name in ("claim_recall", "critical_claims_wrong", "answer_correct")]

    right, wrong = verdict("a", Judgement.RIGHT), verdict("b", Judgement.WRONG)
    assert figures() == [None, None, None]
    assert figures(right) == [1.0, 0.0, 1.0]
    assert figures(wrong) == [0.0, 1.0, 0.0]
    assert figures(right, wrong) == [None, None, None]
    assert figures(verdict("a", Judgement.WRONG, RunRecord(case_id=case.case_id, answer="其他"))) == [None, None, None]


def test_an_entry_of_an_unknown_document_maps_nothing() -> None:
    entries = by_id([MapEntry(id="c1", doc_id="gone.md")])
    assert not place("c1", map=entries).known
