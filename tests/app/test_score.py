"""`builder score`: the fixture of ten, without a database; figures, layers, texts, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from builder.app.score import headline_of
from builder.app.score_parts import first_ranks, flips_between, judged_by
from builder.app.score_turned import turned
from builder.model.gate import GateKind, GateOutcome, GateResult, Release
from builder.model.run import RetrievedItem
from builder.score.uses import read_uses
from builder.score.view import Place, Stage, View
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
        return GateOutcome(gate=result.value, kind=GateKind.HARD, result=result, why="x", cases=("a",), unknown=("b",))

    assert judged_by(None).outcome == "not_judged"
    assert judged_by(Release(run="r", outcomes=(outcome(GateResult.PASS),))).outcome == "release"
    mixed = judged_by(Release(run="r", outcomes=tuple(map(outcome, GateResult)), roll_back=("P95 > 3 s",)))
    assert mixed.outcome == "do_not_release"
    assert [gate.outcome for gate in mixed.gates] == ["fail", "not_measured", "pass"]
    assert len(mixed.because) == 2 and mixed.roll_back == ("P95 > 3 s",)
    assert judged_by(Release(run="r", outcomes=())).outcome == "do_not_release"


def test_contexts_that_are_plain_text_are_shown(ran: Folder) -> None:
    plain = ten.RECORDS[7].replace(retrieved=({"text": "某款产品保修三年。"},), context=None, context_text=None)
    ten.write(ran, "plain", (*ten.RECORDS[:7], plain, *ten.RECORDS[8:]))
    (told,) = ran.done("score", "plain", "--case", "m000000000008", "--json").json
    (piece,) = told["stages"]["retrieved"]
    assert piece["text"] == "某款产品保修三年。" and "unknown" in piece["marks"]
