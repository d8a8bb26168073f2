"""Figures of ranking: builder beside pytrec_eval and ir_measures, in one run.

python benchmarks/score.py [--queries N] [--ranks N] [--envs FOLDER]

Each peer runs in an environment that this script makes below --envs (default: among the temporary files, kept), over
the same queries: three graded passages each, some of them in the ranking. Figures are CPU seconds of one process, its
imports and the making of its input not counted. Every peer gives hit, recall, precision and both nDCG at 1, 3, 5, 10
and 20, MRR and MAP; builder gives judged too. pytrec_eval and ir_measures take the exponential gain as grades that were
mapped before. At the end the figures of the first queries are compared.
"""

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KS = (1, 3, 5, 10, 20)
PACKAGES = {"pytrec_eval": ["pytrec-eval-terrier==0.5.11"], "ir_measures": ["ir_measures==0.4.3"], "builder": []}
NAMES = {"precision": "P", "recall": "recall", "hit": "success", "ndcg_lin": "ndcg_cut"}
SHOWN = 200
Grades = dict[str, dict[str, int]]
Orders = dict[str, list[str]]


def queries(count: int, ranks: int) -> tuple[Grades, Orders]:
    """The same queries for everybody."""
    rng = random.Random(6)
    names = [f"d{place}.md#{place:010x}" for place in range(count)]
    grades: Grades = {}
    orders: Orders = {}
    for place in range(count):
        gold = rng.sample(names, 3)
        order = dict.fromkeys(rng.sample(names, ranks))
        found = list(order)
        for name in gold:
            if rng.random() < 0.7 and name not in order:
                found[rng.randrange(ranks)] = name
        grades[f"m{place:012d}"] = {name: rng.randint(1, 3) for name in gold}
        orders[f"m{place:012d}"] = list(dict.fromkeys(found))
    return grades, orders


class Clock:
    """CPU seconds by step."""

    def __init__(self, steps: dict[str, float] | None = None) -> None:
        # The input is not the peers' doing: the collector shall not walk it while they work.
        gc.collect()
        gc.freeze()
        self.steps = {} if steps is None else steps
        self.at = time.process_time()

    def step(self, name: str) -> None:
        """End a step."""
        self.steps[name] = time.process_time() - self.at
        self.at = time.process_time()


def with_builder(grades: Grades, orders: Orders) -> tuple[dict[str, float], dict[str, Any]]:
    """From snapshot and records to figures; and the last step, from views to figures, alone."""
    from builder.model.case import Case, Evidence, Grade, ReviewState, Source
    from builder.model.chunk import Chunk
    from builder.model.parts import Span
    from builder.model.run import RetrievedItem, RunHeader, RunRecord
    from builder.model.snapshot import FrozenDocument
    from builder.score.metrics.ranking import metrics
    from builder.score.run_file import Run
    from builder.score.scoring import figures, score_answers

    class Corpus:
        chunks: tuple[Chunk, ...]
        documents: tuple[FrozenDocument, ...]

    evidence: dict[str, Evidence] = {}
    chunks, documents = [], []
    for name in dict.fromkeys(name for order in (*grades.values(), *orders.values()) for name in order):
        doc_id = name.partition("#")[0]
        parts = (Span(page=1, start=0, end=len(doc_id)),)
        given = {"doc_id": doc_id, "reading_id": doc_id, "parts": parts}
        chunks.append(Chunk(chunk_id=name, text=doc_id, ordinal=0, **given))
        evidence[name] = Evidence(quote=doc_id, **given)
        documents.append(
            FrozenDocument(doc_id=doc_id, source_path=doc_id, sha256="0", media_type="text/markdown", page_count=1)
        )
    corpus = Corpus()
    corpus.chunks, corpus.documents = tuple(chunks), tuple(documents)
    cases = [
        Case(
            case_id=case_id,
            question="?",
            ground_truth="!",
            source=Source.MANUAL,
            review_state=ReviewState.APPROVED,
            evidence_groups=tuple((evidence[name],) for name in wanted),
            grades=tuple(Grade(evidence=evidence[name], grade=grade) for name, grade in wanted.items()),
        )
        for case_id, wanted in grades.items()
    ]
    records = tuple(
        RunRecord(case_id=case_id).model_copy(update={"retrieved": tuple(RetrievedItem(id=name) for name in order)})
        for case_id, order in orders.items()
    )
    run = Run(name="r", header=RunHeader(snapshot="v1"), records=records)
    wanted_metrics = {metric.name: metric for metric in metrics(KS) if not metric.name.startswith("ref_")}
    clock = Clock()
    scored = score_answers(cases, run, corpus, metrics=wanted_metrics)
    clock.step("whole")
    families = tuple({metric.family for metric in wanted_metrics.values()})
    clock = Clock(clock.steps)
    for view in scored.views:
        figures(view, families)
    clock.step("figures alone")
    shown = {
        answer.case_id: {name: value.number for name, value in answer.values.items()}
        for answer in scored.scores[:SHOWN]
    }
    return clock.steps, shown


