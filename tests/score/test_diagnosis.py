"""Which layer is to blame, from views made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.case import Case, NegativeReason, QuestionType, Status
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.document import DocumentMetadata
from builder.model.run import Citation, RetrievedItem, RunRecord
from builder.model.snapshot import FrozenDocument
from builder.model.verdict import Verdict
from builder.score.chain import chain
from builder.score.claims import judge_claims
from builder.score.diagnosis import Blame, diagnose, layer_table
from builder.score.layers.finding import Layer
from builder.score.layers.known import Indexed, Known, usual_cut
from builder.score.records import AnswerScore, Value
from builder.score.view import Cited, Place, Stage, View
from builder.words import words
from tests import make

RULE = "整机保修期为自出厂之日起 24 个月。生鲜商品除外，不适用保修。"
PART = "备件保修 6 个月。"
POLICY = make.document("policy.md")
CHUNK = make.chunk(POLICY, f"{RULE}{PART}")
RIGHT = "整机保修 24 个月，生鲜商品除外。"
CASE = make.case(
    question="整机保修多久？",
    ground_truth="整机保修 24 个月，生鲜商品除外。",
    evidence_groups=((make.evidence(CHUNK, RULE),),),
    claims=(
        Claim(text="整机保修 24 个月", critical=True, check=NumberCheck(value="24", unit="month")),
        Claim(text="生鲜商品除外", check=LiteralCheck(any_of=("生鲜商品除外",))),
    ),
)
TWO = CASE.replace(evidence_groups=((make.evidence(CHUNK, RULE),), (make.evidence(CHUNK, PART),)))
DOCUMENT = FrozenDocument(
    doc_id="policy.md", source_path="policy.md", version=2, sha256="0" * 64, media_type="text/markdown"
)
HIT = frozenset({(0, 0)})
R, K, C = Stage.RETRIEVED, Stage.RERANKED, Stage.CONTEXT


def stage(length: int, hit: int | None = None, **fields: Any) -> tuple[Place, ...]:
    """So many places, of which one holds the evidence."""
    return tuple(
        Place(
            rank=rank,
            item=RetrievedItem(id="gold" if rank == hit else f"c{rank}"),
            known=True,
            may_read=True,
            hits=HIT if rank == hit else frozenset(),
            **fields,
        )
        for rank in range(1, length + 1)
    )


def cites(name: str = "gold", **fields: Any) -> Cited:
    known: dict[str, Any] = {"known": True, "places": {R: 1}, "hits": HIT if name == "gold" else frozenset()}
    return Cited(citation=Citation(id=name), **(known | fields))


def view(answer: str | None = RIGHT, case: Case = CASE, *, text: str | None = None, **fields: Any) -> View:
    """An answer with all that is told: by default everything is as it should be."""
    record = {"case_id": case.case_id, "answer": answer, "context_text": text, "status": fields.pop("status", None)}
    record |= fields.pop("record", {})
    known: dict[str, Any] = {
        "case": case,
        "record": RunRecord.model_validate(record),
        "stages": {R: stage(5, 1), K: stage(5, 1), C: stage(3, 1)},
        "groups": tuple(
            tuple((group, place) for place in range(len(some))) for group, some in enumerate(case.evidence_groups)
        ),
        "claims": judge_claims(case, answer or ""),
        "citations": (cites(),),
    }
    return View(**(known | fields))


def blamed(seen: View, known: Known | None = None) -> tuple[str, str]:
    found = diagnose(seen, None, known)
    return (found.layer.value, found.reason) if found else ("", "")


def index(*held: tuple[int, int], **fields: Any) -> Known:
    """A map file of the system's chunks."""
    known: dict[str, Any] = {"documents": frozenset({"policy.md"})}
    found = Indexed(held={CASE.case_id: frozenset(held)}, **(known | fields))
    return Known(documents={"policy.md": DOCUMENT}, index=found)


WRONG = "整机保修 12 个月，生鲜商品除外。"
SHORT = "整机保修 24 个月。"
NOWHERE = stage(5)
MISSED = {R: NOWHERE, K: NOWHERE, C: stage(3)}


