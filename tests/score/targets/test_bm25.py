"""The floor finds what the asker may read, however much stands before it that he may not."""

import asyncio
from pathlib import Path
from typing import Any

from builder.model.access import UserContext
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.score.targets.bm25 import Bm25Target
from builder.score.targets.question import Question
from builder.search import open_search
from tests import make


def chunk(number: int, text: str, **access: Any) -> Chunk:
    document = make.document(f"d{number}.md")
    return make.chunk(document, text).replace(metadata=DocumentMetadata(**access))


CHUNKS = (
    *(chunk(number, "warranty warranty warranty of pumps", tenant="other") for number in range(60)),
    *(chunk(100 + number, f"the warranty of pump {number} is long and has terms") for number in range(5)),
    chunk(200, "warranty warranty warranty warranty for service", department="service"),
    chunk(300, "nothing in common"),
)


def target(folder: Path, top: int = 10) -> Bm25Target:
    search = open_search(folder, [(one.chunk_id, one.text) for one in CHUNKS])
    chunks = {one.chunk_id: one for one in CHUNKS}
    return Bm25Target(search=search, chunks=chunks, top=top, departments={"repair": "service"})


async def _ask(one: Bm25Target, question: Question) -> Any:
    async with one.session() as ask:
        return await ask(question)


def found(one: Bm25Target, text: str = "warranty", **user: Any) -> list[str]:
    given = asyncio.run(_ask(one, Question(question=text, user=UserContext(**user))))
    assert set(given) == {"retrieved", "context"} and given["retrieved"] == given["context"]
    assert [item["score"] for item in given["retrieved"]] == sorted(
        (i["score"] for i in given["retrieved"]), reverse=True
    )
    return [item["doc_id"] for item in given["retrieved"]]


def test_what_may_not_be_read_takes_no_place(tmp_path: Path) -> None:
    one = target(tmp_path)
    assert sorted(found(one)) == [f"d{100 + number}.md" for number in range(5)]
    assert set(found(one, tenant="other")) <= {f"d{number}.md" for number in range(60)}
    assert "d200.md" in found(one, department="service")
    assert "d200.md" in found(one, department="repair"), "a department below it"
    assert "d200.md" not in found(one, department="sales")


def test_top_and_no_word_in_common(tmp_path: Path) -> None:
    assert len(found(target(tmp_path, top=3))) == 3
    assert found(target(tmp_path), "zzzz") == []


def test_the_facts_say_what_was_searched(tmp_path: Path) -> None:
    facts = target(tmp_path, top=3).facts
    assert facts["target"] == "bm25" and facts["top"] == 3
    assert facts["chunks"] == target(tmp_path).facts["chunks"]
