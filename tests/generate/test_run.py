"""The run over a real server: what is kept, dropped, failed; what a second run and an interruption do."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest

from builder.errors import InputError
from builder.generate.run import RunResult, run
from builder.generate.tasks import Call
from builder.generate.writer import Request, WriterOptions, open_writer, request_hash
from builder.model.attempt import AttemptState, Reply
from builder.model.case import CheckOutcome, ReviewState, Source
from builder.model.document import DocumentMetadata
from builder.progress import Silent
from tests.generate.journal import MemoryJournal
from tests.generate.make import HANDBOOK, call, chunk, read
from tests.generate.runs import HangingWriter, calls, go, openai_writer, served
from tests.servers.openai_server import KEY, KINDS, OpenAIServer


@pytest.mark.parametrize(
    ("kind", "kept", "dropped"),
    [
        ("good", 6, {}),
        ("fenced", 6, {}),
        ("reasoning", 6, {}),
        ("no_json_mode", 6, {}),
        ("takes_all", 6, {}),
        ("takes_object", 6, {}),
        ("takes_text", 6, {}),
        ("thinking", 6, {}),
        ("prose", 6, {}),
        ("several", 6, {}),
        ("bare", 6, {}),
        ("wrapped", 6, {}),
        ("wide", 6, {}),
        ("null_content", 6, {}),
        ("half", 6, {"no_answer": 3, "no_question": 6, "not_an_object": 3}),
        ("truncated", 3, {"cut": 3}),
        ("wrong_number", 6, {}),
    ],
)
def test_replies_become_cases(kind: str, kept: int, dropped: dict[str, int]) -> None:
    result, journal, _ = served(kind, calls())
    assert (result.kept, dict(result.dropped), result.stopped) == (kept, dropped, None)
    assert journal.states() == [AttemptState.DONE] * 3 and len(journal.cases) == kept
    texts = [one.chunks[0].text for one in calls()]
    for case in journal.cases.values():
        assert case.source is Source.GENERATED and case.review_state is ReviewState.UNREVIEWED and case.enabled
        assert case.provenance and case.provenance.writer == "openai" and case.provenance.tokens > 0
        assert all(any(e.quote in text for text in texts) for e in case.evidence)
        (verdict,) = (check for check in case.checks if check.name == "quote")
        if kind == "wrong_number":
            assert case.evidence == () and (verdict.outcome, verdict.detail) == (CheckOutcome.WARN, "no_evidence")
        else:
            assert case.evidence[0].quote == case.ground_truth and verdict.outcome is CheckOutcome.PASS


@pytest.mark.parametrize(("kind", "answer"), [("numbers", "12.5"), ("lists", "; b")])
def test_answers_that_are_no_text_are_written_out(kind: str, answer: str) -> None:
    result, journal, _ = served(kind, [call([chunk(HANDBOOK)], 2)])
    assert result.kept == 2
    assert all(case.ground_truth.endswith(answer) and case.evidence for case in journal.cases.values())


@pytest.mark.parametrize(
    ("kind", "reason", "at_once"),
    [
        ("unauthorized", "refused_key", True),
        ("no_quota", "no_quota", True),
        ("not_found", "not_found", True),
        ("html", "not_json", True),
        ("cut_body", "connection", True),
        ("rate_limit", "rate_limited", False),
        ("rate_limit_long", "rate_limited", False),
        ("server_error", "server_error", False),
        ("no_choices", "no_choices", False),
        ("blank", "blank", False),
        ("bad_request", "bad_request", False),
    ],
)
def test_failures_are_counted_by_reason(kind: str, reason: str, at_once: bool) -> None:
    """What hits every call stops the run at once, what goes on failing after five; with the calls on their way."""
    result, journal, made = served(kind, calls(9))
    assert result.kept == 0 and not journal.cases and set(result.failed) == {reason}
    assert result.stopped == reason
    assert result.failed[reason].count + result.not_started == 9
    assert result.failed[reason].count in ((1, 2) if at_once else (5, 6)) and made <= 12
    assert KEY not in repr(result) + repr(journal.attempts)
    assert set(journal.states()) == {AttemptState.FAILED}


def test_a_second_run_makes_no_call_and_adds_nothing() -> None:
    journal = MemoryJournal()
    with OpenAIServer() as server:
        go(calls(), openai_writer(server.base_url), journal)
        before = dict(journal.cases)
        again = go(calls(), openai_writer(server.base_url), journal)
    assert (again.calls, again.reused, again.kept) == (0, 3, 0)
    assert len(server.bodies) == 3 and journal.cases == before


def test_after_a_failure_only_what_is_missing_is_called() -> None:
    journal = MemoryJournal()
    with OpenAIServer(lambda body, n: KINDS["bad_request" if n in (1, 2) else "good"](body, n)) as server:
        first = go(calls(), openai_writer(server.base_url), journal, concurrency=1)
        second = go(calls(), openai_writer(server.base_url), journal, concurrency=1)
    assert (first.kept, second.kept, second.calls, second.reused) == (4, 2, 1, 2)
    with OpenAIServer() as server:
        clean = MemoryJournal()
        go(calls(), openai_writer(server.base_url), clean)
    assert clean.cases == journal.cases


def test_what_another_process_has_is_skipped() -> None:
    journal = MemoryJournal()
    jobs = calls()
    with OpenAIServer() as server:
        writer = openai_writer(server.base_url)
        journal.held_elsewhere.add(request_hash(writer, jobs[0].request))
        result = go(jobs, writer, journal)
    assert (result.skipped_claimed, result.calls) == (1, 2)


def test_concurrency_is_bounded_and_used() -> None:
    journal = MemoryJournal()
    with OpenAIServer(delay=0.1) as server:
        writer = openai_writer(server.base_url)
        began = time.monotonic()
        go(calls(8), writer, journal, concurrency=4)
        assert time.monotonic() - began < 0.75  # one after the other: 0.8 s and more
    assert 2 <= server.most_active <= 4


def test_an_interruption_keeps_what_came_in_and_frees_the_rest() -> None:
    journal = MemoryJournal()

    async def interrupted() -> HangingWriter:
        writer = HangingWriter()
        task = asyncio.create_task(
            run(
                calls(),
                writer,
                journal,
                read,
                dataset="main",
                concurrency=2,
                progress=Silent(),
            )
        )
        while AttemptState.DONE not in journal.states() or len(journal.attempts) < 3:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return writer

    assert asyncio.run(interrupted()).closed
    assert journal.states() == [AttemptState.DONE, AttemptState.FAILED, AttemptState.FAILED]
    assert len(journal.cases) == 1 and {a.error for a in journal.attempts.values()} == {"", "interrupted"}


def test_a_reply_that_comes_in_with_the_interruption_is_kept() -> None:
    journal = MemoryJournal()

    runners: list[asyncio.Task[RunResult]] = []

    class CancellingWriter(HangingWriter):
        async def write(self, request: Request) -> Reply:
            runners[0].cancel()  # the very moment in which the reply is there
            return Reply(text="{}")

    async def go_on() -> None:
        writer = CancellingWriter()
        runners.append(
            asyncio.create_task(
                run(
                    calls(1),
                    writer,
                    journal,
                    read,
                    dataset="main",
                    concurrency=1,
                    progress=Silent(),
                )
            )
        )
        with pytest.raises(asyncio.CancelledError):
            await runners[0]

    asyncio.run(go_on())
    (attempt,) = journal.attempts.values()
    assert attempt.state is AttemptState.REPLIED and attempt.reply and attempt.reply.text == "{}"


def test_faults_of_the_caller_come_out_as_they_are() -> None:
    def broken() -> Iterator[Call]:
        yield calls(1)[0]
        raise InputError("template", file="f", line=1, detail="x")

    journal = MemoryJournal()
    with OpenAIServer() as server, pytest.raises(InputError):
        go(broken(), openai_writer(server.base_url), journal, concurrency=1)
    assert journal.states() == [AttemptState.DONE]


def test_more_than_asked_for_and_repeats_are_dropped() -> None:
    class Talkative(HangingWriter):
        async def write(self, request: Request) -> Reply:
            rows = ["备件保修多久？", "备件保修多久?", "退货几天？", "第三个问题？"]
            items = ",".join(
                f'{{"question":"{q}","ground_truth":"6 个月","source_index":1,"sentences":[1]}}' for q in rows
            )
            return Reply(text=f"[{items}]")

    journal = MemoryJournal()
    result = go([call([chunk()], asked=2)], Talkative(), journal)
    assert result.kept == 2 and dict(result.dropped) == Counter(repeated=1, surplus=1)
    assert [c.provenance.position for c in journal.cases.values() if c.provenance] == [0, 2]


def test_restricted_passages_name_a_user_who_may_read_them() -> None:
    journal = MemoryJournal()
    metadata = DocumentMetadata(tenant="beichen", roles=("hr", "boss"))
    with OpenAIServer() as server:
        go([call([chunk(metadata=metadata)])], openai_writer(server.base_url), journal)
    assert {(c.user_context.tenant, c.user_context.roles) for c in journal.cases.values()} == {("beichen", ("hr",))}


def test_what_is_out_of_date_is_asked_as_of_then() -> None:
    journal = MemoryJournal()
    metadata = DocumentMetadata(valid_from=date(2024, 3, 1), valid_to=date(2025, 12, 31))
    with OpenAIServer() as server:
        go([call([chunk(metadata=metadata)])], openai_writer(server.base_url), journal)
    assert {(c.as_of, c.valid_from, c.valid_to) for c in journal.cases.values()} == {
        (date(2025, 12, 31), date(2024, 3, 1), date(2025, 12, 31))
    }


@pytest.mark.skipif(find_spec("xllamacpp") is not None, reason="the extra `local` is installed")
def test_a_missing_extra_is_named_with_its_install_line(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError) as error:
        open_writer("local", WriterOptions(model=str(tmp_path / "m.gguf")))
    assert "pip install 'golden-builder[local]'" in str(error.value)


def test_unknown_and_lacking_writers_say_what_to_do() -> None:
    for name, options, key in (
        ("other", WriterOptions(), "no_writer"),
        ("openai", WriterOptions(), "no_model"),
        ("local", WriterOptions(model="/nowhere/model.gguf"), "no_model_file"),
    ):
        with pytest.raises(InputError) as error:
            open_writer(name, options)
        assert error.value.key == key and str(error.value)
