"""How many planted faults the checks find, and how many right pairs they call faulty (see sets/README.md).

Each item goes the whole way of a reply: once with its quote, once with the numbers of the sentences that the quote is.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from builder.generate.material import Material
from builder.generate.tasks import call_of, outcome_of
from builder.model.attempt import Attempt, AttemptState, Reply, Task
from builder.model.case import Case, CheckOutcome, CheckResult
from builder.model.chunk import Chunk
from builder.text.sentences import sentences
from tests.checks.sample import engines, sample_corpus
from tests.checks.test_sets import CLEAN, PLANTED, Item
from tests.generate.make import prompts

FITTING = {
    "wrong_number": {"facts", "quote"},
    "changed_negation": {"facts"},
    "wrong_chunk_number": {"quote", "facts"},
    "quote_from_elsewhere": {"quote"},
    "wrong_clause": {"rival"},
    "not_standing_alone": {"stands_alone"},
    "not_a_question": {"question"},
    "answer_in_question": {"self_answered"},
    "other_language": {"language"},
    "unsupported_fact": {"facts"},
}
"""The checks that are to find each kind; kinds of leakage and duplicates have tests of their own."""
MUST = ("wrong_number", "changed_negation", "wrong_chunk_number", "quote_from_elsewhere", "wrong_clause")
MINE = {"quote", "facts", "language", "question", "stands_alone", "self_answered", "rival", "extent"}


@pytest.fixture(scope="module")
def material() -> Material:
    """The sample documents, read."""
    if not engines():
        pytest.skip("no OCR engine is installed")
    corpus = sample_corpus()
    languages = {language: prompts(language) for language in ("zh", "en")}
    return Material(corpus=corpus, allowed=corpus.chunks, prompts=languages)


def _bare(text: str) -> str:
    return "".join(text.split())


def _sent(one: Item, material: Material) -> list[Chunk]:
    chunks = material.corpus.chunks
    return [next(c for c in chunks if c.doc_id == p.document and p.holds in c.text) for p in one.sent]


def _numbered(quote: str, chunks: list[Chunk]) -> list[int]:
    """The numbers of the sentences that the quote is; empty where it is none."""
    for chunk in chunks if quote else ():
        spans = sentences(chunk.text)
        for first in range(len(spans)):
            for last in range(first, len(spans)):
                if _bare(chunk.text[spans[first][0] : spans[last][1]]) == _bare(quote):
                    return list(range(first + 1, last + 2))
    return []


def _case(one: Item, material: Material, by_number: bool) -> Case | None:
    """What the reply becomes; none where it is dropped."""
    chunks = _sent(one, material)
    item: dict[str, object] = one.item.model_dump()
    numbers = _numbered(one.item.quote, chunks) if by_number else []
    if numbers:
        item = {key: value for key, value in item.items() if key != "quote"} | {"sentences": numbers}
    task = Task(chunk_ids=tuple(chunk.chunk_id for chunk in chunks), asked=1)
    call = call_of(task, material)
    attempt = Attempt(
        request_hash="r",
        dataset="main",
        task=task,
        writer="openai",
        model="m",
        prompt_hash=call.prompt_hash,
        state=AttemptState.REPLIED,
        at=datetime.now(UTC),
    )
    text = json.dumps({"items": [item]}, ensure_ascii=False)
    return next(iter(outcome_of(call, attempt, Reply(text=text), material).cases), None)


def _alarms(case: Case, names: set[str]) -> Iterator[CheckResult]:
    return (one for one in case.checks if one.name in names and one.outcome is not CheckOutcome.PASS)


@pytest.mark.parametrize("by_number", [False, True], ids=["quotes", "sentences"])
def test_planted_faults_are_found(material: Material, by_number: bool, capsys: pytest.CaptureFixture[str]) -> None:
    caught, all_of = Counter[str](), Counter[str]()
    for one in PLANTED:
        if one.kind in FITTING:
            case = _case(one, material, by_number)
            all_of[one.kind] += 1
            caught[one.kind] += case is None or any(_alarms(case, FITTING[one.kind]))
    with capsys.disabled():
        print("\n", {kind: f"{caught[kind]}/{all_of[kind]}" for kind in all_of})  # noqa: T201 - the figures are what the test is for
    shares = {kind: caught[kind] / all_of[kind] for kind in all_of}
    assert {kind: share for kind, share in shares.items() if share < (0.95 if kind in MUST else 0.9)} == {}


@pytest.mark.parametrize("by_number", [False, True], ids=["quotes", "sentences"])
def test_right_pairs_are_left_alone(material: Material, by_number: bool, capsys: pytest.CaptureFixture[str]) -> None:
    alarms = []
    for one in CLEAN:
        case = _case(one, material, by_number)
        assert case is not None, one.id
        alarms += [(one.id, found.name, found.detail) for found in _alarms(case, MINE)]
    with capsys.disabled():
        print(f"\n false alarms {len({row[0] for row in alarms})}/{len(CLEAN)}: {alarms}")  # noqa: T201 - the figures are what the test is for
    assert len({row[0] for row in alarms}) <= 0.03 * len(CLEAN)


def test_a_wrong_clause_is_named(material: Material) -> None:
    named = 0
    wrong = [one for one in PLANTED if one.kind == "wrong_clause"]
    for one in wrong:
        case = _case(one, material, by_number=False)
        rivals = [_bare(found.values["rival"]) for found in (_alarms(case, {"rival"}) if case else ())]
        named += any(_bare(one.rival) in rival or rival in _bare(one.rival) for rival in rivals)
    assert named >= 0.85 * len(wrong)


def test_an_enabled_case_never_points_at_a_passage_that_does_not_hold_its_quote(material: Material) -> None:
    for one in PLANTED:
        if one.kind in ("wrong_chunk_number", "quote_from_elsewhere"):
            case = _case(one, material, by_number=False)
            for evidence in case.evidence if case else ():
                chunk = material.corpus.index.chunk_of(evidence)
                assert chunk and evidence.quote in chunk.text, one.id
                assert evidence.quote != chunk.text or len(chunk.text) < 300 or not one.item.quote, one.id
