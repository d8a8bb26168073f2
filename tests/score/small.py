"""A small corpus, and runs over it by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from builder.model.case import Case, Evidence, Grade
from builder.model.chunk import Chunk
from builder.model.run import RunHeader, RunRecord
from builder.model.snapshot import FrozenDocument
from builder.score.records import Value
from builder.score.run_file import Run
from builder.score.scoring import ScoredAnswers, score_answers
from tests import make


@dataclass(frozen=True)
class Corpus:
    """What a snapshot holds of its documents."""

    chunks: tuple[Chunk, ...]
    documents: tuple[FrozenDocument, ...]


def frozen(doc_id: str, **metadata: Any) -> FrozenDocument:
    """A document of one page."""
    return FrozenDocument.model_validate(
        {
            "doc_id": doc_id,
            "source_path": doc_id,
            "sha256": "0" * 64,
            "media_type": "text/markdown",
            "page_count": 1,
            "metadata": metadata,
        }
    )


def letters(names: str) -> Corpus:
    """One document a letter, with one passage that is quoted whole."""
    chunks = tuple(make.chunk(make.document(name), f"这是第 {name} 段的内容。", chunk_id=name) for name in names)
    return Corpus(chunks, tuple(frozen(name) for name in names))


def quote(corpus: Corpus, chunk_id: str) -> Evidence:
    """A whole passage as evidence."""
    chunk = next(chunk for chunk in corpus.chunks if chunk.chunk_id == chunk_id)
    return make.evidence(chunk, chunk.text)


def asked(corpus: Corpus, relevant: Iterable[str], grades: dict[str, int] | None = None, **fields: Any) -> Case:
    """A case whose evidence is needed passage by passage."""
    return make.case(
        **{
            "evidence_groups": tuple((quote(corpus, name),) for name in relevant),
            "grades": tuple(Grade(evidence=quote(corpus, name), grade=grade) for name, grade in (grades or {}).items()),
        }
        | fields
    )


def run(records: Iterable[RunRecord | dict[str, Any]]) -> Run:
    """A run with these answers."""
    found = (one if isinstance(one, RunRecord) else RunRecord.model_validate(one) for one in records)
    return Run(name="r", header=RunHeader(snapshot="v1"), records=tuple(found))


def score(corpus: Corpus, cases: Sequence[Case], *records: dict[str, Any], **options: Any) -> ScoredAnswers:
    """Scored answers."""
    return score_answers(cases, run(records), corpus, **options)


def one(corpus: Corpus, case: Case, record: dict[str, Any] | None, **options: Any) -> dict[str, Value]:
    """The figures of one answer to one case."""
    given = [] if record is None else [{"case_id": case.case_id} | record]
    return dict(score(corpus, [case], *given, **options).scores[0].values)


def mean(scored: ScoredAnswers, name: str) -> float:
    """The mean of a metric over the answers that have a figure."""
    known = [value for score in scored.scores if (value := score.values[name].number) is not None]
    return sum(known) / len(known)