def with_pytrec_eval(grades: Grades, orders: Orders) -> tuple[dict[str, float], dict[str, Any]]:
    """One look for all, and one more for the other gain."""
    import pytrec_eval

    cuts = ",".join(map(str, KS))
    runs = {name: {doc: float(-place) for place, doc in enumerate(order)} for name, order in orders.items()}
    mapped = _mapped(grades)
    clock = Clock()
    measures = {f"{name}.{cuts}" for name in NAMES.values()} | {"map", "recip_rank"}
    linear = pytrec_eval.RelevanceEvaluator(grades, measures).evaluate(runs)
    clock.step("linear")
    exponential = pytrec_eval.RelevanceEvaluator(mapped, {f"ndcg_cut.{cuts}"}).evaluate(runs)
    clock.step("exponential")
    shown = {
        name: {
            **{f"{ours}@{k}": linear[name][f"{theirs}_{k}"] for ours, theirs in NAMES.items() for k in KS},
            **{f"ndcg_exp@{k}": exponential[name][f"ndcg_cut_{k}"] for k in KS},
            "map": linear[name]["map"],
            "mrr": linear[name]["recip_rank"],
        }
        for name in list(grades)[:SHOWN]
    }
    return clock.steps, shown


def with_ir_measures(grades: Grades, orders: Orders) -> tuple[dict[str, float], dict[str, Any]]:
    """Query by query, in one look a gain; gains are an option of its nDCG."""
    import ir_measures

    runs = {name: {doc: float(-place) for place, doc in enumerate(order)} for name, order in orders.items()}
    kinds = {"precision": "P@{}", "recall": "R@{}", "hit": "Success@{}", "ndcg_lin": "nDCG@{}"}
    names = {kind.format(k): f"{ours}@{k}" for ours, kind in kinds.items() for k in KS} | {"AP": "map", "RR": "mrr"}
    exponential = {f"nDCG(gains={{1:1,2:3,3:7}})@{k}": f"ndcg_exp@{k}" for k in KS}
    clock = Clock()
    found: dict[str, dict[str, float]] = {}
    # Asked for both gains at once it mixes them up, so it looks twice.
    for asked in (names, exponential):
        measures = {ir_measures.parse_measure(text): ours for text, ours in asked.items()}
        for one in ir_measures.iter_calc(list(measures), grades, runs):
            found.setdefault(one.query_id, {})[measures[one.measure]] = one.value
    clock.step("whole")
    return clock.steps, {name: found[name] for name in list(grades)[:SHOWN]}


def _mapped(grades: Grades) -> Grades:
    return {name: {doc: 2**grade - 1 for doc, grade in some.items()} for name, some in grades.items()}


PEERS = {"builder": with_builder, "pytrec_eval": with_pytrec_eval, "ir_measures": with_ir_measures}


def environment(peer: str, folder: Path) -> Path:
    """The Python of a peer's environment; made where it is not there."""
    if not PACKAGES[peer]:
        return Path(sys.executable)
    place = folder / peer
    if not (place / "done").exists():
        venv.create(place, with_pip=True, clear=True)
        pip = [place / "bin" / "python", "-m", "pip", "-q", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, *PACKAGES[peer]], check=True, stderr=subprocess.DEVNULL)
        (place / "done").touch()
    return place / "bin" / "python"


def measure(peer: str, python: Path, count: int, ranks: int) -> dict[str, Any]:
    """What a peer costs, and its first figures."""
    environ = os.environ | {"PYTHONPATH": str(HERE.parent), "PYTHONWARNINGS": "ignore"}
    command = [str(python), __file__, "--peer", peer, "--queries", str(count), "--ranks", str(ranks)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:100])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def most_apart(mine: dict[str, Any], theirs: dict[str, Any]) -> float:
    """The largest difference of figures that both give."""
    pairs = ((mine[name][key], value) for name, some in theirs.items() for key, value in some.items())
    return max(abs(one - other) for one, other in pairs)


def main() -> None:
    """Print one line a peer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--ranks", type=int, default=50)
    parser.add_argument("--envs", type=Path, default=Path(tempfile.gettempdir()) / "builder-score-envs")
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.peer:
        steps, shown = PEERS[asked.peer](*queries(asked.queries, asked.ranks))
        print(json.dumps({"steps": steps, "shown": shown}))
        return
    found: dict[str, dict[str, Any]] = {}
    for peer in PEERS:
        try:
            found[peer] = measure(peer, environment(peer, asked.envs), asked.queries, asked.ranks)
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{peer:12} failed: {error}")
            continue
        steps = found[peer]["steps"]
        told = "  ".join(f"{name} {seconds:.2f} s" for name, seconds in steps.items())
        apart = most_apart(found["builder"]["shown"], found[peer]["shown"]) if "builder" in found else None
        print(f"{peer:12} {told}  most apart from builder: {apart}")


if __name__ == "__main__":
    main()
