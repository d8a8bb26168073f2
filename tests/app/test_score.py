"""`builder score`: the fixture of ten, without a database; figures, layers, texts, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from builder.app.score import headline_of
from builder.app.score_parts import first_ranks, flips_between
from builder.app.score_run import KS
from builder.app.score_turned import turned
from builder.cli.score_options import KS as ASKED
from builder.cli.score_options import ks_of
from builder.model.gate import GateKind, GateOutcome, GateResult, Release
from builder.model.run import RetrievedItem
from builder.report.gate_lines import because, named, ordered, outcome_name, standing
from builder.score.uses import read_uses
from builder.score.view import Place, Stage, View
from builder.words import words
from tests import make
from tests.app import ten
from tests.folder import Folder
from tests.report.browser import Reader

WORKED = {
    "hit@3": 0.8750,
    "mrr": 0.8125,
    "refusal_accuracy": 0.9000,
    "citation_coverage": 0.8750,
    "citation_id_validity": 1.0000,
}
HARD = '[[hard]]\nrule = "made_up_answer"\n\n[[hard]]\nrule = "unauthorised_context"\n'


@pytest.fixture
def ran(folder: Folder) -> Folder:
    ten.write(folder)
    return folder


def row(report: Any, name: str, by: str = "all", slice_: str = "all") -> Any:
    found = [one for one in report["metrics"] if (one["name"], one["by"], one["slice"]) == (name, by, slice_)]
    assert len(found) == 1
    return found[0]


def test_the_fixture_of_ten(ran: Folder) -> None:
    report = ran.done("score", "base", "--json").json
    assert {name: round(row(report, name)["value"], 4) for name in WORKED} == WORKED
    hit = row(report, "hit@3")
    assert (hit["n"], hit["excluded"]) == (8, {"unanswerable": 2})
    assert hit["few"] and 0 < hit["interval"]["low"] < 0.875 < hit["interval"]["high"] <= 1
    assert sum(one["excluded"].get("unanswerable", 0) == 0 for one in report["metrics"] if one["by"] == "source") > 0
    assert not (ran.path / "data").exists() and not (ran.path / "builder.toml").exists()


def test_the_screen(ran: Folder) -> None:
    found = ran.done("score", "base", "--lang", "en")
    for told in ("Not judged: no gates.", "run high", "promises nothing about production", "too few", "does not tell"):
        assert told in found.out
    lines = found.out.splitlines()
    title = lines.index("Failing answers")
    assert any("m000000000008" in line for line in lines[title:]) and any(
        "m000000000010" in line for line in lines[title:]
    )
    assert "m000000000006" not in "\n".join(lines[title:])
    assert "hit@3" in found.out and "0.88" in found.out
    assert "全部" in ran.done("score", "base", "--lang", "zh", "-v").out


def test_one_case_with_all_its_texts(ran: Folder) -> None:
    found = ran.done("score", "base", "--case", "m000000000008", "--lang", "en").out
    for told in ("retrieval", "第8款产品保修多久？", "18 个月。", ten.HOSTILE, ten.TEXTS[7], ten.OTHER, "别的产品。"):
        assert told in found
    assert "nothing is known to be wrong" in ran.done("score", "base", "--case", "m000000000001", "--lang", "en").out
    (chain,) = ran.done("score", "base", "--case", "m000000000006", "--json").json
    assert [piece["marks"] for piece in chain["stages"]["retrieved"]] == [[], ["evidence"]]
    assert ran.run("score", "base", "--case", "m99").code == 3


def test_files_of_the_same_facts(ran: Folder) -> None:
    ran.done("score", "base", "--html", "out/r.html", "--markdown", "out/r.md", "--lang", "zh")
    html, markdown = ((ran.path / "out" / name).read_text(encoding="utf-8") for name in ("r.html", "r.md"))
    found = Reader(html)
    assert found.open == [] and not {"script", "img"} & set(found.tags)
    assert ten.HOSTILE in found.text
    for told in ("未作判定", "分数偏高", "不代表线上效果", "m000000000008", "0.88", "top_k = 2", "盲区", "policy9.md"):
        assert told in found.text
        assert told in markdown.replace("\\", "")
    assert html.count("<svg") >= 4


def test_what_is_measured_on_and_what_no_case_looks_at(ran: Folder) -> None:
    report = ran.done("score", "base", "--json").json
    assert report["measured"]["splits"] == {"dev": 5, "test": 3, "": 2}
    assert set(report["measured"]["sources"]) == {"manual", "generated", "feedback"}
    assert report["measured"]["config"] == {"model": "m", "top_k": 2}
    assert report["blind"]["documents"] == ["policy9.md"]
    assert "injection" in report["blind"]["types"] and "privacy" in report["blind"]["risks"]
    assert report["latency"]["retrieve"] == [10.0 * number for number in range(1, 9)]
    assert report["ranks"] == {"counts": {"1": 6, "2": 1}, "missing": 1}


def test_looks_at_the_test_split_are_counted_once_a_run(ran: Folder) -> None:
    ran.done("score", "base")
    ten.write(ran, "again")
    ran.done("score", "again")
    report = ran.done("score", "base", "--json").json
    assert [use["run"] for use in report["uses"]] == ["base", "again"]
    assert len(read_uses(ran.path / "runs")) == 2


@pytest.mark.parametrize(
    ("gates", "code", "told"),
    [
        (HARD, 1, "Do not release, because"),
        ('[[hard]]\nrule = "non_existing_citation"\n', 0, "Release: every gate passed"),
        ('[[budget]]\nmetric = "no_such"\nlimit = 1\n', 3, "no_such"),
        ("max_error_share = 0.1\n" + HARD, 4, "calls failed"),
    ],
)
def test_gates(ran: Folder, gates: str, code: int, told: str) -> None:
    ran.write("gates/release.toml", gates)
    if code == 4:
        failed = tuple(one.replace(answer=None, error="timeout") for one in ten.RECORDS[:2])
        ten.write(ran, "broken", (*failed, *ten.RECORDS[2:]))
    found = ran.run(
        "score", "broken" if code == 4 else "base", "--gates", "release", "--html", "r.html", "--lang", "en"
    )
    assert found.code == code, found.out + found.err
    assert told in found.out
    assert told in Reader((ran.path / "r.html").read_text(encoding="utf-8")).text


def test_files_for_continuous_integration(ran: Folder) -> None:
    ran.write("gates/release.toml", HARD)
    found = ran.run("score", "base", "--gates", "gates/release.toml", "--junit", "j.xml", "--pull-request", "pr.md")
    assert found.code == 1
    assert "made_up_answer" in (ran.path / "j.xml").read_text(encoding="utf-8")
    assert "m000000000010" in (ran.path / "pr.md").read_text(encoding="utf-8")
    assert ran.run("score", "base", "--junit", "j.xml").code == 2


def test_changes_against_the_baseline(ran: Folder) -> None:
    better = ten.RECORDS[7].replace(
        answer="第8款产品的整机保修期为 18 个月。",
        retrieved=(ten.CHUNKS[7].chunk_id,),
        context=(ten.CHUNKS[7].chunk_id,),
        context_text=ten.TEXTS[7],
        citations=(ten.CHUNKS[7].chunk_id,),
    )
    ten.write(ran, "next", (*ten.RECORDS[:7], better, *ten.RECORDS[8:]))
    report = ran.done("score", "next", "--baseline", "base", "--json").json
    assert report["flips"] == {"worse": [], "better": ["m000000000008"], "passing": 8, "failing": 1}


def test_the_corpus_turned_over(ran: Folder) -> None:
    strange = tuple(
        one.replace(retrieved=tuple(f"chunk-{one.case_id}-{n}" for n in range(5)), context=None, citations=None)
        for one in ten.RECORDS
    )
    ten.write(ran, "strange", strange)
    found = ran.run("score", "strange", "--lang", "en")
    assert found.code == 3
    assert "turned over" in found.err and "--map" in found.err
    assert found.out == ""
    lines = [
        {"id": f"chunk-m0000000000{n:02}-2", "doc_id": f"policy{n}.md", "span": {"start": 0, "end": 99}}
        for n in range(1, 9)
    ]
    ran.write("map.jsonl", "\n".join(map(json.dumps, lines)))
    report = ran.done("score", "strange", "--map", "map.jsonl", "--json").json
    assert row(report, "mrr")["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("ks", "code"), [("3", 0), ("3，7", 0), ("0", 2), ("a", 2), ("", 2)])
def test_the_list_of_ks(ran: Folder, ks: str, code: int) -> None:
    found = ran.run("score", "base", "--k", ks, "--json")
    assert found.code == code
    if code == 0:
        assert row(found.json, "hit@3")["value"] == 0.875


def test_by_paths_alone(ran: Folder, tmp_path: Path) -> None:
    """Nothing around the files is needed: the run is named by its path, the snapshot by its folder."""
    run, snapshot = ran.path / "runs" / "base.jsonl", ran.path / "snapshots" / "v1"
    elsewhere = Folder(tmp_path, ran._monkeypatch)
    report = elsewhere.done("evaluate", str(run), "--snapshot", str(snapshot), "--level", "document", "--json").json
    assert report["run"] == "base" and row(report, "mrr")["value"] == 0.8125
    assert elsewhere.run("score", "nothing").code == 3


# Parts


def place(rank: int, item: str, **fields: Any) -> Place:
    return Place(rank=rank, item=RetrievedItem(id=item), **fields)


def test_gold_behind_unknown_ids_is_no_turned_corpus() -> None:
    of = make.chunk(make.document(), "整机质保 24 个月。")
    case = make.case(evidence_groups=((make.evidence(of, of.text),),))
    unknown = tuple(place(rank, f"x{rank}") for rank in range(1, 50))
    gold = place(50, of.chunk_id, known=True, hits=frozenset({(0, 0)}))
    record = ten.RECORDS[0]
    view = View(case=case, record=record, stages={Stage.RETRIEVED: (*unknown, gold)}, groups=(((0, 0),),))
    assert not turned([view]).over
    assert turned([View(case=case, record=record, stages={Stage.RETRIEVED: unknown}, groups=(((0, 0),),))]).over
    assert first_ranks([view]).counts == {50: 1}
    assert not turned([View(case=case, record=record, stages={Stage.RETRIEVED: ()}, groups=(((0, 0),),))]).over


def test_the_headline_takes_the_nearest_k() -> None:
    names = ("hit@1", "hit@5", "group_recall@1", "group_recall@10", "mrr", "noise")
    assert headline_of(names) == ("group_recall@1", "hit@1", "mrr")
    assert headline_of(()) == ()


def test_flips_count_common_cases_only() -> None:
    flips = flips_between({"a": True, "b": False, "c": True, "x": True}, {"a": False, "b": True, "c": True, "y": False})
    assert (flips.worse, flips.better, flips.passing, flips.failing) == (("a",), ("b",), 1, 0)


def test_the_verdict_is_that_of_the_gates() -> None:
    def outcome(result: GateResult) -> GateOutcome:
        return GateOutcome(
            gate=result.value, kind=GateKind.HARD, result=result, why="no_figure", cases=("a",), unknown=("b",)
        )

    assert standing(None) == "not_judged"
    assert standing(Release(run="r", outcomes=(outcome(GateResult.PASS),))) == "release"
    mixed = Release(run="r", outcomes=tuple(map(outcome, GateResult)))
    assert standing(mixed) == "do_not_release"
    assert [outcome_name(gate) for gate in ordered(mixed)] == ["fail", "not_measured", "pass"]
    assert [named(gate) for gate in ordered(mixed)] == [("a", "b"), ("a", "b"), ()]
    assert [line.partition(" ")[0] for line in because(mixed, words("en"))] == ["fail", "not_measured"]
    assert standing(Release(run="r", outcomes=())) == "do_not_release"


def test_contexts_that_are_plain_text_are_shown(ran: Folder) -> None:
    plain = ten.RECORDS[7].replace(retrieved=({"text": "某款产品保修三年。"},), context=None, context_text=None)
    ten.write(ran, "plain", (*ten.RECORDS[:7], plain, *ten.RECORDS[8:]))
    (told,) = ran.done("score", "plain", "--case", "m000000000008", "--json").json
    (piece,) = told["stages"]["retrieved"]
    assert piece["text"] == "某款产品保修三年。" and "unknown" in piece["marks"]


# What the user is told


@pytest.mark.parametrize(
    ("records", "count"),
    [((), 0), (tuple(one.replace(case_id=f"x{at}") for at, one in enumerate(ten.RECORDS)), 10)],
)
def test_a_run_that_answers_no_case_is_no_row_of_zeros(ran: Folder, records: tuple[Any, ...], count: int) -> None:
    ten.write(ran, "strange", records)
    found = ran.run("score", "strange", "--lang", "en")
    assert (found.code, found.out) == (3, "")
    assert f"({count} answers)" in found.err


def test_lines_that_no_figure_rests_on_are_counted(ran: Folder) -> None:
    strange = ten.RECORDS[0].replace(case_id="m0000000000ff")
    ten.write(ran, "more", (*ten.RECORDS, strange, ten.RECORDS[1]))
    report = ran.done("score", "more", "--json").json
    assert (report["flags"]["unknown_cases"], report["flags"]["replaced"]) == (1, 1)
    told = ran.done("score", "more", "--lang", "en").out
    assert "answers to cases that were not to be asked 1" in told and "lines that a later one replaced 1" in told


def test_ids_alone_are_not_told_as_unknown_passages(ran: Folder) -> None:
    bare = tuple(
        one.replace(retrieved=({"id": f"c{at}", "doc_id": "policy1.md"},), context=None, citations=None)
        for at, one in enumerate(ten.RECORDS)
    )
    ten.write(ran, "bare", bare)
    found = ran.run("score", "bare", "--lang", "en")
    assert found.code == 3
    assert "nothing but ids" in found.err and "--level document" in found.err and "0 of" not in found.err


@pytest.mark.parametrize("option", ["--html", "--markdown", "--junit", "--pull-request", "--gates"])
def test_one_case_and_a_file_of_the_run_are_not_asked_together(ran: Folder, option: str) -> None:
    found = ran.run("score", "base", "--case", "m000000000008", option, "r", "--lang", "en")
    assert (found.code, found.out) == (2, "")
    assert option in found.err


@pytest.mark.parametrize("option", ["--html", "--markdown"])
def test_no_report_is_written_over_a_run(ran: Folder, option: str) -> None:
    before = (ran.path / "runs/base.jsonl").read_bytes()
    found = ran.run("score", "base", option, "runs/base.jsonl", "--lang", "en")
    assert (found.code, found.out) == (2, "")
    assert f"{option} runs/base.jsonl" in found.err
    assert (ran.path / "runs/base.jsonl").read_bytes() == before


def test_one_file_that_cannot_be_written_keeps_no_other_back(ran: Folder) -> None:
    ran.write("gates/release.toml", HARD)
    ran.write("file", "x")
    asked = ("--html", "file/r.html", "--markdown", "r.md", "--junit", "file/j.xml", "--pull-request", "pr.md")
    found = ran.run("score", "base", "--gates", "release", *asked, "--lang", "en")
    assert found.code == 3
    assert found.err.count("cannot be written") == 2
    assert (ran.path / "r.md").exists() and (ran.path / "pr.md").exists()


def test_the_hint_asks_for_the_same_scoring(ran: Folder) -> None:
    found = ran.done("score", "base", "--level", "document", "--snapshot", "v1", "--lang", "en")
    (line,) = [line for line in found.out.splitlines() if "--case" in line]
    command = line.partition("builder ")[2].split()
    assert command[:6] == ["score", "base", "--snapshot", "v1", "--level", "document"]
    assert "retrieval" in ran.done(*command, "--lang", "en").out


def test_reasons_stand_beside_their_layer_once(ran: Folder) -> None:
    lines = ran.done("score", "base", "--lang", "en").out.splitlines()
    (line,) = [line for line in lines if "第8款" in line]
    assert line.count("retrieval") == 1
    chain = ran.done("score", "base", "--case", "m000000000008", "--lang", "en").out.splitlines()
    assert len(chain[:12]) == len(set(chain[:12]))


def test_a_case_tells_where_its_evidence_stood_and_which_claims_are_critical(ran: Folder) -> None:
    report = ran.done("score", "base", "--case", "m000000000008", "--lang", "en").out
    assert "Retrieved: not there" in report, "where the evidence stood"
    assert "wrong [critical] 整机保修期为 18 个月" in report


def test_what_is_judged_stands_beside_ranking_figures(ran: Folder) -> None:
    report = ran.done("score", "base", "--json").json
    judged = {k: row(report, f"judged@{k}")["value"] for k in (3, 20)}
    lines = [line.split() for line in ran.done("score", "base", "--lang", "en").out.splitlines()]
    shown = {cells[0]: cells[2] for cells in reversed(lines) if len(cells) > 3 and cells[0] in ("hit@3", "mrr")}
    assert shown == {"hit@3": f"{judged[3]:.2f}", "mrr": f"{judged[20]:.2f}"}


def test_texts_of_the_map_file_are_shown(ran: Folder) -> None:
    own = ten.RECORDS[7].replace(retrieved=("own-8",), context=None, citations=())
    ten.write(ran, "mapped", (*ten.RECORDS[:7], own, *ten.RECORDS[8:]))
    ran.write("map.jsonl", json.dumps({"id": "own-8", "doc_id": "policy8.md", "text": "别的一段话。"}))
    (told,) = ran.done("score", "mapped", "--map", "map.jsonl", "--case", "m000000000008", "--json").json
    assert [piece["text"] for piece in told["stages"]["retrieved"]] == ["别的一段话。"]


def test_what_counts_as_deep_is_the_same_for_all_commands() -> None:
    assert ks_of(ASKED) == KS


def test_a_baseline_that_is_not_there_is_said(ran: Folder) -> None:
    found = ran.run("score", "base", "--baseline", "nothing", "--lang", "en")
    assert found.code == 3
    assert "nothing" in found.err


def test_gates_rest_on_no_file_of_the_approved_run(ran: Folder) -> None:
    """Changes are told where it is here; where not, or where it cannot be scored, that is said."""
    ran.done("gates", "approve", "base", "--reviewer", "wang")
    ran.write("gates/release.toml", '[[hard]]\nrule = "non_existing_citation"\n')
    ten.write(ran, "next")
    for name in ("base", "gates/baselines/base.json"):
        found = ran.run("score", "next", "--gates", "release", "--baseline", name, "--lang", "en")
        assert (found.code, found.err) == (0, "")
        assert "Changes against the baseline" in found.out and "pass in both: 8" in found.out
    for spoilt in (True, False):
        (ran.path / "runs/base.jsonl").unlink()
        if spoilt:
            ran.write("runs/base.jsonl", "{}")
        found = ran.run("score", "next", "--gates", "release", "--baseline", "base", "--lang", "en")
        assert found.code == 0
        assert "not shown" in found.err and "base.jsonl" in found.err


def test_the_json_of_gates_holds_their_figures(ran: Folder) -> None:
    ran.write("gates/release.toml", HARD)
    report = ran.run("score", "base", "--gates", "release", "--json", "--lang", "en").json
    assert report["outcome"] == "do_not_release" and report["sentence"].startswith("Do not release")
    made_up = next(one for one in report["release"]["outcomes"] if one["gate"] == "made_up_answer")
    assert (made_up["result"], made_up["n"], made_up["cases"]) == ("fail", 2, ["m000000000010"])
    assert made_up["because"] == {"m000000000010": "made_up"}
    bare = ran.done("score", "base", "--json").json
    assert (bare["outcome"], bare["release"]) == ("not_judged", None)
