"""`python -m tests.review.play OUT`: a session on the real terminal over the desk of the tests; the cases go to OUT."""

import json
import os
import sys
import time
from pathlib import Path

from builder.review.editor import edit
from builder.review.line_mode import LineTerminal, in_lines, printer
from builder.review.session import Session, run
from builder.review.summary import lines
from builder.review.terminal import TtyTerminal
from builder.words import words
from tests.review.desk import DictDesk, desk


class Breaking(DictDesk):
    """Fails in the middle of a session, as a defect would."""

    def undo(self) -> tuple[str, ...]:
        raise RuntimeError("a defect")


def main() -> None:
    """Run until the user leaves, print the summary."""
    say = words("zh")
    Path(f"{sys.argv[1]}.pid").write_text(str(os.getpid()), encoding="utf-8")
    room = (Breaking if os.environ.get("PLAY_BREAKS") else DictDesk)(desk().cases)
    terminal = LineTerminal() if in_lines() else TtyTerminal()
    session = Session(
        desk=room,
        terminal=terminal,
        say=say,
        edit=edit,
        clock=time.monotonic,
        expression=os.environ.get("PLAY_FILTER", ""),
        blind=bool(os.environ.get("PLAY_BLIND")),
        printer=printer(terminal) if isinstance(terminal, LineTerminal) else None,
    )
    summary = run(session, guard=float(os.environ.get("PLAY_GUARD", "0")))
    cases = {case_id: case.model_dump(mode="json") for case_id, case in room.cases.items()}
    Path(sys.argv[1]).write_text(json.dumps(cases), encoding="utf-8")
    sys.stdout.write("\n".join(lines(summary, say)) + "\n")


if __name__ == "__main__":
    main()