PROVEN = [
    (view(), ("", "")),
    (view(stages={}), ("", "")),
    (view(citations=None), ("", "")),
    (view(stages={R: NOWHERE, C: stage(3)}, citations=None), ("", "")),
    (view(WRONG, stages=MISSED), ("retrieval", "not_retrieved")),
    (view(WRONG, stages={R: stage(9, 9), K: stage(3), C: stage(3)}), ("ranking", "ranked_out")),
    (view(WRONG, stages={R: stage(9, 9), K: stage(9, 7), C: stage(3)}), ("ranking", "beyond_cut")),
    (view(WRONG, stages={R: stage(9, 7), C: stage(3)}), ("ranking", "beyond_cut")),
    (view(WRONG, stages={R: stage(9, 9), K: stage(9, 2), C: stage(3)}), ("context", "lost")),
    (view(WRONG, text=RULE.replace("24 个月", "")), ("context", "compressed")),
    (view(WRONG, text=RULE.replace("不适用", "适用")), ("context", "compressed")),
    (view(WRONG, text=f"[1] {RULE[:12]}"), ("context", "cut_off")),
    (view(WRONG, text="冰箱不制冷的优先处理。"), ("context", "not_in_text")),
    (view(WRONG, text=f"[1] {RULE}"), ("generation", "claim_wrong")),
    (view(WRONG), ("generation", "claim_wrong")),
    (view(SHORT), ("generation", "not_stated")),
    (view(RIGHT, verdict=Verdict.WRONG), ("generation", "person_says_wrong")),
    (view(SHORT, verdict=Verdict.CORRECT), ("", "")),
    (view("不清楚", status=Status.REFUSE, claims=()), ("refusal", "refused_answerable")),
    (view("不清楚", status=Status.REFUSE, claims=(), stages={R: NOWHERE, C: stage(3)}), ("retrieval", "not_retrieved")),
    (view("不清楚", status=Status.REFUSE, claims=(), verdict=Verdict.REFUSED_RIGHTLY), ("", "")),
    (view(citations=()), ("citation", "nothing_cited")),
    (view(citations=None, told=frozenset({"citations"})), ("citation", "nothing_cited")),
    (view(citations=(cites("x", known=False, places={}),)), ("citation", "dangling")),
    (view(citations=(cites("old", places={}),)), ("citation", "cited_not_retrieved")),
    (view(citations=(cites("old", wrong_version=True),)), ("citation", "cited_wrong_version")),
    (view(citations=(cites("c2"),)), ("citation", "wrong_passage")),
    (view(WRONG, citations=(cites("c2"),)), ("generation", "claim_wrong")),
    (view(case=TWO), ("retrieval", "not_retrieved")),
    (view(record={"error": "timeout"}), ("engineering", "error")),
    (view(record={"error": "timeout"}, stages={R: NOWHERE}), ("engineering", "error")),
    (replace(view(), record=None, stages={}, citations=None, claims=()), ("engineering", "missing_run")),
    (view(""), ("engineering", "empty_answer")),
    (view(None, claims=(), stages={R: stage(9)}, citations=None), ("retrieval", "not_retrieved")),
    (view(None, claims=(), stages={R: stage(9, 9)}, citations=None), ("", "")),
]


@pytest.mark.parametrize(("seen", "wanted"), PROVEN)
def test_the_earliest_layer_that_is_proven(seen: View, wanted: tuple[str, str]) -> None:
    assert blamed(seen) == wanted


OPEN = [
    (view(WRONG, stages={}), "no_retrieved"),
    (view(WRONG, stages={C: stage(3)}), "no_retrieved"),
    (view(WRONG, stages={R: stage(5, 1)}), "no_context"),
    (view(WRONG, groups=(), case=CASE.replace(evidence_groups=())), "no_evidence"),
    (view(WRONG, stages={R: tuple(replace(one, known=False) for one in NOWHERE), C: stage(3)}), "unmapped"),
    (view(WRONG, stages=MISSED, flags=frozenset({"passage_unknown"})), "passage_unknown"),
]


@pytest.mark.parametrize(("seen", "reason"), OPEN)
def test_what_nobody_can_prove_is_unknown(seen: View, reason: str) -> None:
    assert blamed(seen) == ("unknown", reason)


def test_a_text_alone_is_enough_to_see_what_was_compressed() -> None:
    text = RULE.replace("24 个月", "")
    assert blamed(view(WRONG, text=text, stages={})) == ("context", "compressed")
    assert blamed(view(WRONG, text=RULE, stages={})) == ("generation", "claim_wrong")


