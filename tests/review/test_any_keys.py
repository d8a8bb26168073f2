"""Any keys at one case: nothing raises, undo leads back to the start, and what was decided gives what stands there."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from builder.curate.states import decide
from builder.model.case import Case, ReviewState, Status
from builder.model.decision import Decision
from builder.review.desk import Item
from builder.review.keys import KEYS, Act
from tests.review.desk import FAQ, POLICY, DictDesk, desk, feedback, generated, passage
from tests.review.walk import walk

SIBLINGS = (passage(POLICY.quote("人为原因导致的损坏（包括进水、私拆）需付费维修")), passage(FAQ.quote("尘盒不可进水")))


@dataclass
class Recording(DictDesk):
    """Keeps the decisions that stand, in the order in which they were made."""

    log: list[tuple[str, tuple[Decision, ...]]] = field(default_factory=list)
    taken_back: list[tuple[str, tuple[Decision, ...]]] = field(default_factory=list)

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        item = super().commit(case, decisions)
        self.log.append((case.case_id, decisions))
        self.taken_back.clear()
        return item

    def undo(self) -> tuple[str, ...]:
        found = super().undo()
        self.taken_back += [self.log.pop()] if found else []
        return found

    def redo(self) -> tuple[str, ...]:
        found = super().redo()
        self.log += [self.taken_back.pop()] if found else []
        return found


def _start() -> dict[str, Case]:
    gone = feedback().replace(
        case_id="f000000000001",
        answerable=False,
        acceptable_status=(Status.REFUSE,),
        review_state=ReviewState.UNREVIEWED,
    )
    return desk().cases | {gone.case_id: gone}


def _replayed(log: list[tuple[str, tuple[Decision, ...]]]) -> dict[str, Case]:
    cases = _start()
    for case_id, decisions in log:
        for decision in decisions:
            cases[case_id] = decide(cases[case_id], decision)
    return {case_id: case.replace(revision=1) for case_id, case in cases.items()}


def _bare(cases: dict[str, Case]) -> dict[str, Case]:
    return {case_id: case.replace(revision=1) for case_id, case in cases.items()}


# Whatever a person may do to the form; several of these are wrong.
_EDITS = [
    ("\n\n", "\n\n改"),
    ("24 个月", "两年"),
    ("# 参考答案\n", "# 参考答案\n需付费维修\n"),
    ("# 高风险主题\n", "# 高风险主题\nrefund\n"),
    ("# 高风险主题\n", "# 高风险主题\nlunch\n"),
    ("# 要点\n", "# 要点\n! 进水不保\n"),
    ("# 不得出现\n", "# 不得出现\n进水可保\n"),
    ("# 提问日\n", "# 提问日\n2026-01-31\n"),
    ("# 相关程度\n", "# 相关程度\n[1] = 2\n"),
    ("# 引文\n", "# 引文\n[3]\n"),
    ("[1]", "[2]"),
    ("角色：", "角色：售后、法务"),
    ("lunch", "safety"),
]
_APART = (Act.QUIT, Act.FILTER, Act.BATCH, Act.PICTURE)
_OWN = [name for key in KEYS for name in key.names if key.act not in _APART]
_OFTEN = ["=", "h", "h", "1", "2", "3", "0", "d", "e", "e", "m", "/", "]", "k", "u", "U", "esc", "n"]
_KEYS = st.sampled_from([*_OWN, *_OFTEN, "通", "resize", "Z", "0"])
_LINES = st.lists(st.sampled_from([None, "2", "进水", "付费维修", "核对过", "g0"]), max_size=8)


@settings(max_examples=120, deadline=None)
@given(keys=st.lists(_KEYS, max_size=40), lines=_LINES, edits=st.lists(st.sampled_from(_EDITS), max_size=12))
def test_any_keys(keys: list[str], lines: list[str | None], edits: list[tuple[str, str]]) -> None:
    room = Recording(_start(), siblings=SIBLINGS)
    forms = list(edits)

    def edit(text: str) -> str:
        return text.replace(*forms.pop(0)) if forms else text

    seen = walk(room, *keys, lines=tuple(lines), edit=edit, risks=("refund", "safety"))
    assert seen.summary.approved + seen.summary.rejected + seen.summary.left == len(room.cases)
    assert _bare(room.cases) == _replayed(room.log)
    for case in room.cases.values():
        marked = [row.evidence for row in case.hard_negatives]
        assert not set(marked) & set(case.evidence) and len(marked) == len(set(marked))
    walk(room, *["u"] * (len(room.done) + 1))
    assert _bare(room.cases) == _start()


def test_the_start_is_one() -> None:
    assert generated().case_id in _start() and _replayed([]) == _start()
