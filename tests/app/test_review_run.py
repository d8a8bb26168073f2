"""`builder review --run` in a real terminal: verdicts are in the store and in the file, whatever happens."""

import json
import os
import signal
import sys
import time
from datetime import UTC, datetime

import pexpect
import pyte
import pytest

from builder.app.review_run import RunDesk
from builder.app.run_places import Places
from builder.errors import InputError
from builder.model.case import Case, ReviewState
from builder.model.claim import Claim, NumberCheck
from builder.model.run import RunHeader, RunRecord
from builder.model.verdict import AnswerVerdict, Judgement, Verdict
from builder.review.answers.desk import Key, Saying, Why
from builder.score.run_file import append_records, write_run
from builder.score.scored import Score
from builder.score.verdict_file import current, read_verdicts, verdict_path
from builder.snapshot.write import write_snapshot
from tests import make
from tests.folder import ROOT, Folder
from tests.snapshot.world import facts, plan

CLAIM = Claim(text="整机质保 24 个月", critical=True, check=NumberCheck(value="24", unit="month"))


def case(case_id: str, **fields: object) -> Case:
    known: dict[str, object] = {"question": "整机质保多久？", "claims": (CLAIM,), "review_state": ReviewState.APPROVED}
    return make.case(case_id, **(known | fields))


CASES = (
    case("m000000000001"),
    case("m000000000002", risk="refund", question="退款多久到账？", ground_truth="3 至 7 个工作日。", claims=()),
    case("m000000000003", question="电池质保多久？", claims=()),
    case("m000000000004", question="滤网多久换？", claims=()),
)
RECORDS = (
    RunRecord(
        case_id="m000000000001", answer="整机质保 12 个月。", context_text="整机保修期为 24 个月。\n备件保修 6 个月。"
    ),
    RunRecord(case_id="m000000000002", answer="明天一定到账。", citations=({"id": "policy.md#9"},)),
    RunRecord(case_id="m000000000003", answer="6 个月。"),
    RunRecord(case_id="m000000000003", repeat=2, answer="12 个月。"),
    RunRecord(case_id="m000000000004", answer="两个月。"),
    RunRecord(case_id="g99999999999", answer="不在快照里。"),
)


@pytest.fixture
def ran(folder: Folder) -> Folder:
    """A workspace whose database holds none of the cases that the snapshot holds, and a run."""
    folder.write("builder.toml", "")
    (folder.path / "snapshots").mkdir()
    manifest = write_snapshot(folder.path / "snapshots", plan(CASES, (), ()), facts())
    header = RunHeader(snapshot="v1", snapshot_hash=manifest.content_hash, config={"model": "m"})
    write_run(folder.path / "runs" / "base.jsonl", header, RECORDS)
    return folder


class Screen:
    """A terminal with a running `builder review --run base`."""

    def __init__(self, folder: Folder, columns: int, rows: int, *more: str, language: str = "zh") -> None:
        environ = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
        command = ["-m", "builder", "review", "--run", "base", "--reviewer", "lin", "--lang", language, *more]
        self._child = pexpect.spawn(
            sys.executable,
            command,
            cwd=str(folder.path),
            env=environ,
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=20,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)

    def press(self, keys: str, wanted: str) -> str:
        """Type `keys`, once a person could have read the screen, and wait until `wanted` is on it."""
        time.sleep(0.7)
        self._child.send(keys)
        return self.wait(wanted)

    def wait(self, wanted: str) -> str:
        """Wait until `wanted` is on the screen."""
        for _ in range(400):
            try:
                self._stream.feed(self._child.read_nonblocking(65536, timeout=0.05))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                break
            if wanted in self.text:
                return self.text
        raise AssertionError(f"{wanted!r} is not on the screen:\n{self.text}")

    @property
    def text(self) -> str:
        """What is on the screen; the second half of a wide character is no character."""
        rows = [
            [self._screen.buffer[row][at].data for at in range(self._screen.columns)]
            for row in range(self._screen.lines)
        ]
        return "\n".join("".join(row) for row in rows)

    def kill(self) -> None:
        """End it without a word."""
        self._child.kill(signal.SIGKILL)
        self._child.wait()

    def end(self) -> str:
        """Wait for the end; returns what came last."""
        self._child.expect(pexpect.EOF)
        self._stream.feed(self._child.before or "")
        self._child.close()
        assert self._child.exitstatus == 0
        return self.text


def stored(folder: Folder) -> tuple[AnswerVerdict, ...]:
    with folder.store() as store:
        return store.verdicts.of_run("base")


