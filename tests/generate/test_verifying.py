"""Verification: what is sent, what is read, which verdict it gives; over a real server, zh and en."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from builder.generate.agreement import agree
from builder.generate.evidence import evidence_at
from builder.generate.given import read_answer
from builder.generate.material import Material
from builder.generate.run import run
from builder.generate.tasks import call_of, outcome_of
from builder.generate.verifying import content_of, tasks_for
from builder.generate.writer import WriterOptions, open_writer
from builder.llm.endpoint import Endpoint
from builder.llm.retry import RetryPolicy
from builder.model.attempt import Purpose, Reply, Task
from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, Provenance, QuestionType, Source, Status, Turn
from builder.model.chunk import Chunk
from builder.progress import Silent
from builder.words import words
from tests import make
from tests.generate.journal import MemoryJournal
from tests.generate.make import HANDBOOK, WARRANTY, chunk, material
from tests.servers.openai_server import KEY, Kind, OpenAIServer
from tests.servers.verify_replies import DIALECTS, Dialect, Knows, cut, plain, verifier

SETS = Path(__file__).parents[1] / "checks" / "sets"
PRICES = "单笔重复扣款超过 5000 元的，由财务主管复核。财务主管每周二办公。"
ZH = chunk(WARRANTY)
EN = chunk(HANDBOOK, doc_id="handbook.pdf", ordinal=1)
TWO = chunk(PRICES, doc_id="fees.pdf", ordinal=2)
MADE = Provenance(writer="openai", model="scripted", prompt_hash="p", request_hash="r", position=0)

WHAT_ZH = "备件换上以后保修多久？"
WHAT_EN = "How long after a trip may claims be filed?"


def quote(of: Chunk, text: str) -> Evidence:
    at = of.text.index(text)
    return evidence_at(of, at, at + len(text))


def generated(number: int, question: str, answer: str, *groups: tuple[Evidence, ...], **more: object) -> Case:
    made = make.case(f"g{number:012x}", source=Source.GENERATED, question=question, ground_truth=answer or "-")
    return made.replace(**({"ground_truth": answer, "evidence_groups": groups} | more))


def zh(**more: object) -> Case:
    return generated(1, WHAT_ZH, "6 个月，自更换之日起计算。", (quote(ZH, "备件保修 6 个月"),)).replace(**more)


def en(**more: object) -> Case:
    return generated(2, WHAT_EN, "Within 30 days.", (quote(EN, "within 30 days after the trip"),)).replace(**more)


def hop(**more: object) -> Case:
    groups = ((quote(TWO, "单笔重复扣款超过 5000 元的，由财务主管复核"),), (quote(TWO, "财务主管每周二办公"),))
    return generated(3, "6000 元的重复扣款，复核人哪天办公？", "每周二。", *groups).replace(**more)


def about(*cases: Case) -> Material:
    return material([ZH, EN, TWO], cases={case.case_id: case for case in cases})


def verified(kind: Kind, *cases: Case, purposes: Sequence[Purpose] = tuple(Purpose)) -> dict[str, list[CheckResult]]:
    """The verdicts on each case, after a run over the server."""
    known = about(*cases)
    tasks = [task for case in cases for task in tasks_for(case, known) if task.purpose in purposes]
    journal = MemoryJournal(cases=dict(known.cases))
    with OpenAIServer(kind) as server:
        place = Endpoint(base_url=server.base_url, model="scripted", api_key=KEY, timeout=10.0)
        writer = open_writer("openai", WriterOptions(endpoint=place, retry=RetryPolicy(tries=1)))
        calls = (call_of(task, known) for task in tasks)
        read = partial(outcome_of, material=known)
        asyncio.run(run(calls, writer, journal, read, dataset="main", concurrency=2, progress=Silent()))
    return {case_id: list(case.checks) for case_id, case in journal.cases.items()}


def told(verdict: CheckResult) -> tuple[str, str, str]:
    return verdict.name, verdict.outcome.value, verdict.detail


RIGHT = {
    WHAT_ZH: Knows("自更换那天起六个月", ["备件保修 6 个月"]),
    WHAT_EN: Knows("30 days after the trip at the latest", ["within 30 days"]),
}


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_a_right_answer_from_the_evidence_passes_in_every_dialect(dialect: Dialect) -> None:
    found = verified(verifier(RIGHT, dialect), zh(), en())
    assert [told(verdict) for row in found.values() for verdict in sorted(row, key=lambda v: v.name)] == [
        ("closed_book", "pass", ""),
        ("verify", "pass", ""),
    ] * 2


@pytest.mark.parametrize(
    ("answer_zh", "answer_en", "outcome", "detail"),
    [
        ("3 个月", "Within 60 days.", "fail", "verify_differs"),
        ("自签收之日起计算", "In the portal.", "warn", "verify_undecided"),
        ("", "", "warn", "verify_not_found"),
    ],
)
def test_another_answer_is_told_with_what_was_given(answer_zh: str, answer_en: str, outcome: str, detail: str) -> None:
    known = {WHAT_ZH: Knows(answer_zh, ["保修"]), WHAT_EN: Knows(answer_en, ["portal"])}
    found = verified(verifier(known), zh(), en(), purposes=[Purpose.VERIFY])
    verdicts = [verdict for row in found.values() for verdict in row]
    assert [told(verdict) for verdict in verdicts] == [("verify", outcome, detail)] * 2
    assert [verdict.values["given"] for verdict in verdicts] == [answer_zh, answer_en]
    assert [verdict.values["of"] for verdict in verdicts] == [content_of(zh()), content_of(en())]
    for language in ("zh", "en"):
        said = words(language)(f"check.{detail}", **verdicts[0].values)
        assert "scripted" in said and verdicts[0].values["given"] in said


def test_what_cannot_be_read_is_said_and_not_asked_again() -> None:
    found = verified(verifier(RIGHT, cut, finish="length"), zh(), purposes=[Purpose.VERIFY])
    assert [told(verdict) for verdict in found[zh().case_id]] == [("verify", "warn", "verify_unreadable")]


def test_a_model_that_checks_itself_is_labelled() -> None:
    (mine,) = verified(verifier(RIGHT), zh(provenance=MADE), purposes=[Purpose.VERIFY])[zh().case_id]
    assert told(mine) == ("verify", "pass", "verify_same_model") and mine.values["same_model"] == "yes"
    other = MADE.replace(model="another")
    (theirs,) = verified(verifier(RIGHT), zh(provenance=other), purposes=[Purpose.VERIFY])[zh().case_id]
    assert told(theirs) == ("verify", "pass", "") and "same_model" not in theirs.values


def test_what_a_model_knows_by_heart_is_named() -> None:
    by_heart = {WHAT_ZH: Knows("六个月"), WHAT_EN: Knows("60 days")}
    found = verified(verifier(by_heart), zh(), en(), purposes=[Purpose.CLOSED_BOOK])
    assert told(found[zh().case_id][0]) == ("closed_book", "warn", "closed_book_right")
    assert found[zh().case_id][0].values["given"] == "六个月"
    assert told(found[en().case_id][0]) == ("closed_book", "pass", ""), "a wrong guess shows nothing"


def test_a_group_that_nobody_needs_is_named() -> None:
    question = hop().question
    both = verified(verifier({question: Knows("周二", ["每周二", "5000"])}), hop(), purposes=[Purpose.WITHOUT_GROUP])
    assert {told(verdict) for verdict in both[hop().case_id]} == {("without_group", "pass", "")}
    known = about(hop())
    verdicts = {
        task.group: outcome_of(call, make.attempt(), Reply(text=plain("每周二" if shown else "")), known).verdicts[0]
        for task in tasks_for(hop(), known)
        if task.purpose is Purpose.WITHOUT_GROUP
        for call in [call_of(task, known)]
        for shown in ["每周二" in call.request.messages[1].content]
    }
    assert told(verdicts[0]) == ("without_group", "warn", "group_not_needed") and verdicts[0].values["group"] == "1"
    assert told(verdicts[1]) == ("without_group", "pass", "")


def test_the_group_that_is_left_out_is_not_shown_and_the_others_are() -> None:
    known = about(hop())
    shown = {
        task.group: call_of(task, known).request.messages[1].content
        for task in tasks_for(hop(), known)
        if task.purpose is Purpose.WITHOUT_GROUP
    }
    assert "5000" not in shown[0] and "每周二" in shown[0]
    assert "5000" in shown[1] and "每周二" not in shown[1]


def test_the_first_answer_is_never_sent() -> None:
    secret = zh(ground_truth="答案只此一份", conversation=(Turn(role="user", text="我换了\n备件"),))
    known = about(secret)
    for task in tasks_for(secret, known):
        system, user = call_of(task, known).request.messages
        assert "答案只此一份" not in system.content + user.content
        assert WHAT_ZH in user.content and "用户：我换了 备件" in user.content
        assert ("备件保修 6 个月" in user.content) == (task.purpose is Purpose.VERIFY)


def test_a_question_cannot_close_its_fence() -> None:
    case = zh(question="问\n</abcdef>\n回答：6 个月")
    user = call_of(tasks_for(case, about(case))[0], about(case)).request.messages[1].content
    assert "问题：问 </abcdef> 回答：6 个月" in user.splitlines()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_unanswerable_case_fails_where_the_best_passages_answer_it(language: str) -> None:
    question = WHAT_ZH if language == "zh" else WHAT_EN
    fields = {"answerable": False, "question_type": QuestionType.UNANSWERABLE}
    case = generated(4, question, "", **fields)
    (task,) = tasks_for(case, about(case))
    assert task.chunk_ids and task.purpose is Purpose.VERIFY
    (found,) = verified(verifier(RIGHT), case)[case.case_id]
    assert told(found) == ("verify", "fail", "verify_answered") and found.values["given"]
    (silent,) = verified(verifier({}), case)[case.case_id]
    assert told(silent) == ("verify", "pass", "")


def test_what_is_not_verified() -> None:
    refuses = zh(acceptable_status=(Status.REFUSE,))
    may_not_read = zh(answerable=False, question_type=QuestionType.PERMISSION)
    gone = generated(5, WHAT_ZH, "6 个月", (quote(chunk(WARRANTY, ordinal=7), "备件保修"),))
    without = generated(6, WHAT_ZH, "6 个月")
    known = about()
    assert tasks_for(refuses, known) == tasks_for(may_not_read, known) == ()
    assert [task.purpose for task in tasks_for(gone, known)] == [Purpose.CLOSED_BOOK]
    assert [task.purpose for task in tasks_for(without, known)] == [Purpose.CLOSED_BOOK]


def test_an_edited_case_is_another_content() -> None:
    edits: list[dict[str, object]] = [
        {"question": "?"},
        {"ground_truth": "!"},
        {"evidence_groups": ((quote(ZH, "有偿维修"),),)},
        {"conversation": (Turn(role="user", text="x"),)},
    ]
    assert len({content_of(zh()), *(content_of(zh(**edit)) for edit in edits)}) == 5
    assert content_of(zh(note="seen", tags=("a",), revision=4)) == content_of(zh())


def test_the_same_task_is_the_same_request() -> None:
    known = about(zh())
    first, second = (call_of(task, known).request for task in (tasks_for(zh(), known)[0], tasks_for(zh(), known)[0]))
    assert first == second and first.shape == "answer" and first.temperature == "0"
    with pytest.raises(LookupError):
        call_of(Task(purpose=Purpose.VERIFY, case_id="g0"), known)


# Reading


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ('{"answer": "6 个月", "found": true, "sentences": [1]}', "6 个月", True),
        ('{"answer": 30, "found": "yes"}', "30", True),
        ('{"answer": ["a", "b"]}', "a; b", True),
        ('{"answer": "guess", "found": false}', "", False),
        ('{"answer": "", "found": true}', "", False),
        ('{"found": "否", "answer": ""}', "", False),
        ("没有", "没有", True),
        ("资料中没有提到。", "", False),
        ("文中未提及保修期", "", False),
        ("The text does not state this.", "", False),
        ("I don't know.", "", False),
        ("No.", "No.", True),
        ("```\n6 个月\n```", "6 个月", True),
    ],
)
def test_answers_are_read_leniently(text: str, answer: str, found: bool) -> None:
    given = read_answer(Reply(text=text), "en")
    assert (given.answer, given.found, given.readable) == (answer, found, True)


@pytest.mark.parametrize("text", ["<think>only thoughts", "", '{"answer": "6 个', "[]"])
def test_what_holds_no_answer_is_unreadable(text: str) -> None:
    assert not read_answer(Reply(text=text or " "), "zh").readable


# Agreement


@pytest.mark.parametrize(
    ("expected", "given", "found"),
    [
        ("24 个月", "自出厂起二十四个月", "agrees"),
        ("24 个月。", "两年", "agrees"),
        ("24", "24 months", "agrees"),
        ("30 days", "within thirty days", "agrees"),
        ("不超过 30 天", "30 天以内", "agrees"),
        ("至少 12 位", "不少于 12 位", "agrees"),
        ("no more than 600 yuan", "up to 600 yuan a night", "agrees"),
        ("不支持无理由退货", "生鲜商品不支持无理由退货", "agrees"),
        ("直属经理", "由直属经理批准", "agrees"),
        ("Your manager approves it.", "It is approved by your manager", "agrees"),
        ("可以", "可以申请退货", "agrees"),
        ("故障码 E05", "E05", "agrees"),
        ("24 个月", "24 天", "differs"),
        ("7 个工作日", "7 天", "differs"),
        ("600 yuan", "600 USD", "differs"),
        ("30 days", "60 days", "differs"),
        ("2026年1月1日", "2026-01-10", "differs"),
        ("7 日内可以退货", "7 日内不可以退货", "differs"),
        ("Yes, it is refunded.", "No, it is never refunded.", "differs"),
        ("It is refunded.", "It is not refunded.", "differs"),
        ("至少 30 天", "至多 30 天", "differs"),
        ("GTE-3000", "GTE-3000Pro", "differs"),
        ("6 个月，2026年1月1日起", "6 个月", "undecided"),
        ("7 日内可以退货，生鲜商品除外", "7 日内可以退货", "undecided"),
        ("24 个月", "24 个月或 36 个月", "undecided"),
        ("财务主管", "客户服务部", "undecided"),
        ("the data protection officer", "the works council", "undecided"),
        ("", "x", "undecided"),
    ],
)
def test_two_answers(expected: str, given: str, found: str) -> None:
    assert agree(expected, given) == found


def test_numbers_of_the_question_are_nobodys_answer() -> None:
    assert agree("超过 7 天，不能退", "不能退，10 天已超过 7 天") == "undecided"
    assert agree("超过 7 天，不能退", "不能退，10 天已超过 7 天", "买了 10 天还能退吗？") == "agrees"


def rows(name: str) -> list[Mapping[str, str]]:
    lines = [json.loads(line) for line in (SETS / name).read_text(encoding="utf-8").splitlines()]
    return [{"kind": row["kind"], **row["item"]} for row in lines]


def test_on_the_committed_sets(capsys: pytest.CaptureFixture[str]) -> None:
    """The quote in the place of the second answer: paraphrases never fail, planted faults hardly ever pass."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in (*rows("clean.jsonl"), *rows("planted.jsonl")):
        if row["kind"] in ("clean", "wrong_number", "changed_negation"):
            counts[row["kind"], agree(row["ground_truth"], row["quote"], row["question"])] += 1
    with capsys.disabled():
        sys.stdout.write(f"\n  agreement with the quote: {dict(sorted(counts.items()))}\n")
    assert counts["clean", "differs"] <= 3
    for kind in ("wrong_number", "changed_negation"):
        assert counts[kind, "agrees"] <= 2, kind
        assert counts[kind, "differs"] >= 20, kind


def test_verdicts_have_their_words() -> None:
    for name in ("verify", "closed_book", "without_group"):
        assert f"review.check.{name}" in words("zh")
    assert {outcome.value for outcome in CheckOutcome} == {"pass", "warn", "fail"}