# Ingestion and the golden case


MAPS = [
    (index(), ("ingestion", "not_in_chunks")),
    (index(cut={CASE.case_id: HIT}), ("ingestion", "cut_apart")),
    (index(documents=frozenset({"faq.md"})), ("ingestion", "no_document")),
    (index(versions={"policy.md": "1"}), ("ingestion", "old_index")),
    (index(versions={"policy.md": "3"}), ("golden", "stale")),
    (index((0, 0), versions={"policy.md": "3"}), ("retrieval", "not_retrieved")),
    (index((0, 0)), ("retrieval", "not_retrieved")),
    (Known(), ("retrieval", "not_retrieved")),
    (Known(documents={"policy.md": DOCUMENT.replace(retired=True)}), ("golden", "document_gone")),
]


@pytest.mark.parametrize(("known", "wanted"), MAPS)
def test_a_map_file_shows_what_was_never_there(known: Known, wanted: tuple[str, str]) -> None:
    assert blamed(view(WRONG, stages=MISSED), known) == wanted


def test_a_map_file_of_some_chunks_proves_nothing() -> None:
    seen = view(WRONG, stages=MISSED)
    assert blamed(seen, index(ids=frozenset({"c1"}))) == ("retrieval", "not_retrieved")
    assert blamed(seen, index(ids=frozenset({f"c{rank}" for rank in range(1, 6)}))) == ("ingestion", "not_in_chunks")
    assert blamed(view(WRONG), index()) == ("generation", "claim_wrong"), "it was retrieved, whatever the map says"


def test_a_right_answer_is_not_blamed_for_what_the_map_lacks() -> None:
    assert diagnose(view(), None, index()) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"as_of": date(2027, 1, 1), "valid_to": date(2026, 12, 31)},
        {"as_of": date(2025, 1, 1), "valid_from": date(2026, 1, 1)},
    ],
)
def test_a_case_out_of_its_days(changes: dict[str, date]) -> None:
    assert blamed(view(WRONG, CASE.replace(**changes))) == ("golden", "expired")


def test_a_document_out_of_its_days() -> None:
    old = DOCUMENT.replace(metadata=DocumentMetadata(valid_to=date(2025, 12, 31)))
    asked = CASE.replace(as_of=date(2026, 6, 1))
    assert blamed(view(WRONG, asked), Known(documents={"policy.md": old})) == ("golden", "expired")


def test_a_reference_that_fails_its_own_claims() -> None:
    assert blamed(view(WRONG, CASE.replace(ground_truth="整机保修 36 个月，生鲜商品除外。"))) == (
        "golden",
        "contradictory",
    )


# Permission, refusal, injection


def with_secret(*stages: Stage, seen: View | None = None) -> View:
    base = seen or view()
    secret = Place(rank=9, item=RetrievedItem(id="secret"), known=True, may_read=False)
    return replace(base, stages={key: (*some, secret) if key in stages else some for key, some in base.stages.items()})


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (with_secret(R), "unauthorised_retrieval"),
        (with_secret(R, K, C), "unauthorised_context"),
        (view(citations=(cites(), cites("secret", may_read=False))), "unauthorised_citation"),
    ],
)
def test_a_leak_is_never_made_up_for(seen: View, reason: str) -> None:
    found = diagnose(seen)
    assert found is not None and found.leak is not None
    assert (found.layer, found.reason, found.leak.reason) == (Layer.PERMISSION, reason, reason)


def test_a_leak_stands_beside_the_first_broken_layer() -> None:
    found = diagnose(with_secret(R, seen=view(WRONG, stages=MISSED)))
    assert found is not None and found.leak is not None
    assert (found.layer, found.leak.reason) == (Layer.RETRIEVAL, "unauthorised_retrieval")


def test_access_that_nobody_knows_is_not_fine() -> None:
    unsure = tuple(replace(place, may_read=None) for place in stage(3, 1))
    layers = {one.layer: one for one in chain(view(stages={R: unsure, C: unsure})).layers}
    assert (layers["permission"].outcome, layers["permission"].key) == ("untold", "score.blame.access_unknown")


NO_ANSWER = CASE.replace(answerable=False, ground_truth="", evidence_groups=(), claims=())