def written(folder: Folder) -> tuple[AnswerVerdict, ...]:
    return read_verdicts(folder.path / "runs" / "base.verdicts.jsonl")


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (80, 24), (60, 20)])
def test_a_whole_session(ran: Folder, columns: int, rows: int) -> None:
    screen = Screen(ran, columns, rows)
    first = screen.wait("1/5")
    assert "关键错误" in first and "整机质保 12 个月。" in first and "整机保修期为 24 个月" in first
    screen.press("1", "要点 1：对")
    screen.press("1", "要点 1：错")
    screen.press("x", "2/5")
    assert "高风险" in screen.text and "明天一定到账" in screen.text and "查无此片段" in screen.text
    screen.press("ｘ", "3/5")
    assert "多次回答不一" in screen.text
    screen.press("\x7f", "已撤销 m000000000002")
    screen.press("m", "备注")
    screen.press("没有依据\r", "备注已保存")
    screen.press("-", "3/5")
    screen.press("q", "评判回答")
    assert "1 个回答的题不在快照里" in screen.end()
    assert stored(ran) == written(ran) and len(stored(ran)) == 7
    found = {line.case_id: line for line in current(stored(ran))}
    assert {one: line.verdict for one, line in found.items()} == {
        "m000000000001": Verdict.WRONG,
        "m000000000002": Verdict.REFUSED_WRONGLY,
    }
    assert found["m000000000001"].claims[0].verdict is Judgement.WRONG
    assert found["m000000000001"].claims[0].text == CLAIM.text
    assert (found["m000000000002"].note, found["m000000000002"].who) == ("没有依据", "lin")
    with ran.store() as store:
        assert store.cases.datasets() == ()


def test_killed_it_keeps_every_verdict_and_the_file_catches_up(ran: Folder) -> None:
    screen = Screen(ran, 100, 30)
    screen.wait("1/5")
    screen.press("a", "2/5")
    screen.press("x", "3/5")
    screen.kill()
    assert [line.verdict for line in stored(ran)] == [Verdict.CORRECT, Verdict.WRONG]
    # As if it had been killed between store and file, in the middle of a line.
    path = ran.path / "runs" / "base.verdicts.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError):
        read_verdicts(path)
    again = Screen(ran, 100, 30)
    again.wait("1/3")
    again.press("u", "已撤销 m000000000002")
    again.press("q", "评判回答")
    again.end()
    assert stored(ran) == written(ran) and len(stored(ran)) == 3
    assert [line.case_id for line in current(stored(ran))] == ["m000000000001"]


def desk(folder: Folder, who: str = "lin", **more: object) -> RunDesk:
    path = Places(folder.path, folder.workspace).run("base")
    return RunDesk(folder.workspace, folder.store(), path, who=who, **more)  # type: ignore[arg-type]


def keys(folder: Folder, who: str = "lin", **more: object) -> list[tuple[str, int, Why]]:
    room = desk(folder, who, **more)
    return [(key.case_id[-1], key.repeat, room.load(key).why) for key in room.queue()]


def test_the_order(ran: Folder) -> None:
    found = keys(ran)
    assert found[0] == ("1", 1, Why.CRITICAL) and found[1] == ("2", 1, Why.RISK)
    assert found[2:] == [("3", 1, Why.UNSTABLE), ("3", 2, Why.UNSTABLE), ("4", 1, Why.UNKNOWN)]
    assert [row[0] for row in keys(ran, sample=0)] == ["1", "2", "3", "3"]


def test_scores_of_others_decide_the_sample(ran: Folder) -> None:
    def scored(case_id: str, repeat: int) -> Score | None:
        return Score(80, case_id[-1] != "4", False)

    assert {("4", 1, Why.HIGH_FAILURE), ("1", 1, Why.LOW_PASS)} <= set(keys(ran, scored=scored))


def test_each_reviewer_has_verdicts_of_their_own(ran: Folder) -> None:
    key = Key("m000000000001", 1)
    lin, wang = desk(ran), desk(ran, "wang")
    lin.judge(lin.load(key), Saying(verdict=Verdict.WRONG))
    wang = desk(ran, "wang")
    assert key in wang.queue() and [line.who for line in wang.load(key).others] == ["lin"]
    wang.judge(wang.load(key), Saying(verdict=Verdict.CORRECT))
    assert wang.undo() == key and wang.undo() is None
    assert [line.who for line in current(written(ran))] == ["lin"]
    assert key not in desk(ran).queue()


def test_blind_hides_checks_and_others_until_the_decision(ran: Folder) -> None:
    key = Key("m000000000001", 1)
    wang = desk(ran, "wang")
    wang.judge(wang.load(key), Saying(verdict=Verdict.WRONG))
    room = desk(ran, blind=True)
    before = room.load(key)
    after = room.judge(before, Saying(verdict=Verdict.WRONG))
    assert before.checked == () == before.others
    assert len(after.checked) == len(after.others) == 1


