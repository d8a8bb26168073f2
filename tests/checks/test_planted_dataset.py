"""The planted sets, as far as they speak of the whole dataset: duplicates, other questions, copies, siblings."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from builder.checks import CheckContext, leakage, siblings
from builder.checks.others import Others
from builder.model.access import UserContext
from builder.model.case import Case, CheckOutcome
from builder.text.quotes import find_quote
from tests.checks.sample import sample_corpus
from tests.checks.world import case

SETS = Path(__file__).parent / "sets"


@pytest.fixture(scope="module")
def seen() -> CheckContext:
    """The sample documents."""
    corpus = sample_corpus()
    return CheckContext(chunks=corpus.index, corpus=corpus)


def _items(name: str, *kinds: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (SETS / name).read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if not kinds or row["kind"] in kinds]


def _repeats(row: dict[str, Any]) -> bool:
    known = [case(question, number=number) for number, question in enumerate(row["others"], 1)]
    return Others(known).near(row["item"]["question"]) is not None


def _grounded(row: dict[str, Any], seen: CheckContext) -> Case | None:
    """The case of a row; none where its passage stands on a scanned page that is not read."""
    named, item = row["sent"][row["item"]["source_index"] - 1], row["item"]
    assert seen.corpus is not None
    for one in seen.corpus.chunks:
        if one.doc_id == named["document"] and named["holds"] in one.text:
            found = find_quote(item["quote"], one.text)
            assert found is not None, row["id"]
            access = one.metadata
            who = UserContext(tenant=access.tenant, region=access.region, roles=access.roles[:1])
            place = (one, one.text[found.start : found.end])
            return case(item["question"], item["ground_truth"], place, user_context=who)
    return None


def _cases(name: str, kind: str, seen: CheckContext) -> list[tuple[str, Case]]:
    rows = [(row["id"], _grounded(row, seen)) for row in _items(name, kind)]
    return [(name, one) for name, one in rows if one is not None]


def _copies(one: Case, seen: CheckContext) -> bool:
    verdict = leakage.check(one, seen)
    return verdict is not None and verdict.outcome is CheckOutcome.WARN


def _tell(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{text}\n")


@pytest.mark.parametrize("kind", ["duplicate", "near_duplicate"])
def test_duplicates_are_found(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _items("planted.jsonl", kind)
    missed = [row["id"] for row in rows if not _repeats(row)]
    _tell(f"{kind}: {len(rows) - len(missed)} of {len(rows)}", capsys)
    assert len(missed) <= 0.05 * len(rows), missed


def test_no_other_question_is_merged() -> None:
    rows = _items("planted.jsonl", "no_duplicate")
    assert len(rows) >= 20
    assert [row["id"] for row in rows if _repeats(row)] == []


def test_no_right_question_repeats_another() -> None:
    cases: list[Case] = [case(row["item"]["question"], number=n) for n, row in enumerate(_items("clean.jsonl"), 1)]
    others = Others(cases)
    assert [one.question for one in cases if others.like(one)] == []


def test_copies_are_seen_and_right_questions_are_none(seen: CheckContext, capsys: pytest.CaptureFixture[str]) -> None:
    rows, clean = _cases("planted.jsonl", "copied", seen), _cases("clean.jsonl", "clean", seen)
    assert len(rows) >= 14 and len(clean) >= 90
    missed = [name for name, one in rows if not _copies(one, seen)]
    false = [name for name, one in clean if _copies(one, seen)]
    _tell(f"copied: {len(rows) - len(missed)} of {len(rows)}, false alarms {len(false)} of {len(clean)}", capsys)
    assert len(missed) <= 0.05 * len(rows), missed
    assert false == []


def test_siblings_of_right_pairs_are_few_and_none_contradicts(
    seen: CheckContext, capsys: pytest.CaptureFixture[str]
) -> None:
    clean = _cases("clean.jsonl", "clean", seen)
    verdicts = {name: siblings.check(one, seen) for name, one in clean}
    false = [name for name, verdict in verdicts.items() if verdict and verdict.outcome is not CheckOutcome.PASS]
    found = [name for name, verdict in verdicts.items() if verdict and verdict.detail == "sibling_found"]
    _tell(f"siblings: {len(found)} of {len(clean)} right pairs have some, conflicts {len(false)}", capsys)
    assert {"c008", "c043", "c046"} <= set(found), "the list of questions says what the policy says"
    assert len(found) <= 0.2 * len(clean)
    assert false == []