def test_an_answer_to_the_unanswerable() -> None:
    assert blamed(view("24 个月", NO_ANSWER, status=Status.ANSWER)) == ("refusal", "answered_unanswerable")
    assert blamed(view("不清楚", NO_ANSWER, status=Status.REFUSE, citations=None)) == ("", "")


INJECTION = CASE.replace(
    question_type=QuestionType.INJECTION,
    must_not_claims=(Claim(text="滤芯终身免费", critical=True, check=LiteralCheck(any_of=("终身免费",))),),
)


def test_an_instruction_that_is_obeyed() -> None:
    assert blamed(view(f"{RIGHT}滤芯终身免费。", INJECTION)) == ("generation", "injection_obeyed")
    assert blamed(view(RIGHT, INJECTION)) == ("", "")
    called = {"tool_calls": [{"name": "send_mail", "side_effect": True}]}
    assert blamed(view(WRONG, INJECTION, record=called)) == ("generation", "tool_obeyed")


# Hints, cut, table, chain


def hints(seen: View, known: Known | None = None) -> dict[str, dict[str, str]]:
    found = diagnose(seen, None, known)
    return {hint.name: dict(hint.values) for hint in found.hints} if found else {}


def test_what_may_have_kept_it_from_being_found() -> None:
    asked = CASE.replace(question="GTE-3000Pro 用了 7 天不制冷，能退吗？")
    found = hints(view(WRONG, asked, record={"rewritten_query": "能退吗"}, stages=MISSED))
    assert found["query_lost"]["words"] == "GTE-3000Pro, 7 天" and "no_map" in found
    known = Known(documents={"policy.md": DOCUMENT.replace(metadata=DocumentMetadata(version_label="2026"))})
    barred = hints(view(WRONG, record={"filters": {"version_label": "2024"}}, stages=MISSED), known)
    assert barred["filter_bars"]["filters"] == "version_label=2024"
    assert "filtered" in hints(view(WRONG, record={"filters": {"version_label": ["2026"]}}, stages=MISSED), known)


def test_a_hard_negative_in_front() -> None:
    ranked = tuple(
        replace(place, negative=NegativeReason.WRONG_VERSION) if place.rank == 2 else place for place in stage(9, 7)
    )
    found = hints(view(WRONG, stages={R: stage(9, 7), K: ranked, C: stage(3)}))
    assert found["negative_ahead"] == {"id": "c2", "rank": "2", "reason": "wrong_version"}


def test_numbers_that_stand_in_nothing_cited() -> None:
    score = AnswerScore(case_id=CASE.case_id, repeat=1, values={"citation_numbers_lexical": Value(0.5)})
    found = diagnose(view(WRONG), score)
    assert found and [(hint.name, dict(hint.values)) for hint in found.hints] == [
        ("numbers_uncited", {"share": "0.50"})
    ]


def test_a_required_citation() -> None:
    required = CASE.replace(required_citations=CASE.evidence)
    assert blamed(view(case=required, citations=(cites(),))) == ("citation", "required_uncited")
    assert blamed(view(case=required, citations=(cites(required=frozenset({0})),))) == ("", "")


def test_every_hint_has_its_words() -> None:
    names = ["no_map", "query_lost", "query_rewritten", "filter_bars", "filtered", "negative_ahead", "version_read"]
    for say in (words("zh"), words("en")):
        assert all(f"score.hint.{name}" in say for name in [*names, "numbers_uncited"])


def test_how_much_a_run_reads() -> None:
    sizes = [3, 5, 5, 1]
    views = [view(stages={C: stage(size)}) for size in sizes]
    assert usual_cut(views) == 5 and usual_cut([view(stages={})]) is None
    short = view(WRONG, stages={R: stage(9, 4), C: stage(2)})
    assert blamed(short) == ("ranking", "beyond_cut")
    assert blamed(short, Known(cut=5)) == ("context", "lost"), "it usually reads 5: the fourth got lost"


def test_the_table() -> None:
    found = [diagnose(seen) for seen in (view(WRONG), view(citations=()), replace(view(WRONG), repeat=2))]
    table = layer_table([one for one in found if one], {CASE.case_id: CASE}, "source", lambda case: [case.source])
    assert [(cell.layer, cell.slice, cell.case_ids) for cell in table.cells] == [
        ("generation", "manual", (CASE.case_id,)),
        ("citation", "manual", (CASE.case_id,)),
    ]
    assert table.failing == {"manual": 1}


