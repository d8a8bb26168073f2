"""`builder review --pool`: what nobody judged of runs, judged as decisions about the cases."""

import os
import sys
from pathlib import Path

import pexpect
import pytest

from builder.app.review_pool import Pool, review_pool
from builder.model.case import Case, NegativeReason, ReviewState
from builder.model.run import RetrievedItem, RunHeader, RunRecord
from builder.review.line_mode import LineTerminal
from builder.score.run_file import write_run
from builder.snapshot.write import write_snapshot
from builder.store.cases import Change
from builder.words import words
from tests import make
from tests.folder import ROOT, Folder
from tests.snapshot.world import facts, plan

POLICY, GUIDE = make.document("policy.md"), make.document("guide.md")
TEXTS = (
    "整机质保 24 个月，自出厂之日起算。",
    "电池质保 6 个月，自更换之日起算。",
    "整机的保修期是两年。",
    "保修须凭发票。",
)
GOLD, BATTERY, TWIN, INVOICE = (
    make.chunk(POLICY, TEXTS[0], 0, 0),
    make.chunk(POLICY, TEXTS[1], 100, 1),
    make.chunk(GUIDE, TEXTS[2], 0, 0),
    make.chunk(GUIDE, TEXTS[3], 100, 1),
)
CHUNKS = (GOLD, BATTERY, TWIN, INVOICE)
EVIDENCE = make.evidence(GOLD, "整机质保 24 个月")
ONE = make.case("m000000000001", evidence_groups=((EVIDENCE,),), review_state=ReviewState.APPROVED)
TWO = make.case("m000000000002", question="保修要什么？", ground_truth="发票。", review_state=ReviewState.APPROVED)
GONE = make.case("m000000000003", evidence_groups=((EVIDENCE,),), review_state=ReviewState.APPROVED)
ASKED = make.case("m000000000004", evidence_groups=((EVIDENCE,),), review_state=ReviewState.APPROVED)
BASE = (
    RunRecord(case_id=ONE.case_id, answer="24 个月。", retrieved=(BATTERY.chunk_id, TWIN.chunk_id)),
    RunRecord(
        case_id=TWO.case_id,
        answer="发票。",
        # Text that stands in a chunk, with other white space; text that stands nowhere.
        retrieved=(RetrievedItem(id="77", text="保修须凭 发票"), RetrievedItem(id="78", text="今天天气很好很好。")),
    ),
    RunRecord(case_id=ASKED.case_id, answer="?", retrieved=(INVOICE.chunk_id,)),
)
OTHER = (RunRecord(case_id=ONE.case_id, answer="24 个月。", retrieved=(GOLD.chunk_id, BATTERY.chunk_id)),)


@pytest.fixture
def pooled(folder: Folder) -> Folder:
    """A workspace with cases, chunks, a snapshot that holds only the chunk of the evidence, and two runs."""
    folder.write("builder.toml", "[review]\nreviewer = 'lin'\n")
    (folder.path / "snapshots").mkdir()
    manifest = write_snapshot(
        folder.path / "snapshots", plan((ONE, TWO, GONE, ASKED), (GOLD,), (POLICY, GUIDE)), facts()
    )
    header = RunHeader(snapshot="v1", snapshot_hash=manifest.content_hash, config={})
    write_run(folder.path / "runs" / "base.jsonl", header, BASE)
    write_run(folder.path / "runs" / "other.jsonl", header, OTHER)
    with folder.store() as store:
        for document, chunks in ((POLICY, (GOLD, BATTERY)), (GUIDE, (TWIN, INVOICE))):
            text = "".join(chunk.text.ljust(100) for chunk in chunks)
            store.documents.save_reading(document, make.reading(document), [make.page(text)])
            store.documents.replace_chunks(document, chunks)
        store.cases.add([ONE, TWO, ASKED.replace(question="另一个问题？")], "test")
    return folder


class Paper(LineTerminal):
    """Answers by what is asked; the rest is the real one."""

    __slots__ = ("asked", "printed", "says")

    def __init__(self, says: dict[str, str] | list[str]) -> None:
        self.prompt, self.bare = "", ""
        self.says, self.printed, self.asked = says, "", 0

    def size(self) -> tuple[int, int]:
        return (80, 24)

    def write(self, lines: tuple[str, ...]) -> None:
        self.printed += "".join(f"{line}\n" for line in lines)

    def _line(self, prompt: str) -> str | None:
        if isinstance(self.says, list):
            return self.says.pop(0) if self.says else None
        self.asked += 1
        if self.asked > 20 or "看过了" in self.printed:
            return None
        shown = self.printed.rpartition(" 段落 ")[2]
        return next((key for text, key in self.says.items() if text in (prompt + shown)), "q")


def judged(folder: Folder, says: dict[str, str] | list[str], *runs: str) -> tuple[str, str]:
    """What the session printed, and its summary."""
    paper = Paper(says)
    lines = review_pool(folder.workspace, words("zh"), runs or ("base", "other"), terminal=paper)
    return paper.printed, "\n".join(lines)


def case(folder: Folder, case_id: str) -> Case:
    with folder.store() as store:
        return store.cases.get(case_id)


ALL = {"原因": "2", "电池": "x", "两年": "a", "发票": "a"}


