"""TREC run files: `question-id Q0 passage-id rank score tag`, one passage a line; they tell what was retrieved only.

Passages are ordered by score, equal scores by rank (the tools of TREC ignore the rank and break ties by id). Ids with
white space stand percent-encoded. Of several systems in one file the first is taken.
"""

import math
from collections.abc import Iterator
from urllib.parse import unquote

from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow


def fits(suffix: str, text: str) -> bool:
    """Six words in the first line, the second of them Q0."""
    words = text.lstrip("\ufeff \t\r\n").split("\n", 1)[0].split()
    return len(words) == 6 and words[1].upper() == "Q0"


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row a question, in the order of the file."""
    found: dict[str, list[tuple[float, float, str, int]]] = {}
    system: str | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = line.split()
        if not words:
            continue
        parsed = _parsed(words)
        if parsed is None:
            yield RowProblem(row=number, code="bad_trec", detail=line[:80])
            continue
        system = words[5] if system is None else system
        if words[5] != system:
            yield RowProblem(row=number, code="other_system", detail=words[5])
            continue
        found.setdefault(unquote(words[0]), []).append((*parsed, unquote(words[2]), number))
    for case_id, hits in found.items():
        best = sorted(hits, key=lambda hit: (-hit[0], hit[1]))
        items = [{"id": passage, "score": score} for score, _, passage, _ in best]
        yield RunRow(number=hits[0][3], case_id=case_id, question=case_id, values={"retrieved": items})


def _parsed(words: list[str]) -> tuple[float, float] | None:
    """Score and rank; what is no number has no place in an order."""
    if len(words) != 6:
        return None
    try:
        score, rank = float(words[4]), float(words[3])
    except ValueError:
        return None
    return (score, rank) if math.isfinite(score) and math.isfinite(rank) else None
