"""Figures of ranking are those of trec_eval, query by query, over thousands of random graded queries."""

import random

import pytest
import pytrec_eval

from tests import make
from tests.score import small

KS = (1, 3, 5, 10, 20)
QUERIES = 3000
NAMES = {"precision": "P", "recall": "recall", "hit": "success", "ndcg_lin": "ndcg_cut"}
DOCS = [f"d{place}" for place in range(60)]


@pytest.fixture(scope="module")
def queries() -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    rng = random.Random(6)
    wanted = {
        f"m{place:012d}": {doc: rng.randint(1, 3) for doc in rng.sample(DOCS, rng.randint(1, 8))}
        for place in range(QUERIES)
    }
    return wanted, {name: rng.sample(DOCS, rng.randint(0, 30)) for name in wanted}


def ranked(order: list[str]) -> dict[str, float]:
    return {doc: float(len(order) - place) for place, doc in enumerate(order)}


def test_the_same_figures_as_trec_eval(queries: tuple[dict[str, dict[str, int]], dict[str, list[str]]]) -> None:
    wanted, found = queries
    corpus = small.Corpus(
        tuple(make.chunk(make.document(doc), f"段落 {doc} 的内容。", chunk_id=doc) for doc in DOCS),
        tuple(small.frozen(doc) for doc in DOCS),
    )
    cases = [small.asked(corpus, grades, grades, case_id=name) for name, grades in wanted.items()]
    scored = small.score(corpus, cases, *({"case_id": name, "retrieved": order} for name, order in found.items()))
    cuts = ",".join(map(str, KS))
    measures = {f"{name}.{cuts}" for name in NAMES.values()} | {"map", "recip_rank"}
    runs = {name: ranked(order) for name, order in found.items()}
    linear = pytrec_eval.RelevanceEvaluator(wanted, measures).evaluate(runs)
    mapped = {name: {doc: 2**grade - 1 for doc, grade in grades.items()} for name, grades in wanted.items()}
    exponential = pytrec_eval.RelevanceEvaluator(mapped, {f"ndcg_cut.{cuts}"}).evaluate(runs)
    worst = 0.0
    for answer in scored.scores:
        theirs = linear.get(answer.case_id, {})
        pairs = [("map", "map"), ("mrr", "recip_rank")]
        pairs += [(f"{ours}@{k}", f"{name}_{k}") for ours, name in NAMES.items() for k in KS]
        for ours, name in pairs:
            worst = max(worst, abs((answer.values[ours].number or 0.0) - theirs.get(name, 0.0)))
        for k in KS:
            given = exponential.get(answer.case_id, {}).get(f"ndcg_cut_{k}", 0.0)
            worst = max(worst, abs((answer.values[f"ndcg_exp@{k}"].number or 0.0) - given))
    assert len(scored.scores) == QUERIES and worst < 1e-12


def test_a_query_without_an_answer_counts_here_and_is_dropped_there() -> None:
    corpus = small.letters("abc")
    cases = [small.asked(corpus, "a", case_id=name) for name in ("m1", "m2")]
    scored = small.score(corpus, cases, {"case_id": "m1", "retrieved": ["a"]})
    theirs = pytrec_eval.RelevanceEvaluator({"m1": {"a": 1}, "m2": {"a": 1}}, {"recip_rank"}).evaluate(
        {"m1": ranked(["a"])}
    )
    assert list(theirs) == ["m1"]
    assert small.mean(scored, "mrr") == 0.5
