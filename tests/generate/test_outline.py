"""Outlines: facts in place of sentences; less is copied, and the evidence stays exact."""

import shutil
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.generate.outline import NOTHING, outlined, terms
from builder.generate.prompt import numbered, passage_values
from builder.generate.tasks import call_of
from builder.generate.writer import request_hash
from builder.generate.writers.extractive import ExtractiveWriter
from builder.model.attempt import Reply, Task
from builder.model.chunk import Chunk
from builder.text.fold import folded
from builder.text.numbers import has_negation, quantities
from builder.text.sentences import sentences
from tests import make
from tests.folder import ROOT, Folder
from tests.generate.make import HANDBOOK, WARRANTY, chunk, material, read

SAMPLES = ("warranty-terms.md", "常见问题.md", "售后政策-2026.pdf", "employee-handbook.pdf")


@pytest.mark.parametrize(
    ("sentence", "kept", "gone"),
    [
        ("备件保修 6 个月，自更换之日起计算。", ["备件", "保修", "6 个月", "更换"], ["自", "之日起"]),
        ("订单已发货的，不能直接取消，但生鲜商品除外。", ["订单", "发货", "取消", "生鲜", "除外"], ["的"]),
        ("GTE-3000Pro 出现 E05 时，请拨打 400-810-6688。", ["GTE-3000Pro", "E05", "400-810-6688"], []),
        (
            "Claims must be filed in the portal within 30 days after the trip.",
            ["must", "30 days", "trip"],
            ["the", "be"],
        ),
        ("It is not refunded unless a manager approves.", ["not", "unless", "manager"], ["It", "is", "a"]),
    ],
)
def test_facts_stay_and_what_joins_them_goes(sentence: str, kept: Sequence[str], gone: Sequence[str]) -> None:
    found = terms(sentence)
    places = [found.index(term) for term in kept]
    assert places == sorted(places), "the order stays"
    assert not set(gone) & set(found)


@given(
    st.lists(
        st.sampled_from(["备件", "保修", "6 个月", "不得", "the", "must", "30 days", "，", "的", " ", "E05"]),
        max_size=12,
    )
)
def test_it_is_never_the_sentence_and_loses_no_number(parts: list[str]) -> None:
    sentence = "".join(parts).strip()
    shown = outlined(sentence)
    assert shown and "\n" not in shown
    assert {(q.value, q.unit) for q in quantities(shown)} >= {(q.value, q.unit) for q in quantities(sentence)}
    assert len(terms(sentence)) < 2 or folded(shown) != folded(sentence)


def test_an_empty_sentence_keeps_its_number() -> None:
    assert outlined("的了。") == NOTHING


def test_negations_of_the_sample_sentences_stay() -> None:
    for text in (WARRANTY, HANDBOOK):
        for start, end in sentences(text):
            assert has_negation(outlined(text[start:end])) or not has_negation(text[start:end])


def shown(chunks: Sequence[Chunk], outline: bool) -> str:
    task = Task(chunk_ids=tuple(one.chunk_id for one in chunks), outline=outline)
    return call_of(task, material(chunks)).request.messages[1].content


@pytest.mark.parametrize("text", [WARRANTY, HANDBOOK])
def test_the_prompt_shows_numbered_facts(text: str) -> None:
    of_text, outline = shown([chunk(text)], False), shown([chunk(text)], True)
    assert text[: text.index("。" if "。" in text else ".")] in of_text
    rows = [line for line in outline.splitlines() if line[0].isdigit()]
    assert len(rows) == len(sentences(text)) == len([line for line in of_text.splitlines() if line[0].isdigit()])
    assert [row.partition(") ")[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert all(" / " in row for row in rows)
    assert ("要点" in outline.splitlines()[-2]) or ("facts" in outline.splitlines()[-2])
    plain = passage_values(numbered([chunk(text)]), Task())
    assert "outline" not in plain


def test_another_mode_is_another_request() -> None:
    known = material([chunk()])
    tasks = [Task(chunk_ids=(chunk().chunk_id,), outline=outline) for outline in (False, True)]
    assert len({request_hash(ExtractiveWriter(), call_of(task, known).request) for task in tasks}) == 2


@pytest.mark.parametrize(
    ("text", "question", "answer", "quote"),
    [
        (WARRANTY, "换上的零件保多久？", "6 个月", "备件保修 6 个月，自更换之日起计算。"),
        (
            HANDBOOK,
            "When is a trip paid back?",
            "30 days",
            "Claims must be filed in the portal within 30 days after the trip.",
        ),
    ],
)
def test_a_terse_answer_stays_and_its_evidence_is_exact(text: str, question: str, answer: str, quote: str) -> None:
    source = chunk(text)
    number = [text[a:b] for a, b in sentences(text)].index(quote) + 1
    call = call_of(Task(chunk_ids=(source.chunk_id,), outline=True), material([source]))
    item = f'{{"question":"{question}","ground_truth":"{answer}","source_index":1,"sentences":[{number}]}}'
    (case,) = read(call, make.attempt(), Reply(text=f'{{"items":[{item}]}}')).cases
    assert (case.ground_truth, case.evidence[0].quote) == (answer, quote)


def longest_run(text: str, source: str) -> int:
    """Characters of the longest piece of `source` that stands in `text`, both folded."""
    left, right = folded(text), folded(source)
    best = 0
    for start in range(len(left)):
        while left[start : start + best + 1] in right and start + best < len(left):
            best += 1
    return best


def test_less_is_copied_from_the_sample_documents(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """A writer that copies what it is shown as its question: the longest run that it shares with the sentence."""
    for name in SAMPLES:
        (folder.path / "docs").mkdir(exist_ok=True)
        shutil.copy(ROOT / "data" / "docs" / name, folder.path / "docs" / name)
    folder.done("ingest", "docs")
    with folder.store() as store:
        chunks = store.documents.chunks()
    figures = {}
    for language in ("zh", "en"):
        said = [c.text[a:b] for c in chunks if c.language == language for a, b in sentences(c.text) if b - a >= 12]
        text = [longest_run(one, one) for one in said]
        outline = [longest_run(outlined(one), one) for one in said]
        figures[language] = (len(said), sum(text) / len(said), sum(outline) / len(said))
        assert len(said) > 100
        assert sum(outline) <= 0.5 * sum(text)
        assert all(short <= long for short, long in zip(outline, text, strict=True))
    with capsys.disabled():
        for language, (count, text_run, outline_run) in figures.items():
            line = f"{count} sentences, copied run {text_run:.1f} characters in text mode, {outline_run:.1f} in outline"
            sys.stdout.write(f"\n  {language}: {line}")
        sys.stdout.write("\n")
