"""The lab's run as the program sees it: views of its answers, and what is known beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.run import RunRecord
from builder.model.snapshot import FrozenDocument
from builder.model.verdict import AnswerVerdict
from builder.score.diagnosis import Blame, diagnose
from builder.score.indexed import indexed
from builder.score.layers.known import Known, usual_cut
from builder.score.map_file import Map
from builder.score.passages import Library
from builder.score.run_file import Run
from builder.score.scoring import ScoredAnswers, score_answers
from tests.score.lab.cases import evidence_of
from tests.score.lab.corpus import Samples
from tests.score.lab.rag import Fault, Rag


@dataclass(frozen=True)
class Frozen:
    """What a snapshot of the cases holds: not all passages, only those that they rest on."""

    chunks: tuple[Chunk, ...]
    documents: tuple[FrozenDocument, ...]


def run_of(
    samples: Samples, cases: Sequence[Case], folder: Path, fault: Fault | None, *, everywhere: bool = False
) -> tuple[Rag, list[RunRecord]]:
    """All cases asked once."""
    rag = Rag(samples, folder, fault, everywhere=everywhere)
    return rag, [rag.answer(case) for case in cases]


def scored_of(
    samples: Samples, cases: Sequence[Case], run: Run, entries: Map, verdicts: Sequence[AnswerVerdict] = ()
) -> tuple[ScoredAnswers, Known]:
    """Figures, views, and what is known beside them: from snapshot, run file and map file only."""
    frozen = Frozen(samples.resting_on(evidence_of(cases)), tuple(samples.documents.values()))
    scored = score_answers(cases, run, frozen, map=entries, verdicts=verdicts)
    index = indexed(cases, Library(frozen, entries, {}), entries)
    return scored, Known(documents=samples.documents, index=index, cut=usual_cut(scored.views))


def blames_of(samples: Samples, cases: Sequence[Case], run: Run, entries: Map) -> dict[str, Blame]:
    """What the diagnosis says of a run, by case; it never sees the fault."""
    scored, known = scored_of(samples, cases, run, entries)
    pairs = zip(scored.views, scored.scores, strict=True)
    return {blame.case_id: blame for view, score in pairs if (blame := diagnose(view, score, known))}
