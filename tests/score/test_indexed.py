"""What a map file of a system's chunks tells of the evidence."""

from typing import Any

from builder.model.chunk import Chunk
from builder.model.snapshot import FrozenDocument
from builder.score.indexed import indexed
from builder.score.layers.known import Indexed
from builder.score.map_file import MapEntry, by_id
from builder.score.passages import Library
from tests.score.test_diagnosis import CASE, CHUNK, DOCUMENT, HIT, PART, RULE


class Frozen:
    chunks: tuple[Chunk, ...] = (CHUNK,)
    documents: tuple[FrozenDocument, ...] = (DOCUMENT.replace(page_count=1),)


def told(*entries: dict[str, Any]) -> Indexed:
    found = by_id(
        MapEntry.model_validate({"id": f"c{number}", "doc_id": "policy.md"} | entry)
        for number, entry in enumerate(entries)
    )
    return indexed([CASE], Library(Frozen(), found, {}), found)


def at(start: int, end: int) -> dict[str, Any]:
    return {"span": {"start": start, "end": end, "page": 1}}


def state(found: Indexed) -> str:
    if found.held[CASE.case_id] == HIT:
        return "held"
    return "cut" if found.cut[CASE.case_id] == HIT else "lost"


END = len(RULE)


def test_by_place() -> None:
    assert state(told(at(0, END + 3))) == "held"
    assert state(told(at(0, 9), at(9, END))) == "cut"
    assert state(told(at(0, 9), at(6, END + 3))) == "cut", "chunks that overlap, and neither holds all of it"
    assert state(told(at(0, 9), at(10, END))) == "lost"
    assert state(told({"doc_id": "policy.md", "span": None})) == "held", "only the document is told: nothing is proven"


def test_by_text() -> None:
    assert state(told({"text": f"第一条 {RULE}"}, {"text": PART})) == "held"
    assert state(told({"text": f"第一条 {RULE[:9]}"}, {"text": f"{RULE[9:]}{PART}"})) == "cut"
    assert state(told({"text": PART})) == "lost"
    assert state(told({"text": RULE.replace("24", "18")})) == "lost"


def test_the_text_is_believed_before_the_place() -> None:
    assert state(told(at(0, END + 8) | {"text": f"第一条 {PART}"})) == "lost", "a line that was not read"


def test_documents_and_versions() -> None:
    found = told({"text": RULE, "doc_version": "3"})
    assert found.documents == {"policy.md"} and found.versions == {"policy.md": "3"}
    assert told() == Indexed(held={CASE.case_id: frozenset()}, cut={CASE.case_id: frozenset()})
