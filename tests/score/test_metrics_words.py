"""Every metric says what it is and what it hides, in both languages; every reason has its word."""

import ast

import pytest

from builder.score.metrics.registry import metric_named, registry
from builder.words import LANGUAGES, words
from tests.folder import ROOT

METRICS = registry((5,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_metrics_are_and_do_not_tell(language: str) -> None:
    say = words(language)
    for metric in METRICS.values():
        assert metric.definition_in(say) and metric.does_not_tell_in(say) and metric.source, metric.name


def test_reasons_have_words() -> None:
    say = words("en")
    found: set[str] = set()
    for path in sorted((ROOT / "builder" / "score" / "metrics").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("none", "worst", "share", "alike"):
                last = node.args[-1]
                parts = (one.value for one in ast.walk(last) if isinstance(one, ast.Constant))
                found |= {part for part in parts if isinstance(part, str) and part}
    assert len(found) > 15
    assert [reason for reason in sorted(found) if f"score.excluded.{reason}" not in say] == []


def test_a_metric_at_any_k_and_no_other() -> None:
    found = metric_named("recall@7")
    assert found is not None and found.name == "recall@7" and found.better == "higher"
    assert [metric_named(name) for name in ("recall@0", "recal@5", "recall", "latency_p95.total")] == [None] * 4
