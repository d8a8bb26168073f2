"""Signs in the figures of a run, and where they say to look."""

from typing import Any

import pytest

from builder.score.metrics.registry import registry
from builder.score.records import MetricRow, Scores
from builder.score.signals import Signal, signals
from builder.words import words


def found(*rows: tuple[Any, ...], n: int = 40) -> tuple[Signal, ...]:
    """The signs in rows of (metric, value) or (metric, value, slice by, slice)."""
    metrics = tuple(
        MetricRow(name=row[0], value=row[1], n=n, **({"by": row[2], "slice": row[3]} if len(row) > 2 else {}))
        for row in rows
    )
    return signals(Scores(run="r", snapshot="s", snapshot_hash="h", cases=n, metrics=metrics))


SIGNS: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("candidates_low", [("recall@20", 0.5), ("recall@5", 0.4)]),
    ("ranking_low", [("recall@20", 0.95), ("recall@5", 0.6)]),
    ("context_low", [("ref_recall", 0.9), ("ref_recall_context", 0.6)]),
    ("generation_low", [("ref_recall_context", 0.95), ("answer_correct", 0.6)]),
    ("generation_low", [("ref_recall_context", 0.95), ("citation_numbers_lexical", 0.6)]),
    ("knowledge_stale", [("ref_recall_context", 0.95), ("citation_numbers_lexical", 0.95), ("answer_correct", 0.6)]),
    ("citation_low", [("answer_correct", 0.95), ("citation_gold_precision", 0.5)]),
    (
        "offline_only",
        [("answer_correct", 0.95, "source", "generated"), ("answer_correct", 0.6, "source", "feedback")],
    ),
]


@pytest.mark.parametrize(("name", "rows"), SIGNS)
def test_a_sign_names_its_figures(name: str, rows: list[tuple[Any, ...]]) -> None:
    (sign,) = found(*rows)
    assert sign.name == name and {figure.name for figure in sign.figures} <= {row[0] for row in rows}
    assert all(figure.n == 40 for figure in sign.figures)
    assert all(words(language)(sign.key) for language in ("zh", "en"))


@pytest.mark.parametrize(("name", "rows"), SIGNS)
def test_too_few_cases_are_no_sign(name: str, rows: list[tuple[Any, ...]]) -> None:
    assert found(*rows, n=4) == ()


def test_every_metric_that_is_looked_at_exists() -> None:
    looked_at = {row[0] for _, rows in SIGNS for row in rows}
    assert looked_at <= registry().keys()


def test_good_figures_are_no_sign() -> None:
    good = ("recall@20", "recall@5", "ref_recall", "ref_recall_context", "answer_correct", "citation_gold_precision")
    assert found(*((name, 0.95) for name in good)) == ()


def test_no_figures_are_no_sign() -> None:
    assert found() == () == found(("recall@20", None))
