"""The corpus of the checks: found by words, by text, by facts; the same answers as a plain look through all chunks."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.checks.corpus import Corpus
from builder.checks.reading.compare import facts, same
from builder.checks.reading.numerals import keys, numerals
from builder.search import Search
from builder.text.simplified import simplified
from tests.checks.world import chunk, context

TEXTS = (
    "整机保修 24 个月，上门费 60 元。",
    "整机保修两年，节假日除外。",
    "押金 3 万元，二〇二六年二月十日起执行。",
    "The deposit is 30,000 yuan; call before 9 pm.",
    "GTE-3000Pro 报 E07 时请更换电磁阀。",
    "退款 3 至 7 個工作日內原路退回。",
)
CHUNKS = tuple(chunk(text, "a.md", number) for number, text in enumerate(TEXTS))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    found = context(CHUNKS, tmp_path_factory.mktemp("corpus")).corpus
    assert found is not None
    return found


@pytest.mark.parametrize(
    "said", ["24 个月", "三万元", "30,000 yuan", "2026年2月10日", "E07", "七个工作日", "晚上 9 点", "60 元"]
)
def test_a_fact_leads_to_every_chunk_that_states_it(said: str, corpus: Corpus) -> None:
    for fact in facts(said):
        plain = [one.ordinal for one in CHUNKS if any(same(fact, other) for other in facts(simplified(one.text)))]
        assert plain
        assert plain == [one.ordinal for one in corpus.holding(fact)]


def test_what_many_write_tells_nothing(corpus: Corpus) -> None:
    fact = facts("24 个月")[0]
    assert [one.ordinal for one in corpus.holding(fact)] == [0, 1]
    assert corpus.holding(fact, most=1) == ()
    assert corpus.holding(facts("99 个月")[0]) == ()


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("整机保修24个月", [0]),
        ("整机保修", [0, 1]),
        ("退款3至7个工作日内原路退回", [5]),
        ("call BEFORE", [3]),
        ("元。整机", []),
        ("", []),
    ],
)
def test_a_quote_leads_to_its_chunks_and_never_across_two(quote: str, found: list[int], corpus: Corpus) -> None:
    assert [one.ordinal for one in corpus.quoting(quote)] == found


def test_the_rank_is_that_of_bm25(corpus: Corpus) -> None:
    assert corpus.rank("E07 电磁阀", CHUNKS[4].chunk_id) == 1
    assert corpus.rank("E07 电磁阀", CHUNKS[3].chunk_id) is None
    assert corpus.rank("退款幾個工作日退回", CHUNKS[5].chunk_id) == 1, "traditional and simplified are one"


def test_the_search_is_opened_when_it_is_asked(tmp_path: Path) -> None:
    opened: list[int] = []

    def search() -> Search:
        opened.append(1)
        return Search([], None)

    corpus = Corpus(CHUNKS, search)
    assert corpus.quoting("整机") and corpus.holding(facts("60 元")[0]) and corpus.index.get(CHUNKS[0].chunk_id)
    assert opened == []
    assert corpus.find("整机") == () == corpus.find("别的")
    assert opened == [1]


@given(st.integers(1, 99999), st.sampled_from(["{} 个月", "{} 元", "{}天", "第{}条", "{} kg", "{} minutes"]))
def test_whoever_states_a_fact_writes_one_of_its_numerals(number: int, form: str) -> None:
    text = form.format(number)
    for fact in facts(text):
        assert not keys(fact) or keys(fact) & numerals(text)
