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


def test_a_waiver_that_is_over_is_said(ran: Folder) -> None:
    ran.write("gates/release.toml", '[[hard]]\nrule = "made_up_answer"\n')
    waiver = '[[waiver]]\ncase = "m000000000010"\nrule = "made_up_answer"\nowner = "li"\nreason = "r"\nuntil = {}\n'
    ran.write("gates/waivers.toml", waiver.format("2020-01-01"))
    for language, told in (("en", "1 waivers are over (owners: li)"), ("zh", "1 条豁免已过期（负责人：li）")):
        found = ran.run("score", "base", "--gates", "release", "--junit", "gates/j.xml", "--lang", language)
        assert found.code == 1
        assert told in found.out and told in (ran.path / "gates/j.xml").read_text(encoding="utf-8")
    ran.write("gates/waivers.toml", waiver.format("2999-01-01"))
    found = ran.run("score", "base", "--gates", "release", "--lang", "en")
    assert found.code == 0
    assert "1 cases by waivers only" in found.out and "m000000000010" in found.out


def test_a_baseline_by_passage_is_none_for_figures_by_document(ran: Folder) -> None:
    ran.done("gates", "approve", "base", "--reviewer", "wang")
    ran.write("gates/release.toml", STATISTICAL.format(tolerance=0.9))
    asked = ("--gates", "release", "--baseline", "base", "--level", "document", "--lang", "en")
    found = ran.run("score", "base", *asked)
    assert found.code == 3
    assert "scored by document, the baseline by passage" in found.out
    ran.done("gates", "approve", "base", "--reviewer", "wang", "--replace", "--level", "document")
    assert ran.run("score", "base", *asked).code == 0


def test_depths_that_a_gate_asks_can_be_approved(ran: Folder) -> None:
    ran.done("gates", "approve", "base", "--reviewer", "wang", "--k", "7")
    ran.write("gates/release.toml", STATISTICAL.format(tolerance=0.9).replace("hit@3", "hit@7"))
    assert ran.run("score", "base", "--gates", "release", "--baseline", "base", "--k", "7").code == 0
    found = ran.run("score", "base", "--gates", "release", "--baseline", "base", "--lang", "en")
    assert found.code == 3
    assert "there is no metric hit@7" in found.out


def test_failed_calls_of_an_approved_run_are_said(ran: Folder) -> None:
    failed = RunRecord(case_id=ten.RECORDS[0].case_id, error="timeout")
    ten.write(ran, "failing", (failed, *ten.RECORDS[1:]))
    assert "1 of its 10 calls failed" in ran.done("gates", "approve", "failing", "--reviewer", "w", "--lang", "en").err
    assert ran.done("gates", "approve", "base", "--reviewer", "w", "--lang", "en").err == ""


def test_one_run_is_refused_before_it_is_scored(ran: Folder) -> None:
    found = ran.run("compare", "nowhere", "--lang", "en")
    assert found.code == 3
    assert "two runs or more" in found.err


def test_a_comparison_tells_what_it_compares(ran: Folder) -> None:
    """What differs in the systems, slices that there are not, metrics that sound alike, and cases too few."""
    ten.write(ran, "second", better())
    found = ran.done("compare", "base", "second", "--by", "all,typo", "--lang", "en")
    assert "No config fact differs" in found.out
    assert "No slices by typo" in found.err
    assert "too few 8" in found.out and "0/7/1" not in found.out and "1/7/0" in found.out
    assert "slice" not in found.out.splitlines()[2]
    untold = ran.done("compare", "base", "second", "--metric", "downgrade_rate", "--metric", "mrr", "--lang", "en")
    assert untold.err.startswith("Not compared") and untold.err.endswith(": downgrade_rate\n")
    assert "counts 1 comparisons" in untold.out
    wrong = ran.run("compare", "base", "second", "--metric", "hits@3", "--lang", "en")
    assert "hit@3" in wrong.err and "latency" not in wrong.err
    text = (ran.path / "runs/base.jsonl").read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    ran.write("runs/third.jsonl", f"{json.dumps(json.loads(head) | {'config': {'model': 'm', 'top_k': 5}})}\n{rest}")
    assert "One config fact differs: top_k: 2 → 5" in ran.done("compare", "base", "third", "--lang", "en").out


def test_systems_that_cut_otherwise_are_compared_by_document(ran: Folder) -> None:
    """Ids of another chunking mean nothing to the snapshot; their documents do."""
    other = tuple(
        one.replace(
            retrieved=tuple({"id": f"c{at}", "doc_id": item.id.partition("#")[0]} for at, item in enumerate(found)),
            context=None,
            citations=None,
        )
        for one in ten.RECORDS
        if (found := one.retrieved) is not None
    )
    ten.write(ran, "other", other)
    assert ran.run("compare", "base", "other").code == 3
    (difference,) = ran.done("compare", "base", "other", "--level", "document", "--json").json["runs"]
    (mrr,) = [one for one in difference["rows"] if (one["name"], one["by"]) == ("mrr", "all")]
    assert (mrr["n"], mrr["difference"]) == (8, 0)
