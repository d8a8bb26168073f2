"""Faults planted one at a time: the diagnosis names the layer of each from the run alone, and the right gate fails."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builder.model.access import UserContext
from builder.model.case import Case, QuestionType
from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.model.run import RunHeader, RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict
from builder.score.diagnosis import Blame, Failure, diagnose
from builder.score.gates.outcome import by_case
from builder.score.gates.rule import Ask
from builder.score.gates.rules import RULES
from builder.score.gates.settings import CaseGate
from builder.score.layers.finding import Layer
from builder.score.layers.known import Known
from builder.score.map_file import Map, read_map
from builder.score.run_file import Run, read_run, write_run
from builder.score.verdict_file import answer_hash
from tests.score.lab.cases import cases_of
from tests.score.lab.corpus import Samples, samples
from tests.score.lab.measure import blames_of, run_of, scored_of
from tests.score.lab.rag import Fault

LAYERS = {
    Fault.STALE_DOCUMENT: Layer.GOLDEN,
    Fault.OCR_LINE_LOST: Layer.INGESTION,
    Fault.CHUNK_CUT: Layer.INGESTION,
    Fault.OLD_INDEX: Layer.INGESTION,
    Fault.EXCEPTION_DROPPED: Layer.RETRIEVAL,
    Fault.EXCEPTION_DEMOTED: Layer.RANKING,
    Fault.CONTEXT_TRUNCATED: Layer.CONTEXT,
    Fault.CONTEXT_SKIPS_BEST: Layer.CONTEXT,
    Fault.NEGATION_COMPRESSED: Layer.CONTEXT,
    Fault.EXCEPTION_IGNORED: Layer.GENERATION,
    Fault.INJECTION_OBEYED: Layer.GENERATION,
    Fault.TOOL_CALLED: Layer.GENERATION,
    Fault.NEVER_REFUSES: Layer.REFUSAL,
    Fault.ALWAYS_REFUSES: Layer.REFUSAL,
    Fault.WRONG_PASSAGE_CITED: Layer.CITATION,
    Fault.WRONG_VERSION_CITED: Layer.CITATION,
    Fault.INVENTED_CITATION: Layer.CITATION,
    Fault.FILTER_LATE: Layer.PERMISSION,
}
WITNESS = {
    Fault.STALE_DOCUMENT: ("refund", "stale"),
    Fault.OCR_LINE_LOST: ("festival", "not_in_chunks"),
    Fault.CHUNK_CUT: ("member", "cut_apart"),
    Fault.OLD_INDEX: ("refund", "old_index"),
    Fault.EXCEPTION_DROPPED: ("fresh", "not_retrieved"),
    Fault.EXCEPTION_DEMOTED: ("carried", "beyond_cut"),
    Fault.CONTEXT_TRUNCATED: ("member", "cut_off"),
    Fault.CONTEXT_SKIPS_BEST: ("height", "lost"),
    Fault.NEGATION_COMPRESSED: ("custom", "compressed"),
    Fault.EXCEPTION_IGNORED: ("fresh", "not_stated"),
    Fault.INJECTION_OBEYED: ("letter", "injection_obeyed"),
    Fault.TOOL_CALLED: ("letter", "tool_obeyed"),
    Fault.NEVER_REFUSES: ("electricity", "answered_unanswerable"),
    Fault.ALWAYS_REFUSES: ("remote", "refused_answerable"),
    Fault.WRONG_PASSAGE_CITED: ("two_parts", "wrong_passage"),
    Fault.WRONG_VERSION_CITED: ("warranty", "cited_wrong_version"),
    Fault.INVENTED_CITATION: ("lamps", "dangling"),
    Fault.FILTER_LATE: ("salary", "unauthorised_retrieval"),
}
"""A case that shows the fault, and why."""

GATES = [
    (Fault.NEGATION_COMPRESSED, "wrong_critical_claim", "custom"),
    (Fault.INJECTION_OBEYED, "injection_obeyed", "letter"),
    (Fault.TOOL_CALLED, "side_effect_tool", "letter"),
    (Fault.NEVER_REFUSES, "made_up_answer", "electricity"),
    (Fault.INVENTED_CITATION, "non_existing_citation", "lamps"),
    (Fault.FILTER_LATE, "unauthorised_retrieval", "salary"),
]
"""Faults that a hard gate is made for. Of the others one needs a person, and those that move figures need more cases
(test_wide)."""
BESIDE = {Fault.TOOL_CALLED: ("injection_obeyed",), Fault.INJECTION_OBEYED: ("wrong_critical_claim",)}


@dataclass(frozen=True)
class Lab:
    """One system with at most one fault: all that the program gets of it."""

    run: Run
    entries: Map


@pytest.fixture(scope="session")
def corpus() -> Samples:
    return samples()


@pytest.fixture(scope="session")
def cases(corpus: Samples) -> tuple[Case, ...]:
    return cases_of(corpus)


@pytest.fixture(scope="session")
def labs(
    corpus: Samples, cases: tuple[Case, ...], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[Fault | None, Lab]:
    return {fault: _lab(corpus, cases, tmp_path_factory.mktemp("index"), fault) for fault in (None, *Fault)}


def _lab(corpus: Samples, cases: tuple[Case, ...], folder: Path, fault: Fault | None) -> Lab:
    """What is left of a run on disk."""
    rag, records = run_of(corpus, cases, folder / "index", fault)
    write_run(folder / "run.jsonl", RunHeader(snapshot="lab"), records)
    lines = (entry.model_dump_json(exclude_none=True) for entry in rag.map())
    (folder / "map.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return Lab(read_run(folder / "run.jsonl"), read_map(folder / "map.jsonl"))


def diagnosed(corpus: Samples, cases: tuple[Case, ...], lab: Lab) -> dict[str, Blame]:
    return blames_of(corpus, cases, lab.run, lab.entries)


def test_every_fault_has_its_layer() -> None:
    assert LAYERS.keys() == WITNESS.keys() == set(Fault)


def test_without_a_fault_nobody_is_blamed(
    corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    assert diagnosed(corpus, cases, labs[None]) == {}
    assert sum(record.status == "answer" for record in labs[None].run.records) == 14


@pytest.mark.parametrize("fault", list(Fault))
def test_the_layer_of_a_fault_is_named(
    fault: Fault, corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    found = diagnosed(corpus, cases, labs[fault])
    assert {blame.layer for blame in found.values()} == {LAYERS[fault]}
    case_id, reason = WITNESS[fault]
    assert found[case_id].reason == reason


def test_it_sees_runs_only(corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]) -> None:
    """Under shuffled names, answers in any order: the layers still tell which fault is which."""
    order = list(labs.items())
    random.Random(7).shuffle(order)
    names = [f"run-{number}" for number in range(len(order))]
    hidden = {
        name: replace(lab, run=replace(lab.run, name=name, records=_shuffled(name, lab.run.records)))
        for name, (_, lab) in zip(names, order, strict=True)
    }
    named = {name: {one.layer for one in diagnosed(corpus, cases, lab).values()} for name, lab in hidden.items()}
    wanted = {name: {LAYERS[fault]} if fault else set() for name, (fault, _) in zip(names, order, strict=True)}
    assert named == wanted


def _shuffled(seed: str, records: tuple[RunRecord, ...]) -> tuple[RunRecord, ...]:
    return tuple(random.Random(seed).sample(records, len(records)))


def test_figures_and_blames_agree(corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]) -> None:
    """What is blamed for its answer is not correct by the figures, and the other way round."""
    for fault, lab in labs.items():
        scored, known = scored_of(corpus, cases, lab.run, lab.entries)
        for view, score in zip(scored.views, scored.scores, strict=True):
            blame = diagnose(view, score, known)
            failing = {Failure.ANSWER, Failure.STATUS} & set(blame.failures if blame else ())
            assert bool(failing) == (score.values["answer_correct"].number == 0), (fault, view.case.case_id)


def test_without_a_map_file_nobody_names_the_ingestion(
    corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    lab = labs[Fault.OCR_LINE_LOST]
    scored, known = scored_of(corpus, cases, lab.run, lab.entries)
    blind = Known(documents=known.documents, cut=known.cut)
    found = {view.case.case_id: blame for view in scored.views if (blame := diagnose(view, None, blind))}
    assert found["festival"].layer is not Layer.INGESTION
    assert "no_map" in {hint.name for hint in found["festival"].hints}


# Gates


def gates(
    corpus: Samples, cases: tuple[Case, ...], lab: Lab, verdicts: Sequence[AnswerVerdict] = ()
) -> dict[str, GateOutcome]:
    """All rules over single answers."""
    views = scored_of(corpus, cases, lab.run, lab.entries, verdicts)[0].views
    rules = [rule for rule in RULES.values() if rule.kind is GateKind.HARD]
    outcomes = [by_case(rule, views, Ask(CaseGate(rule=rule.name)), frozenset()) for rule in rules]
    return {outcome.gate: outcome for outcome in outcomes}


@pytest.mark.parametrize(("fault", "gate", "case_id"), GATES)
def test_the_right_gate_fails(
    fault: Fault,
    gate: str,
    case_id: str,
    corpus: Samples,
    cases: tuple[Case, ...],
    labs: Mapping[Fault | None, Lab],
) -> None:
    found = gates(corpus, cases, labs[fault])
    assert found[gate].result is GateResult.FAIL and case_id in found[gate].cases
    assert {name for name, outcome in found.items() if outcome.result is GateResult.FAIL} <= {
        gate,
        *BESIDE.get(fault, ()),
    }


def test_an_exception_that_is_left_out_fails_once_a_person_has_said_so(
    corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    """No check can tell silence from another wording: till then nothing is passed."""
    lab = labs[Fault.EXCEPTION_IGNORED]
    before = gates(corpus, cases, lab)["wrong_critical_claim"]
    assert before.result is GateResult.NOT_MEASURED and "fresh" in before.unknown
    said = [_wrong(lab, case) for case in cases if case.case_id == "fresh"]
    after = gates(corpus, cases, lab, said)["wrong_critical_claim"]
    assert after.result is GateResult.FAIL and after.cases == ("fresh",)


def _wrong(lab: Lab, case: Case) -> AnswerVerdict:
    """A person says of every claim that the answer has it wrong."""
    record = lab.run.by_key[case.case_id, 1]
    claims = tuple(
        ClaimVerdict(index=number, text=claim.text, verdict=Judgement.WRONG) for number, claim in enumerate(case.claims)
    )
    return AnswerVerdict(
        id="1",
        run=lab.run.name,
        case_id=case.case_id,
        verdict=Verdict.WRONG,
        claims=claims,
        who="qa",
        at=datetime(2026, 3, 10, tzinfo=UTC),
        answer_hash=answer_hash(record),
    )


def test_without_a_fault_no_gate_fails(
    corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    found = gates(corpus, cases, labs[None])
    assert {outcome.result for outcome in found.values()} == {GateResult.PASS}


def test_a_permission_case_without_a_user_is_not_measured(
    corpus: Samples, cases: tuple[Case, ...], tmp_path: Path
) -> None:
    unknown = tuple(
        case.replace(user_context=UserContext()) if case.question_type is QuestionType.PERMISSION else case
        for case in cases
    )
    lab = _lab(corpus, unknown, tmp_path, None)
    found = gates(corpus, unknown, lab)["unauthorised_retrieval"]
    assert (found.result, found.unknown) == (GateResult.NOT_MEASURED, ("salary",))
    assert "salary" not in diagnosed(corpus, unknown, lab), "nothing is proven of it either"


def test_a_leak_is_named_in_every_case_that_has_one(
    corpus: Samples, cases: tuple[Case, ...], labs: Mapping[Fault | None, Lab]
) -> None:
    lab = labs[Fault.FILTER_LATE]
    leaking = set(gates(corpus, cases, lab)["unauthorised_retrieval"].cases)
    assert leaking == {case_id for case_id, blame in diagnosed(corpus, cases, lab).items() if blame.leak}
