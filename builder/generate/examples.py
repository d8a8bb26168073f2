"""What reviewers have decided, told to the model: approved cases as examples, reasons of rejection as what to avoid."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from builder.checks.corpus import Corpus
from builder.generate.material import Material
from builder.generate.prompt import on_one_line
from builder.model.attempt import Task
from builder.model.case import Case, QuestionType, RejectReason, ReviewState, Source, Split, Style
from builder.model.chunk import Chunk
from builder.text.language import language_of
from builder.words import words

EXAMPLES = 2
"""Approved cases that one prompt shows, at most."""
AVOID = 3
"""Rejected cases that one prompt tells of, at most."""
_KEPT = 6
"""Approved cases of one type and language to choose from: each of other documents, so that two fit nearly any task."""
_LONGEST = 160
"""Characters of a question or an answer; a longer one is no example."""
_TEACHES = frozenset(
    {
        RejectReason.WRONG_ANSWER,
        RejectReason.UNSUPPORTED,
        RejectReason.UNCLEAR,
        RejectReason.CLOSED_BOOK,
        RejectReason.DUPLICATE,
        RejectReason.OUT_OF_SCOPE,
    }
)
"""Reasons that are the writer's fault. `private` is never shown again; `bad_ocr` and `other` say nothing to a model."""


def approved_examples(
    cases: Iterable[Case], corpus: Corpus, allowed: Sequence[Chunk]
) -> dict[QuestionType, tuple[Case, ...]]:
    """Approved cases by type from which prompts may choose: in the order of their ids, one a document.

    Left out: the test split, feedback (users' own words), what rests on documents that may not be sent, and what rests
    on passages that are gone: whether it is about another document than the task cannot be told.
    """
    may_go = _may_go(corpus, allowed)
    found: dict[QuestionType, dict[tuple[str, frozenset[str]], Case]] = defaultdict(dict)
    for case in sorted(filter(_fits, cases), key=lambda case: case.case_id):
        chunks = _chunks(case, corpus)
        language = language_of(case.question)
        kept = found[case.question_type]
        if chunks and _all_in(chunks, may_go) and sum(known == language for known, _ in kept) < _KEPT:
            kept.setdefault((language, _families(chunks)), case)
    return {name: tuple(kept.values()) for name, kept in found.items() if kept}


def rejected_lessons(cases: Iterable[Case], corpus: Corpus, allowed: Sequence[Chunk]) -> tuple[Case, ...]:
    """Rejected generated cases that may be told of, a few of each language: one a reason before a second of it."""
    may_go = _may_go(corpus, allowed)
    nothing_held = len(may_go) == len(corpus.chunks)
    useful: dict[str, list[Case]] = {"zh": [], "en": []}
    for case in sorted(cases, key=lambda case: case.case_id):
        written = case.source is Source.GENERATED and case.review_state is ReviewState.REJECTED
        if written and case.reject_reason in _TEACHES and len(case.question) <= _LONGEST:
            chunks = _chunks(case, corpus)
            if nothing_held or (chunks and _all_in(chunks, may_go)):
                useful[language_of(case.question)].append(case)
    return tuple(case for rows in useful.values() for case in _by_reason(rows)[:AVOID])


def review_values(task: Task, material: Material) -> dict[str, object]:
    """Examples and what to avoid, for the prompt of a task; what there is none of is left out.

    The same approvals and rejections always give the same values.
    """
    if not (material.examples or material.avoid):
        return {}
    chunks = [material.chunk(chunk_id) for chunk_id in task.chunk_ids]
    language = chunks[0].language
    approved = material.examples.get(task.question_type or QuestionType.SINGLE_FACT, ())
    about = _families(chunks)
    examples = [case for case in approved if _fits(case) and language_of(case.question) == language]
    examples = [case for case in examples if _elsewhere(case, about, material.corpus)]
    avoid = [case for case in material.avoid if case.reject_reason in _TEACHES]
    avoid = [case for case in avoid if language_of(case.question) == language]
    say = words(language)
    found = {
        "examples": [
            {"question": on_one_line(case.question), "answer": on_one_line(case.ground_truth)}
            for case in examples[:EXAMPLES]
        ],
        "avoid": [
            {"reason": say(f"reject.{case.reject_reason}"), "question": on_one_line(case.question)}
            for case in avoid[:AVOID]
        ],
    }
    return {name: rows for name, rows in found.items() if rows}


def _fits(case: Case) -> bool:
    approved = case.review_state is ReviewState.APPROVED and case.split is not Split.TEST
    plain = case.source is not Source.FEEDBACK and case.style is Style.FORMAL and not case.conversation
    return approved and plain and max(len(case.question), len(case.ground_truth)) <= _LONGEST


def _elsewhere(case: Case, about: frozenset[str], corpus: Corpus) -> bool:
    chunks = _chunks(case, corpus)
    return bool(chunks) and not _families(chunks) & about


def _may_go(corpus: Corpus, allowed: Sequence[Chunk]) -> frozenset[str]:
    """Ids of chunks whose text may be in a prompt: those asked about, and those that nothing restricts."""
    free = (chunk.chunk_id for chunk in corpus.chunks if not chunk.metadata.restricted)
    return frozenset(free) | {chunk.chunk_id for chunk in allowed}


def _all_in(chunks: Iterable[Chunk], ids: Collection[str]) -> bool:
    return all(chunk.chunk_id in ids for chunk in chunks)


def _chunks(case: Case, corpus: Corpus) -> tuple[Chunk, ...]:
    """The passages that a case rests on; none where one of them is gone."""
    found = [corpus.index.chunk_of(evidence) for evidence in case.evidence]
    return tuple(chunk for chunk in found if chunk) if all(found) else ()


def _families(chunks: Iterable[Chunk]) -> frozenset[str]:
    """The documents of the chunks; versions of one document are one."""
    return frozenset(chunk.metadata.family or chunk.doc_id for chunk in chunks)


def _by_reason(cases: Sequence[Case]) -> list[Case]:
    first: dict[RejectReason | None, Case] = {}
    for case in cases:
        first.setdefault(case.reject_reason, case)
    return [*first.values(), *(case for case in cases if first[case.reject_reason] is not case)]
