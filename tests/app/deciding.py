"""A reviewer as a process: decides about cases of a shared pool at the real desk, and says how each decision ended.

python -m tests.app.deciding WORKSPACE WHO DECISIONS
"""

import json
import random
import sys
from pathlib import Path

from builder.app.review import StoreDesk
from builder.curate.states import decide
from builder.errors import Conflict
from builder.model.case import Case, RejectReason, ReviewState
from builder.model.decision import Action, Decision
from builder.settings import find_workspace
from builder.store import Store, open_store
from builder.store.cases import Change

_BATCH = 10
"""Every so many decisions, one act over three cases."""
_UNDO = 15
"""Every so many decisions, one undo."""


def main(folder: str, who: str, decisions: str) -> None:
    """Decide, then say the outcomes as one JSON list."""
    workspace = find_workspace(Path(folder))
    with open_store(workspace.store_url) as store:
        desk = StoreDesk(workspace, store, who=who)
        _say("ready")
        sys.stdin.readline()
        _say(json.dumps(_decisions(store, desk, who, int(decisions))))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _decisions(store: Store, desk: StoreDesk, who: str, count: int) -> list[str]:
    draw = random.Random(who)
    pool = [case.case_id for case in store.cases.list("main")]
    seen = desk.load(draw.choice(pool)).case
    outcomes = []
    for step in range(1, count + 1):
        # What is decided was read one decision ago, as people do: meanwhile others go on.
        current, seen = seen, desk.load(draw.choice(pool)).case
        try:
            if step % _BATCH == 0:
                _batch(store, draw, pool, who)
            elif step % _UNDO == 0:
                outcomes.append("ok" if desk.undo() else "nothing")
                continue
            else:
                desk.commit(current, (_decision(current, f"{who} {step}"),))
            outcomes.append("ok")
        except Conflict:
            outcomes.append("conflict")
    return outcomes


def _batch(store: Store, draw: random.Random, pool: list[str], who: str) -> None:
    """One act over three cases, in any order: two such acts must not wait for each other for ever."""
    cases = [store.cases.get(case_id) for case_id in draw.sample(pool, 3)]
    noted = [decide(case, _decision(case, f"{who} in a batch")) for case in cases]
    store.cases.apply([Change(*pair, "batch") for pair in zip(cases, noted, strict=True)], who)


def _decision(case: Case, note: str) -> Decision:
    match case.review_state:
        case ReviewState.UNREVIEWED:
            return Decision(action=Action.APPROVE)
        case ReviewState.APPROVED:
            return Decision(action=Action.REJECT, reason=RejectReason.UNCLEAR)
        case ReviewState.REJECTED:
            return Decision(action=Action.RESTORE)
        case _:
            return Decision(action=Action.EDIT, changes={"ground_truth": note})


if __name__ == "__main__":
    main(*sys.argv[1:])
