"""Budgets, preview, kinds of questions: what is asked for is done, and no more."""

import pytest

from builder.model.attempt import AttemptState
from tests.app.test_generate import GENERATE, cases, chunk_count, environ
from tests.folder import Folder
from tests.servers.openai_server import KINDS, OpenAIServer


def test_max_calls_stops_cleanly_and_the_same_command_goes_on(docs: Folder) -> None:
    with OpenAIServer() as server:
        found = docs.done(*GENERATE, "--max-calls", "2", **environ(server.base_url))
        assert len(server.bodies) == 2 and len(cases(docs)) == 4
        assert "--max-calls" in found.err and "same command" in found.err
        docs.done(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == chunk_count(docs)


def test_a_budget_of_tokens_is_never_passed(docs: Folder) -> None:
    with OpenAIServer() as server:
        found = docs.run(*GENERATE, "--budget-tokens", "3000", "--json", **environ(server.base_url))
        report = found.json
    assert found.code == 0, found.err
    assert report["stopped"] == "budget_tokens" and report["not_started"] > 0
    assert report["prompt_tokens"] + report["completion_tokens"] <= 3000


def test_a_budget_too_small_for_one_call_makes_none(docs: Folder) -> None:
    with OpenAIServer() as server:
        found = docs.run(*GENERATE, "--budget-tokens", "10", **environ(server.base_url))
        assert (found.code, server.bodies) == (0, [])
    assert "--budget-tokens" in found.err


def test_a_budget_of_money_needs_a_price(docs: Folder) -> None:
    with OpenAIServer() as server:
        found = docs.run(*GENERATE, "--budget-cost", "1", **environ(server.base_url))
        assert (found.code, server.bodies) == (3, []) and "scripted" in found.err
        text = (docs.path / "builder.toml").read_text(encoding="utf-8")
        prices = '[generate.prices]\n"scripted.input" = "1000"\n"scripted.output" = "1000"\n'
        docs.write("builder.toml", f"{text}\n{prices}")
        report = docs.done(*GENERATE, "--budget-cost", "3", "--json", **environ(server.base_url)).json
    spent = report["prompt_tokens"] + report["completion_tokens"]
    assert report["stopped"] == "budget_cost" and 0 < spent * 1000 / 1_000_000 <= 3
    assert docs.run(*GENERATE, "--budget-cost", "much", **environ("http://127.0.0.1:9/v1")).code == 2


def test_preview_shows_writes_nothing_and_is_not_paid_for_twice(docs: Folder) -> None:
    with OpenAIServer() as server:
        found = docs.done(*GENERATE, "--preview", "2", **environ(server.base_url))
        assert len(server.bodies) == 2 and cases(docs) == ()
        for body in server.bodies:
            (answer,) = [case["ground_truth"] for case in _items(body)[:1]]
            assert answer in found.out
        docs.done(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == chunk_count(docs)
    assert len(cases(docs)) == 2 * chunk_count(docs)


def _items(body: dict[str, object]) -> list[dict[str, str]]:
    from tests.servers.openai_server import items_for

    return items_for(body)


def test_preview_of_several_documents_is_spread(docs: Folder) -> None:
    with OpenAIServer() as server:
        report = docs.done(*GENERATE, "--preview", "2", "--json", **environ(server.base_url)).json
    documents = {group[0]["doc_id"] for case in report["cases"] for group in case["evidence_groups"]}
    assert len(documents) == 2


def test_nothing_kept_is_exit_1(docs: Folder) -> None:
    with OpenAIServer("no_item" if "no_item" in KINDS else _no_item) as server:
        found = docs.run(*GENERATE, **environ(server.base_url))
    assert found.code == 1 and cases(docs) == ()


def _no_item(body, number):  # type: ignore[no-untyped-def]
    from tests.servers.openai_server import completion

    return completion("Sorry, I cannot help with that.", body)


def test_what_fell_short_is_asked_once_more_then_spent_until_told(docs: Folder) -> None:
    with OpenAIServer(_no_item) as server:
        docs.run(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == 2 * chunk_count(docs)
        docs.run(*GENERATE, **environ(server.base_url))
        assert len(server.bodies) == 2 * chunk_count(docs), "spent"
    with OpenAIServer() as server:
        docs.done(*GENERATE, "--retry-failed", **environ(server.base_url))
        assert len(server.bodies) == chunk_count(docs)
    assert len(cases(docs)) == 2 * chunk_count(docs)
    with docs.store() as store:
        assert {attempt.state for attempt in store.attempts.list("main")} == {AttemptState.DONE}


def test_only_single_facts(docs: Folder) -> None:
    with OpenAIServer() as server:
        report = docs.done(*GENERATE, "--types", "single_fact", "-n", "3", "--json", **environ(server.base_url)).json
    assert report["plan"]["rows"][0]["name"] == "single_fact" and report["kept"] == 3
    assert {case.question_type for case in cases(docs)} == {"single_fact"}


def test_the_extractive_writer_says_what_it_cannot(docs: Folder) -> None:
    for arguments in (("--types", "multi_hop"), ("--styles", "typo")):
        found = docs.run("generate", "--writer", "extractive", *arguments)
        assert found.code == 3 and "--model" in found.err


@pytest.mark.parametrize(
    "arguments", [("--types", "riddle"), ("--mix", "single_fact=0"), ("--mix", "riddle=1"), ("--styles", "sonnet")]
)
def test_kinds_that_there_are_none_of(docs: Folder, arguments: tuple[str, str]) -> None:
    found = docs.run(*GENERATE, *arguments, **environ("http://127.0.0.1:9/v1"))
    assert found.code == 2 and arguments[1].split("=")[0] in found.err