def test_a_verdict_on_an_answer_that_changed_does_not_count(ran: Folder) -> None:
    key = Key("m000000000001", 1)
    room = desk(ran)
    room.judge(room.load(key), Saying(verdict=Verdict.CORRECT))
    append_records(Places(ran.path, ran.workspace).run("base"), [RECORDS[0].replace(answer="整机质保 24 个月。")])
    room = desk(ran)
    answer = room.load(key)
    assert key in room.queue() and answer.mine is None
    assert answer.old is not None and answer.old.verdict is Verdict.CORRECT


def test_a_verdict_by_another_reference_does_not_count(ran: Folder) -> None:
    key = Key("m000000000003", 1)
    room = desk(ran)
    room.judge(room.load(key), Saying(verdict=Verdict.CORRECT))
    changed = (*CASES[:2], CASES[2].replace(ground_truth="12 个月"), CASES[3])
    write_snapshot(ran.path / "snapshots", plan(changed, (), ()), facts("v2"))
    path = Places(ran.path, ran.workspace).run("base")
    path.write_text(
        path.read_text(encoding="utf-8").replace('"v1"', '"v2"').replace("snapshot_hash", "was"), encoding="utf-8"
    )
    room = desk(ran)
    assert key in room.queue() and room.load(key).old is not None


def test_lines_that_came_with_version_control_are_taken_in(ran: Folder) -> None:
    room = desk(ran, "wang")
    room.judge(room.load(Key("m000000000001", 1)), Saying(verdict=Verdict.WRONG, note="金额不对"))
    lines = stored(ran)
    (ran.path / "data" / "builder.db").unlink()
    assert stored(ran) == ()
    assert desk(ran).load(Key("m000000000001", 1)).others[0].note == "金额不对"
    assert stored(ran) == lines == written(ran)


def test_a_line_by_hand_that_undoes_nothing_is_no_crash(ran: Folder) -> None:
    line = AnswerVerdict(id="x1", run="base", case_id="m000000000001", who="lin", at=datetime.now(UTC), undoes="gone")
    path = verdict_path(Places(ran.path, ran.workspace).run("base"))
    path.write_text(line.model_dump_json() + "\n", encoding="utf-8")
    assert desk(ran).undo() is None and desk(ran).redo() is None


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("nobody", None, "base"),
        ("base", ("v1", "v9"), "snapshot list"),
        ("base", ('"snapshot_hash":"', '"snapshot_hash":"0'), "v1"),
        ("base", ('{"schema_version":1,"case_id":"m000000000002"', '{"schema_version":1,"case":"x"'), "line 3"),
        ("base", ("m0000000000", "m1111111111"), "case ids"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(ran: Folder, name: str, change: tuple[str, str] | None, said: str) -> None:
    path = ran.path / "runs" / "base.jsonl"
    if change:
        path.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        RunDesk(ran.workspace, ran.store(), Places(ran.path, ran.workspace).run(name), who="lin")
    assert said in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_without_a_terminal(ran: Folder) -> None:
    found = ran.run("review", "--run", "base", "--reviewer", "lin")
    assert found.code == 2 and len(found.err.strip().splitlines()) == 1


def test_a_run_of_a_thousand_answers_opens_fast(folder: Folder) -> None:
    folder.write("builder.toml", "")
    (folder.path / "snapshots").mkdir()
    many = tuple(case(f"m{number:012d}") for number in range(500))
    write_snapshot(folder.path / "snapshots", plan(many, (), ()), facts())
    read = "整机保修期为自出厂之日起 24 个月。备件保修 6 个月，自更换之日起计算。" * 60
    records = [
        RunRecord(case_id=one.case_id, repeat=repeat, answer=f"整机质保 {24 - number % 3} 个月。", context_text=read)
        for number, one in enumerate(many)
        for repeat in (1, 2)
    ]
    write_run(folder.path / "runs" / "base.jsonl", RunHeader(snapshot="v1"), records)
    begun = time.process_time()
    room = desk(folder)
    order = room.queue()
    room.load(order[0])
    opened = time.process_time() - begun
    assert len(order) > 600 and opened < 2.0
    begun = time.process_time()
    for key in order[:20]:
        room.judge(room.load(key), Saying(verdict=Verdict.CORRECT))
    assert (time.process_time() - begun) / 20 < 0.05


def test_the_file_is_plain_json(ran: Folder) -> None:
    room = desk(ran)
    room.judge(room.load(Key("m000000000001", 1)), Saying(verdict=Verdict.WRONG, claims=((0, Judgement.WRONG),)))
    (line,) = (ran.path / "runs" / "base.verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    values = json.loads(line)
    assert (values["run"], values["case_id"], values["verdict"]) == ("base", "m000000000001", "wrong")
    assert values["claims"] == [{"index": 0, "text": CLAIM.text, "verdict": "wrong"}]
    assert values["schema_version"] == 1 and len(values["answer_hash"]) == 64
