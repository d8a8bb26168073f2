"""Rows and cases for the tests of the sheet."""

from collections.abc import Mapping
from typing import Any

from builder.model.case import Case, Origin, ReviewState, Source
from builder.model.chunk import Chunk
from builder.review.desk import Passage
from builder.review.sheet.columns import PASSAGES, columns
from builder.review.sheet.rows import Candidate, chunk_ref, evidence_ref, row_of
from builder.words import words
from tests.make import case, chunk, document, evidence

DOCUMENT = document()
CHUNKS: tuple[Chunk, ...] = tuple(
    chunk(DOCUMENT, text, start=20 * place, ordinal=place)
    for place, text in enumerate(
        ("整机保修期为 24 个月。", "备件保修 6 个月。", "生鲜商品不能退货。", "维修保修 3 个月。")
    )
)


def feedback(case_id: str = "f000000000001", **fields: Any) -> Case:
    """A complaint that waits for an answer."""
    known: dict[str, Any] = {
        "question": "生鲜能退吗？",
        "ground_truth": "",
        "source": Source.FEEDBACK,
        "review_state": ReviewState.NEEDS_ANSWER,
        "rejected_output": "能退。",
        "origin": Origin(system="log", record_ids=("1",), comments=("胡说",)),
    }
    return case(case_id, **(known | fields))


def grounded(**fields: Any) -> Case:
    """A case with two groups of evidence, the first of two alternatives."""
    one, two, three = (evidence(of, of.text[:-1]) for of in CHUNKS[:3])
    return case(**({"evidence_groups": ((one, two), (three,))} | fields))


def candidates(of: Case, proposals: int | None = None) -> tuple[Candidate, ...]:
    """The evidence, then as many chunks as asked for, or as fill the sheet."""
    own = [
        Candidate(ref=evidence_ref(place), passage=Passage(evidence=one, title="policy.md", text=one.quote, pages=(1,)))
        for place, one in enumerate(of.evidence, 1)
    ]
    more = max(0, PASSAGES - len(own)) if proposals is None else proposals
    found = [
        Candidate(
            ref=chunk_ref(one.chunk_id),
            passage=Passage(evidence=evidence(one, one.text), title="policy.md", text=one.text, pages=(1,)),
        )
        for one in reversed(CHUNKS)
    ]
    return (*own, *found[:more])


def cells(of: Case, lang: str = "zh", **filled: str) -> dict[str, str]:
    """A row as it comes back: all columns, some of them filled."""
    row: Mapping[str, str] = row_of(of, candidates(of), 1, "王工", words(lang)).cells
    return dict.fromkeys(columns(PASSAGES), "") | dict(row) | filled
