"""One case at the keys over a real store: siblings, groups, look-alikes, the form, the first version."""

import time
from collections.abc import Callable, Iterator

import pytest

from builder.app.claim_checks import checks_of
from builder.app.review import StoreDesk
from builder.generate.evidence import evidence_at
from builder.model.case import Case, NegativeReason, ReviewState, Source
from builder.model.claim import Claim, NumberCheck
from builder.review.session import Session, run
from builder.store import Store
from builder.words import words
from tests.folder import Folder
from tests.review.walk import ScriptedTerminal

QUOTE = "备件保修 6 个月，自更换之日起计算。"


@pytest.fixture
def store(folder: Folder) -> Iterator[Store]:
    """A case with one piece of evidence; another document says the same, a third one something like it."""
    folder.write("docs/policy.md", f"# 保修\n\n{QUOTE}\n")
    folder.write("docs/faq.md", "# 常见问题\n\n备件更换后保修六个月，从更换之日起计算。请保留凭证。\n")
    folder.write("docs/rooms.md", "# 会议室\n\n会议室可以提前 6 个月预订，请联系行政部。\n")
    folder.done("ingest", "docs")
    with folder.store() as found:
        chunk = next(one for one in found.documents.chunks() if QUOTE in one.text)
        start = chunk.text.index(QUOTE)
        case = Case(
            case_id="m00000000001",
            question="更换的备件保修多久？",
            ground_truth="保修 6 个月，自更换之日起计算。",
            evidence_groups=((evidence_at(chunk, start, start + len(QUOTE)),),),
            source=Source.MANUAL,
            review_state=ReviewState.UNREVIEWED,
        )
        found.cases.add([case], "lin")
        yield found


def press(
    folder: Folder, store: Store, *keys: str, lines: tuple[str, ...] = (), edit: Callable[[str], str] = str
) -> tuple[Case, list[str]]:
    """A session with these keys; the case as the store has it then, and the screens."""
    terminal = ScriptedTerminal(list(keys), list(lines), 100, 30)
    with StoreDesk(folder.workspace, store, who="lin") as desk:
        session = Session(
            desk=desk,
            terminal=terminal,
            say=words("zh"),
            edit=edit,
            clock=time.monotonic,
            risks=tuple(folder.workspace.settings.risk),
            checks_of=checks_of,
        )
        run(session, guard=0.0)
    return store.cases.get("m00000000001"), terminal.screens


def test_a_sibling_is_proposed_and_taken_by_one_key(folder: Folder, store: Store) -> None:
    before = store.cases.get("m00000000001")
    case, screens = press(folder, store, "1")
    assert "也含答案" not in screens[0], "the first screen does not wait for it"
    assert "另有 1 段也含答案" in screens[1] and "备件更换后保修六个月" in screens[1]
    assert [[one.doc_id for one in group] for group in case.evidence_groups] == [["policy.md", "faq.md"]]
    assert "也含答案" not in screens[-1]
    undone, _ = press(folder, store, "u")
    assert undone.replace(revision=1) == before, "also in the next session"


def test_a_passage_is_needed_too_then_as_good_then_a_look_alike(folder: Folder, store: Store) -> None:
    case, _ = press(folder, store, "/", "1", lines=("会议室 预订",))
    assert [len(group) for group in case.evidence_groups] == [1, 1]
    case, _ = press(folder, store, "]", "=")
    assert [len(group) for group in case.evidence_groups] == [2]
    case, _ = press(folder, store, "/", "1", "/", "h", "5", lines=("会议室 预订", "会议室 预订"))
    assert [len(group) for group in case.evidence_groups] == [1]
    assert [(row.evidence.doc_id, row.reason) for row in case.hard_negatives] == [
        ("rooms.md", NegativeReason.WRONG_ENTITY)
    ]


def test_a_new_claim_gets_its_check_and_the_first_version_stays_known(folder: Folder, store: Store) -> None:
    def edit(text: str) -> str:
        return text.replace("# 要点\n", "# 要点\n! 保修 12 个月\n").replace(
            "保修 6 个月，自更换", "保修 12 个月，自更换", 1
        )

    case, screens = press(folder, store, "e", "d", edit=edit)
    assert case.claims == (Claim(text="保修 12 个月", critical=True, check=NumberCheck(value="12", unit="month")),)
    assert "[-6-]{+12+} 个月" in screens[-2]
    _, screens = press(folder, store, "m", "d", lines=("核对过",))
    assert "[-6-]{+12+} 个月" in screens[-2] and "{+核对过+}" in screens[-2]


def test_the_checks_of_a_line() -> None:
    assert checks_of("整机 24 个月，电池 6 个月") == (
        NumberCheck(value="24", unit="month"),
        NumberCheck(value="6", unit="month"),
    )
    assert checks_of("Refunds take 7 days") == (NumberCheck(value="7", unit="day"),)
    assert checks_of("进水不保修") == ()
