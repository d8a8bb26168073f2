"""The two test sets for the checks are sound: their passages exist, their quotes stand where they must."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from builder.model.chunk import Chunk
from tests.checks.sample import engines, sample_chunks

SETS = Path(__file__).parent / "sets"
AT_LEAST = {
    "wrong_number": 36,
    "changed_negation": 36,
    "wrong_chunk_number": 36,
    "quote_from_elsewhere": 36,
    "wrong_clause": 40,
    "not_standing_alone": 12,
    "not_a_question": 10,
    "answer_in_question": 10,
    "other_language": 10,
    "copied": 14,
    "duplicate": 14,
    "near_duplicate": 14,
    "unsupported_fact": 10,
    "no_duplicate": 20,
}
WITH_OTHERS = {"duplicate", "near_duplicate", "no_duplicate"}


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Passage(Strict):
    document: str
    holds: str


class Reply(Strict):
    question: str
    ground_truth: str
    source_index: int
    quote: str


class Item(Strict):
    id: str
    kind: str
    language: str
    sent: list[Passage]
    item: Reply
    rival: str = ""
    others: list[str] = []
    note: str


def _lines(name: str) -> list[str]:
    return (SETS / name).read_text(encoding="utf-8").splitlines()


def _read(name: str) -> list[Item]:
    return [Item.model_validate_json(line) for line in _lines(name)]


CLEAN, PLANTED = _read("clean.jsonl"), _read("planted.jsonl")
ALL = CLEAN + PLANTED


@pytest.fixture(scope="module")
def chunks() -> tuple[Chunk, ...]:
    """The chunks of the sample documents."""
    if not engines():
        pytest.skip("no OCR engine is installed: the scanned pages are not read")
    return sample_chunks()


def _bare(text: str) -> str:
    return "".join(text.split())


def _sent(one: Item, chunks: tuple[Chunk, ...]) -> list[str]:
    """The texts of the sent passages, white space aside."""
    found = []
    for passage in one.sent:
        texts = [chunk.text for chunk in chunks if chunk.doc_id == passage.document and passage.holds in chunk.text]
        assert len(texts) == 1, (one.id, passage.holds, len(texts))
        found.append(_bare(texts[0]))
    return found


def test_ids_are_unique_and_the_keys_stand_in_order() -> None:
    assert len({one.id for one in ALL}) == len(ALL)
    order = list(Item.model_fields)
    for line in _lines("clean.jsonl") + _lines("planted.jsonl"):
        keys = list(json.loads(line))
        assert keys == [key for key in order if key in keys], keys


def test_there_are_enough_of_every_kind_in_both_languages() -> None:
    assert {one.kind for one in CLEAN} == {"clean"}
    assert len(CLEAN) >= 70
    assert sum("难" in one.note or "hard" in one.note for one in CLEAN) >= 12
    found = Counter(one.kind for one in PLANTED)
    assert found.keys() == AT_LEAST.keys()
    assert [kind for kind, least in AT_LEAST.items() if found[kind] < least] == []
    for kind in ["clean", *AT_LEAST]:
        languages = Counter(one.language for one in ALL if one.kind == kind)
        assert min(languages["zh"], languages["en"]) >= 0.4 * languages.total(), kind
        assert languages.keys() == {"zh", "en"}, kind


def test_the_readme_counts_right() -> None:
    text = (SETS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    found = Counter((one.kind, one.language) for one in PLANTED)
    assert {(kind, int(zh), int(en)) for kind, zh, en in rows} == {
        (kind, found[kind, "zh"], found[kind, "en"]) for kind in AT_LEAST
    }
    zh = sum(one.language == "zh" for one in CLEAN)
    assert f"{len(CLEAN)} right pairs ({zh} Chinese, {len(CLEAN) - zh} English)" in text
    assert f"`planted.jsonl`: {len(PLANTED)} pairs" in text


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_an_item_is_well_formed(one: Item) -> None:
    assert 1 <= len(one.sent) <= 4
    assert 1 <= one.item.source_index <= len(one.sent)
    assert all(len(passage.holds) >= 8 for passage in one.sent)
    assert len({(passage.document, passage.holds) for passage in one.sent}) == len(one.sent)
    assert one.item.question.strip() and one.item.ground_truth.strip() and one.note.strip()
    assert bool(one.rival) == (one.kind == "wrong_clause")
    assert bool(one.others) == (one.kind in WITH_OTHERS)
    assert one.item.question not in one.others


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_the_language_is_right(one: Item) -> None:
    question, answer = (
        bool(re.search(r"[\u4e00-\u9fff]", text)) for text in (one.item.question, one.item.ground_truth)
    )
    chinese = one.language == "zh"
    if one.kind == "other_language":
        assert (question, answer) != (chinese, chinese)
    else:
        assert question == chinese
        assert chinese or not answer


def test_every_passage_exists_and_every_quote_stands_where_it_must(chunks: tuple[Chunk, ...]) -> None:
    for one in ALL:
        texts = _sent(one, chunks)
        named, quote = texts[one.item.source_index - 1], _bare(one.item.quote)
        if one.kind == "quote_from_elsewhere":
            assert quote, one.id
            assert not any(quote in text for text in texts), one.id
        elif one.kind == "wrong_chunk_number":
            assert len(texts) > 1, one.id
            assert not quote or (quote not in named and any(quote in text for text in texts)), one.id
        else:
            assert quote and quote in named, one.id


def test_the_right_clause_lies_beside_the_wrong_one(chunks: tuple[Chunk, ...]) -> None:
    for one in PLANTED:
        if one.kind == "wrong_clause":
            rival = _bare(one.rival)
            assert any(rival in text for text in _sent(one, chunks)), one.id
            assert rival not in _bare(one.item.quote), one.id
