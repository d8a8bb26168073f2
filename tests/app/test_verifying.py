"""Verification over the store: once for each case, never of what may not be sent, void where the case was changed."""

import asyncio
from collections import Counter
from functools import partial

import pytest

from builder.app.generate_job import open_job
from builder.app.generate_records import Asked
from builder.app.journal import StoreJournal
from builder.app.verifying import answers_with, verification, verify_missing
from builder.generate.run import RunResult, run
from builder.generate.tasks import call_of, outcome_of
from builder.generate.writer import open_writer
from builder.model.attempt import Purpose
from builder.model.case import Case, CheckResult, Evidence, Source
from builder.progress import Silent
from tests import make
from tests.folder import Folder
from tests.servers.openai_server import KEY, Answer, Kind, OpenAIServer
from tests.servers.verify_replies import Knows, verifier

WRITER = Asked(model="scripted", writer="openai")


@pytest.fixture
def written(docs: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A folder with generated cases, two a chunk: of a heading and of its first sentence."""
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        docs.done("generate", "--model", "scripted", "--per-chunk", "2")
    return docs


def cases(folder: Folder) -> dict[str, Case]:
    with folder.store() as store:
        return {case.case_id: case for case in store.cases.list("main")}


def verify(
    folder: Folder, kind: Kind, monkeypatch: pytest.MonkeyPatch, wanted: Asked = WRITER
) -> tuple[RunResult, int]:
    """One round of verification; the calls that the server saw."""
    with OpenAIServer(kind) as server, folder.store() as store:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        job = open_job(folder.workspace, store, wanted)
        material = job.material()
        who = answers_with(job)
        assert who is not None
        calls = (call_of(task, material) for task in verify_missing(job, material))
        journal, read = StoreJournal(store, "main"), partial(outcome_of, material=material)
        running = run(calls, open_writer(*who), journal, read, dataset="main", concurrency=2, progress=Silent())
        return asyncio.run(running), len(server.bodies)


def told(case: Case) -> list[tuple[str, str]]:
    return sorted((check.name, check.outcome.value) for check in case.checks if "of" in check.values)


def right(folder: Folder) -> Kind:
    """A model that reads the answer in the passage."""
    return verifier({c.question: Knows(c.ground_truth, [f") {c.ground_truth}"]) for c in cases(folder).values()})


def test_each_case_once_and_the_same_command_twice_makes_no_call(
    written: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, seen = verify(written, right(written), monkeypatch)
    assert (found.calls, seen, found.kept) == (16, 16, 0)
    assert all(told(case) == [("closed_book", "pass"), ("verify", "pass")] for case in cases(written).values())
    labelled = [check for case in cases(written).values() for check in case.checks if check.name == "verify"]
    assert {check.detail for check in labelled} == {"verify_same_model"}
    again, seen = verify(written, right(written), monkeypatch)
    assert (again.calls, again.reused, seen) == (0, 0, 0)
    other = WRITER.replace(verify_model="another")
    assert verify(written, right(written), monkeypatch, other)[1] == 0, "verified is verified"


def test_another_model_is_named_and_a_wrong_answer_fails(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = verifier({case.question: Knows("97 个月 97 days") for case in cases(written).values()})
    verify(written, wrong, monkeypatch, WRITER.replace(verify_model="another"))
    counts = Counter(row for case in cases(written).values() for row in told(case))
    assert counts["closed_book", "pass"] == 8 and counts["verify", "pass"] == 0 and counts["verify", "fail"] >= 2
    checks = [check for case in cases(written).values() for check in case.checks if check.name == "verify"]
    assert {check.values["model"] for check in checks} == {"another"}
    assert not any("same_model" in check.values for check in checks)


def test_an_edited_case_is_verified_again(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    verify(written, right(written), monkeypatch)
    edited = next(iter(cases(written)))
    written.done("cases", "edit", edited, "--set", "ground_truth=97 days")
    found, seen = verify(written, right(written), monkeypatch)
    # Neither question nor passages were changed: the replies are there, and are compared with the new answer.
    assert (found.calls, found.reused, seen) == (0, 2, 0)
    assert ("verify", "pass") not in told(cases(written)[edited])
    assert verify(written, right(written), monkeypatch)[0] == RunResult()


def test_a_verdict_on_what_was_changed_meanwhile_is_left_out(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case is edited while its call is on the way."""
    target = next(iter(cases(written).values()))
    answer = right(written)

    def edits_first(body: dict[str, object], number: int) -> Answer:
        if number == 1:
            written.done("cases", "edit", target.case_id, "--set", "ground_truth=另一个答案")
        return answer(body, number)

    with OpenAIServer(edits_first) as server, written.store() as store:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        job = open_job(written.workspace, store, WRITER)
        material = job.material()
        tasks = [task for task in verify_missing(job, material) if task.case_id == target.case_id]
        calls = (call_of(task, material) for task in tasks)
        read = partial(outcome_of, material=material)
        journal = StoreJournal(store, "main")
        asyncio.run(run(calls, job.writer, journal, read, dataset="main", concurrency=1, progress=Silent()))
        assert told(store.cases.get(target.case_id)) == []
        assert {t.case_id for t in verify_missing(job, job.material())} == cases(written).keys()


def test_decided_cases_are_let_be(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *rest = cases(written)
    written.done("cases", "approve", first, "--reviewer", "tester")
    written.done("cases", "reject", second, "--reason", "unclear", "--reviewer", "tester")
    verify(written, right(written), monkeypatch)
    assert [told(cases(written)[case_id]) for case_id in (first, second)] == [[], []]
    assert all(told(cases(written)[case_id]) for case_id in rest)


def test_each_of_several_groups_has_its_own_verdict(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    with written.store() as store:
        whole = [
            Evidence(doc_id=c.doc_id, reading_id=c.reading_id, quote=c.text, parts=c.parts)
            for c in store.documents.chunks({"policy.md"})
        ]
        hop = make.case("g00000000hop0", source=Source.GENERATED, evidence_groups=tuple((one,) for one in whole))
        store.cases.add([hop], "tester")
    verify(written, right(written), monkeypatch)
    found = [check for check in cases(written)["g00000000hop0"].checks if check.name == "without_group"]
    assert sorted(check.values["group"] for check in found) == ["1", "2"]
    assert verify(written, right(written), monkeypatch)[1] == 0


def held(folder: Folder, url: str, monkeypatch: pytest.MonkeyPatch, wanted: Asked = WRITER) -> tuple[set[str], int]:
    """Documents whose cases would be verified over `url`, and how many cases are held back."""
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with folder.store() as store:
        job = open_job(folder.workspace, store, wanted)
        material = job.material()
        found = verification(job, material)
        sent = {evidence.doc_id for task in found.tasks for evidence in material.cases[task.case_id].evidence}
        return sent, found.held_back


def test_what_may_not_be_sent_is_not_verified_but_counted(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    written.write("docs/handbook.md.meta.toml", 'roles = ["hr"]\n')
    written.done("ingest")
    outside = "https://llm.example.org/v1"
    assert held(written, outside, monkeypatch) == ({"policy.md"}, 4)
    assert held(written, "http://127.0.0.1:9/v1", monkeypatch) == ({"policy.md", "handbook.md"}, 0)
    extractive = Asked(writer="extractive")
    assert held(written, outside, monkeypatch, extractive) == (set(), 0), "it answers no question"
    named = extractive.replace(verify_model="another")
    assert held(written, outside, monkeypatch, named) == ({"policy.md"}, 4)


def test_a_question_from_an_unknown_passage_is_held_back_too(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without evidence the question still holds what the passage said that it was made from."""
    written.write("docs/handbook.md.meta.toml", 'roles = ["hr"]\n')
    written.done("ingest")
    secret = next(case for case in cases(written).values() if case.evidence[0].doc_id == "handbook.md")
    open_case = next(case for case in cases(written).values() if case.evidence[0].doc_id == "policy.md")
    with written.store() as store:
        bare = [
            one.replace(case_id=f"g0000000000{n}0", evidence_groups=(), checks=(), revision=1)
            for n, one in enumerate((secret, open_case))
        ]
        stranger = bare[0].replace(case_id="g000000000020", provenance=None)
        store.cases.add([*bare, stranger], "tester")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://llm.example.org/v1")
    with written.store() as store:
        job = open_job(written.workspace, store, WRITER)
        found = verification(job, job.material(), (Purpose.CLOSED_BOOK,))
    asked = {task.case_id for task in found.tasks}
    assert bare[1].case_id in asked and not asked & {bare[0].case_id, stranger.case_id, secret.case_id}
    assert found.held_back == 6


def test_other_checks_stay(written: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {case_id: set(_names(case.checks)) for case_id, case in cases(written).items()}
    verify(written, right(written), monkeypatch)
    after = {case_id: set(_names(case.checks)) for case_id, case in cases(written).items()}
    assert all(after[case_id] == names | {"verify", "closed_book"} for case_id, names in before.items())


def _names(checks: tuple[CheckResult, ...]) -> list[str]:
    return [check.name for check in checks]
