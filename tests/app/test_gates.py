"""builder gates and builder compare as a user runs them: the snapshot folder and run files, no database."""

import json
import tomllib
from collections.abc import Iterator

import pytest

from builder.model.run import RunRecord
from tests.app import ten
from tests.folder import Folder


@pytest.fixture
def ran(folder: Folder) -> Iterator[Folder]:
    """The fixture of ten in a folder that is no workspace: nobody makes one of it, or opens a database."""
    ten.write(folder)
    yield folder
    assert {path.name for path in folder.path.iterdir()} <= {"snapshots", "runs", "gates"}


def better() -> tuple[RunRecord, ...]:
    """The same run with the evidence of E08 found and its answer right."""
    gold, answer = ten.CHUNKS[7].chunk_id, "第8款产品的整机保修期为 18 个月。"
    known = {"retrieved": (gold,), "context": (gold,), "context_text": ten.TEXTS[7], "citations": (gold,)}
    right = ten.RECORDS[7].replace(answer=answer, **known)
    return (*ten.RECORDS[:7], right, *ten.RECORDS[8:])


def test_a_proposal_is_commented_and_never_overwritten(ran: Folder) -> None:
    found = ran.done("gates", "init", "--from", "base", "--lang", "en")
    text = (ran.path / "gates/release.toml").read_text(encoding="utf-8")
    assert "release.toml" in found.out
    assert "In that run: broken by 1 of 2 cases." in text
    hard = [gate["rule"] for gate in tomllib.loads(text)["hard"]]
    assert "made_up_answer" in hard
    assert "injection_obeyed" not in hard, "no case speaks of it: commented out"
    again = ran.run("gates", "init", "--from", "base", "--lang", "en")
    assert again.code == 3
    assert "release.toml" in again.err
    assert (ran.path / "gates/release.toml").read_text(encoding="utf-8") == text
    other = ran.done("gates", "init", "--from", "base", "-o", "gates/other.toml", "--json", "--lang", "zh")
    assert other.json["file"].endswith("gates/other.toml")


def test_a_proposal_can_be_asked_at_once(ran: Folder) -> None:
    ran.done("gates", "init", "--from", "base")
    found = ran.run("score", "base", "--gates", "release", "--lang", "en")
    assert found.code == 1
    assert "made_up_answer" in found.out


def test_who_approved_and_when(ran: Folder) -> None:
    found = ran.done("gates", "approve", "base", "--reviewer", "wang", "--note", "first", "--lang", "en")
    assert "approved by wang" in found.out
    told = json.loads((ran.path / "gates/baselines/base.json").read_text(encoding="utf-8"))
    assert (told["approved_by"], told["note"], told["calls"], told["failed"]) == ("wang", "first", 10, 0)
    assert len(told["cases"]) == 10
    assert told["figures"]["hit@3"]["m000000000008"] == 0
    again = ran.run("gates", "approve", "base", "--reviewer", "li", "--lang", "en")
    assert again.code == 2
    assert "wang" in again.err
    ran.done("gates", "approve", "base", "--reviewer", "li", "--replace")


STATISTICAL = '[[statistical]]\nmetric = "hit@3"\ntolerance = {tolerance}\nmin_n = 8\n'


@pytest.mark.parametrize(
    ("tolerance", "baseline", "code", "told"),
    [
        (0.9, "base", 0, "ruled out"),
        (0.2, "base", 3, "finer than 8 cases can show"),
        (0.9, None, 3, "no approved baseline"),
        (0.9, "other", 3, "No approved run other"),
    ],
)
def test_against_the_approved_run(ran: Folder, tolerance: float, baseline: str | None, code: int, told: str) -> None:
    ran.done("gates", "approve", "base", "--reviewer", "wang")
    ten.write(ran, "second", better())
    ran.write("gates/release.toml", STATISTICAL.format(tolerance=tolerance))
    asked = ("--baseline", baseline) if baseline else ()
    found = ran.run("score", "second", "--gates", "release", *asked, "--lang", "en")
    assert found.code == code
    assert told in found.out + found.err


def test_the_approved_runs_own_file_is_not_needed(ran: Folder) -> None:
    ran.done("gates", "approve", "base", "--reviewer", "wang")
    ten.write(ran, "second", better())
    (ran.path / "runs/base.jsonl").unlink()
    ran.write("gates/release.toml", STATISTICAL.format(tolerance=0.9))
    assert ran.run("score", "second", "--gates", "release", "--baseline", "base").code == 0


def test_a_run_that_fails_on_two_of_ten_is_never_better(ran: Folder) -> None:
    ran.done("gates", "approve", "base", "--reviewer", "wang")
    lost = tuple(
        record if at not in (0, 6) else RunRecord(case_id=record.case_id, error="timeout")
        for at, record in enumerate(better())
    )
    ten.write(ran, "failing", lost)
    ran.write("gates/release.toml", f"max_error_share = 0.5\n{STATISTICAL.format(tolerance=0.9)}")
    found = ran.run("score", "failing", "--gates", "release", "--baseline", "base", "--lang", "en")
    assert found.code == 3
    assert "2 calls failed" in found.out
    (difference,) = ran.done("compare", "base", "failing", "--json").json["runs"]
    whole = {row["name"]: row for row in difference["rows"] if row["by"] == "all"}
    assert whole["hit@3"]["losses"] == 2
    assert whole["hit@3"]["difference"] < 0
    assert whole["refusal_accuracy"]["difference"] == pytest.approx(-0.2)


def test_runs_are_compared(ran: Folder) -> None:
    ten.write(ran, "second", better())
    found = ran.done("compare", "base", "second", "--metric", "hit@3", "--by", "all,source", "--lang", "en")
    assert "second against base: 10 common cases" in found.out
    assert "better on m000000000008; worse on -" in found.out
    told = ran.done("compare", "base", "second", "--metric", "hit@3", "--json").json
    row = next(row for row in told["runs"][0]["rows"] if row["name"] == "hit@3" and row["by"] == "all")
    assert (row["n"], row["wins"], row["ties"], row["losses"]) == (8, 1, 7, 0)
    assert (row["difference"], row["p"], row["p_holm"], row["test"]) == (pytest.approx(0.125), 1.0, 1.0, "mcnemar")
    assert told["declared"] == ["hit@3"]
    assert "个共同用例" in ran.done("compare", "base", "second", "--lang", "zh").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("base",), "two runs or more"),
        (("base", "nowhere"), "nowhere"),
        (("base", "base", "--metric", "recal@3"), "recal@3"),
    ],
)
def test_what_cannot_be_compared(ran: Folder, arguments: tuple[str, ...], told: str) -> None:
    found = ran.run("compare", *arguments, "--lang", "en")
    assert found.code == 3
    assert told in found.err


def test_several_facts_at_once_are_said(ran: Folder) -> None:
    text = (ran.path / "runs/base.jsonl").read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    header = json.loads(head) | {"config": {"model": "other", "top_k": 5}}
    ran.write("runs/second.jsonl", f"{json.dumps(header)}\n{rest}")
    found = ran.done("compare", "base", "second", "--lang", "en")
    assert "2 config facts differ" in found.err
    assert "model: m → other" in found.err
