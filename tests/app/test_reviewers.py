"""Several people at once: nothing is lost, nothing is locked, nobody is shown what another one looks at."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.app.review import StoreDesk
from builder.model.case import Case, ReviewState
from builder.review.session import Session, run
from builder.store import Store
from builder.words import words
from tests import make
from tests.app.test_review import Screen
from tests.folder import ROOT, Folder
from tests.review.walk import Clock, ScriptedTerminal

PEOPLE = tuple(f"reviewer {number}" for number in range(6))
DECISIONS = 200
POOL = 40


@pytest.fixture
def shared(folder: Folder, url: str) -> Folder:
    """A workspace over that database, with a pool of cases."""
    folder.write("builder.toml", f'store = "{url}"\n')
    chunk = make.chunk(make.document(), "整机质保 24 个月。")
    quote = ((make.evidence(chunk, "24 个月"),),)
    whole = [make.case(f"m{number:012d}", evidence_groups=quote) for number in range(POOL - 5)]
    empty: dict[str, Any] = {"review_state": ReviewState.NEEDS_ANSWER, "ground_truth": "", "evidence_groups": quote}
    waiting = [make.case(f"f{number:012d}", **empty) for number in range(5)]
    with folder.store() as store:
        store.cases.add([*whole, *waiting], "import")
    return folder


def test_six_processes_of_two_hundred_decisions(shared: Folder) -> None:
    workers = [_reviewer(shared.path, who) for who in PEOPLE]
    for worker in workers:
        _ready(worker)
    for worker in workers:
        _go(worker)
    outcomes = [_outcomes(worker) for worker in workers]
    assert [len(one) for one in outcomes] == [DECISIONS] * len(PEOPLE), "each was taken or refused"
    counted = Counter(outcome for one in outcomes for outcome in one)
    assert counted["conflict"] > 0, "they did get in each other's way"
    with shared.store() as store:
        written = 0
        for who, one in zip(PEOPLE, outcomes, strict=True):
            acts = store.cases.acts("main", who)
            assert len(acts) == one.count("ok"), "each decision that was taken is there exactly once"
            lengths = [len(store.cases.revisions_of(act.act)) for act in acts]
            assert 0 not in lengths
            written += sum(lengths)
        assert sum(_true_history(store, case) for case in store.cases.list("main")) == written


def test_two_people_in_one_process(shared: Folder) -> None:
    """Each walks the whole queue by a key that goes on; neither is shown what is before the other's eyes."""
    with shared.store() as store:
        lin, wang = (StoreDesk(shared.workspace, store, who=who) for who in ("lin", "wang"))
        first, second, *_ = lin.queue()
        lin.load(first)
        assert _shown(_walked(wang, "n")) == lin.queue()[1:3]
        wang.load(second)
        lin.load(lin.queue()[2])
        assert first in _shown(_walked(wang, "n")), "what was left is free at once"


def test_two_people_in_two_processes(docs: Folder) -> None:
    """Two real terminals at the same time; what a killed one held is held, what a closed one held is free."""
    docs.done("generate", "--writer", "extractive", "--cases", "3")
    with docs.store() as store:
        order = StoreDesk(docs.workspace, store, who="lin").queue()
        texts = {store.cases.get(case_id).question[:12]: case_id for case_id in order}
        screens = [Screen(docs, 100, 30, who=who) for who in ("lin", "wang")]
        shown = [_case_on(screen, texts) for screen in screens]
        assert len(set(shown)) == 2
        assert store.reservations.held("main") == dict(zip(shown, ("lin", "wang"), strict=True))
        screens[0].kill()
        screens[1].press("q", "本次审核")
        screens[1].end()
        assert store.reservations.held("main") == {shown[0]: "lin"}
        third = Screen(docs, 100, 30, who="zhao")
        assert _case_on(third, texts) != shown[0]
        third.press("q", "本次审核")
        third.end()


def _case_on(screen: Screen, texts: dict[str, str]) -> str:
    """The case that a terminal shows."""
    screen.wait("/3")
    found = [case_id for question, case_id in texts.items() if question in screen.text]
    assert len(found) == 1, screen.text
    return found[0]


def _walked(desk: StoreDesk, *keys: str) -> list[str]:
    terminal = ScriptedTerminal(list(keys))
    run(Session(desk=desk, terminal=terminal, say=words("zh"), edit=lambda text: text, clock=Clock()), 0.0)
    return terminal.screens


def _shown(screens: list[str]) -> tuple[str, ...]:
    """Ids on the screens, in the order of their painting."""
    found = (re.search(r"\b[mf][0-9]{12}\b", screen) for screen in screens)
    return tuple(dict.fromkeys(match[0] for match in found if match))


def _reviewer(workspace: Path, who: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.app.deciding", str(workspace), who, str(DECISIONS)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _ready(worker: "subprocess.Popen[str]") -> None:
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"


def _go(worker: "subprocess.Popen[str]") -> None:
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()


def _outcomes(worker: "subprocess.Popen[str]") -> list[str]:
    out, err = worker.communicate(timeout=120)
    assert (worker.returncode, err) == (0, "")
    found: list[str] = json.loads(out)
    return found


def _true_history(store: Store, case: Case) -> int:
    """Revisions follow each other without a gap, each starts where the one before ended. Returns their number."""
    created, *later = store.cases.history(case.case_id)
    assert [row.number for row in (created, *later)] == list(range(1, case.revision + 1))
    first = Case.model_validate(created.after)
    fields = first.model_dump(mode="json")
    for row in later:
        assert {name: fields[name] for name in row.before} == row.before, "nobody's change was overwritten unseen"
        fields |= row.after
    assert Case.model_validate(fields | {"revision": case.revision}) == case
    return len(later)