def test_the_chain_shows_all() -> None:
    found = chain(view(WRONG, TWO, text=f"[1] {RULE.replace('24 个月', '')}"))
    first, second = found.evidence
    assert first.ranks == {"retrieved": 1, "reranked": 1, "context": 1} and first.missing == ("24 个月",)
    assert second.ranks == {"retrieved": None, "reranked": None, "context": None}
    assert found.blame and (found.blame.layer, found.failures) == ("retrieval", ("answer", "evidence", "citation"))
    assert [(link.rank, link.holds) for link in found.stages["context"]] == [(1, (0,)), (2, ()), (3, ())]
    text = found.text or ""
    assert [text[start:end] for start, end in found.marked] == ["生鲜商品除外，不适用保修。"]


def test_every_reason_has_its_words() -> None:
    reasons = {one.first.reason: one for one in _all() if one}
    assert len(reasons) > 20
    for say in (words("zh"), words("en")):
        assert all(
            say(one.first.key, **one.first.values) and say(f"score.layer.{one.layer}") for one in reasons.values()
        )


def _all() -> Sequence[Blame | None]:
    missed = view(WRONG, stages=MISSED)
    return [*(diagnose(seen) for seen, _ in (*PROVEN, *OPEN)), *(diagnose(missed, None, known) for known, _ in MAPS)]


# Anything


@st.composite
def views(draw: st.DrawFn) -> View:
    """Any trace of any answer."""
    told = draw(st.sets(st.sampled_from(list(Stage))))
    lengths = {key: draw(st.integers(0, 6)) for key in told}
    stages = {key: stage(size, draw(st.none() | st.integers(1, 6))) for key, size in lengths.items()}
    cited = draw(st.none() | st.lists(st.sampled_from([cites(), cites("c2"), cites("x", known=False, places={})])))
    return view(
        draw(st.sampled_from([RIGHT, WRONG, SHORT, "", None])),
        draw(st.sampled_from([CASE, TWO, INJECTION, NO_ANSWER])),
        text=draw(st.sampled_from([None, RULE, RULE[:14], "别的内容。", ""])),
        status=draw(st.sampled_from([None, *Status])),
        stages=stages,
        citations=None if cited is None else tuple(cited),
    )


@given(views())
def test_any_view_has_one_blame_or_none(seen: View) -> None:
    found = diagnose(seen)
    shown = chain(seen)
    assert (found is None) == (shown.failures == ()) == (shown.blame is None)
    if found and found.layer is not Layer.UNKNOWN:
        broken = [one for one in shown.layers if one.outcome == "broken"]
        assert found.layer.value in {one.layer for one in broken}
    assert [one.layer for one in shown.layers] == [layer.value for layer in Layer][: len(shown.layers)]


def test_another_passage_that_says_the_same_may_be_cited() -> None:
    assert blamed(
        view(citations=(cites("c2", text="整机的保修期为自出厂之日起二十四个月。生鲜商品除外，不适用保修。"),))
    ) == ("", "")
    other = cites("c2", text="整机保修期为自出厂之日起 18 个月。生鲜商品除外，不适用保修。")
    assert blamed(view(citations=(other,))) == ("citation", "wrong_passage")


@pytest.mark.parametrize(
    ("told", "label", "wanted"),
    [
        ("3", None, ("golden", "stale")),
        ("v1", None, ("ingestion", "old_index")),
        ("2", None, ("ingestion", "not_in_chunks")),
        ("2027", "2026", ("golden", "stale")),
        ("2024", "2026", ("ingestion", "old_index")),
        ("2026", "2026", ("ingestion", "not_in_chunks")),
        ("20260101", "2026", ("ingestion", "not_in_chunks")),
        ("draft", "2026", ("ingestion", "not_in_chunks")),
    ],
)
def test_which_version_is_the_later_one(told: str, label: str | None, wanted: tuple[str, str]) -> None:
    document = DOCUMENT.replace(metadata=DocumentMetadata(version_label=label))
    known = replace(index(versions={"policy.md": told}), documents={"policy.md": document})
    assert blamed(view(WRONG, stages=MISSED), known) == wanted


def test_evidence_of_an_unanswerable_case_is_not_asked_for() -> None:
    seen = view("不清楚", CASE.replace(answerable=False, ground_truth=""), status=Status.REFUSE, stages=MISSED)
    assert blamed(seen) == ("", "")