def test_judgements_are_decisions_and_figures_change(pooled: Folder) -> None:
    printed, said = judged(pooled, ALL)
    one, two = case(pooled, ONE.case_id), case(pooled, TWO.case_id)
    assert [[piece.quote for piece in group] for group in one.evidence_groups] == [["整机质保 24 个月", TEXTS[2]]]
    assert [(row.evidence.quote, row.reason) for row in one.hard_negatives] == [(TEXTS[1], NegativeReason.WRONG_TIME)]
    assert [[piece.quote for piece in group] for group in two.evidence_groups] == [["保修须凭发票"]]
    assert one.review_state is two.review_state is ReviewState.UNREVIEWED
    assert printed.count("段落 ") == 3 and "整机质保多久？" in printed and "<<保修须凭发票>>" in printed
    rows = {tuple(line.split()[:2]): line.split()[2:] for line in said.splitlines() if "@10" in line}
    assert rows["base", "group_recall@10"] == ["0.0000", "→", "1.0000", "n", "1", "→", "2"]
    assert rows["base", "hit@10"][2] == "1.0000"
    assert rows["base", "judged@10"] == ["0.0000", "→", "0.7500", "n", "1", "→", "2"]
    assert rows["other", "judged@10"][:3] == ["0.5000", "→", "1.0000"]
    for told in ("1 个段落按编号", "1 条用例不在库", "1 条用例的问法", "2 条已通过的用例", "快照不变"):
        assert told in said
    with pooled.store() as store:
        revisions = store.cases.history(ONE.case_id)
        assert [(row.who, row.action) for row in revisions[1:]] == [("lin", "edit")] * 2
        assert Pool(pooled.workspace, store, ["base", "other"]).cases().keys() == {ONE.case_id, TWO.case_id}


def test_what_is_judged_is_not_shown_again(pooled: Folder) -> None:
    judged(pooled, ALL)
    printed, said = judged(pooled, ["q"])
    assert printed == "" and "1 个段落按编号" in said


def test_a_hard_negative_keeps_the_approval_and_other_is_the_usual_reason(pooled: Folder) -> None:
    _, said = judged(pooled, {"原因": "", "电池": "x"}, "other")
    one = case(pooled, ONE.case_id)
    assert [row.reason for row in one.hard_negatives] == [NegativeReason.OTHER]
    assert one.review_state is ReviewState.APPROVED and "回到待审" not in said


def test_needed_too_and_undone(pooled: Folder) -> None:
    printed, said = judged(pooled, ["n", "u", "u", "?", "z", "n", "q"], "other")
    one = case(pooled, ONE.case_id)
    assert [len(group) for group in one.evidence_groups] == [1, 1] and "n 1" in said
    for told in ("已撤销 m000000000001", "本次没有可撤销的", "全部按键", "没有这个键：z", "段落都看过了"):
        assert told in printed
    with pooled.store() as store:
        assert [row.action for row in store.cases.history(ONE.case_id)] == ["create", "edit", "undo", "edit"]


def test_the_group_in_focus(pooled: Folder) -> None:
    judged(pooled, {"电池": "n"}, "other")
    printed, _ = judged(pooled, ["9", "2", "a", "q"], "base")
    one = case(pooled, ONE.case_id)
    assert [[piece.quote for piece in group] for group in one.evidence_groups][1] == [TEXTS[1], TEXTS[2]]
    assert "只有 2 组依据" in printed and "a 将作为第 2 组依据的替代" in printed


def test_evidence_is_no_hard_negative_and_a_cancelled_reason_writes_nothing(pooled: Folder) -> None:
    wide = make.chunk(POLICY, TEXTS[0][2:], 2, 2)
    with pooled.store() as store:
        store.documents.replace_chunks(POLICY, (GOLD, BATTERY, wide))
    path = pooled.path / "runs" / "base.jsonl"
    path.write_text(path.read_text("utf-8").replace(TWIN.chunk_id, wide.chunk_id), "utf-8")
    printed, _ = judged(pooled, {"已取消": "s", "原因": "esc", "重合": "s", "电池": "x", "出厂": "x"}, "base")
    assert "与依据有重合" in printed and "已取消" in printed
    assert case(pooled, ONE.case_id).hard_negatives == ()


def test_a_conflict_writes_nothing(pooled: Folder) -> None:
    class Late(Paper):
        """Somebody else decides while the passage is looked at."""

        def _line(self, prompt: str) -> str | None:
            if "请重看" in self.printed:
                return None
            with pooled.store() as store:
                now = store.cases.get(ONE.case_id)
                store.cases.apply([Change(now, now.replace(note="看过"), "edit")], "wang")
            return "a"

    paper = Late([])
    review_pool(pooled.workspace, words("zh"), ["other"], terminal=paper)
    assert "请重看" in paper.printed
    assert case(pooled, ONE.case_id).evidence_groups == ONE.evidence_groups


def test_wrong_use(pooled: Folder) -> None:
    for wrong in (["--pool"], ["base"], ["--pool", "base", "--run", "base"]):
        found = pooled.run("review", *wrong)
        assert found.code == 2 and "--pool" in found.err
    assert "terminal" in pooled.run("review", "--pool", "base", "--lang", "en").err


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_in_a_terminal(pooled: Folder, term: str) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "builder", "review", "--pool", "base", "other", "--lang", "zh"],
        cwd=str(pooled.path),
        env=os.environ | {"PYTHONPATH": str(Path(ROOT)), "TERM": term},
        encoding="utf-8",
        timeout=20,
    )
    for key in ("s", "s", "a", "q"):
        child.expect(r"\?,q\]> " if key != "q" else r"\[u,q\]> ")
        child.sendline(key)
    child.expect("judged@10")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert [piece.quote for piece in case(pooled, TWO.case_id).evidence] == ["保修须凭发票"]
