"""What a set is cut by, which slice each answer lies in, and which cases belong together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from builder.model.case import Case, Status
from builder.model.snapshot import FrozenDocument
from builder.score.view import View

Cut = tuple[str, str]
"""What is cut by, and which slice."""
NONE = "none"
"""The slice of cases that have nothing to be cut by."""
_SINGLE = ("tenant", "department", "region", "authority", "version_label")


def families(cases: Iterable[Case], documents: Iterable[FrozenDocument]) -> dict[str, str]:
    """The family of each case, which is resampled as a whole: that of the document that its first evidence is from.

    Without evidence: the family of the question, which is the case itself unless it comes in several styles.
    """
    known = {document.doc_id: document.metadata.family or document.doc_id for document in documents}

    def of(case: Case) -> str:
        first = next(iter(case.evidence), None)
        return f"case:{case.kin}" if first is None else f"document:{known.get(first.doc_id, first.doc_id)}"

    return {case.case_id: of(case) for case in cases}


def cuts_of(case: Case, documents: Mapping[str, FrozenDocument]) -> tuple[Cut, ...]:
    """All slices that a case lies in: by itself, and by the documents that its evidence is from."""
    doc_ids = dict.fromkeys(evidence.doc_id for evidence in case.evidence)
    found = [*_own(case), *(("document", doc_id) for doc_id in doc_ids)]
    for doc_id in doc_ids:
        if doc_id in documents:
            found += _metadata(documents[doc_id])
    return tuple(dict.fromkeys(found))


def _own(case: Case) -> Iterator[Cut]:
    yield "source", case.source
    yield "type", case.question_type
    yield "style", case.style
    yield "risk", case.risk or NONE
    yield "split", case.split or NONE
    yield "answerable", "yes" if case.answerable else "no"
    yield from (("tag", tag) for tag in case.tags)
    if case.audience:
        yield "audience", case.audience


def _metadata(document: FrozenDocument) -> Iterator[Cut]:
    yield "language", document.language
    metadata = document.metadata
    yield from ((name, value) for name in _SINGLE if (value := getattr(metadata, name)))
    yield from (("role", role) for role in metadata.roles)
    yield from metadata.extra.items()


def labels(view: View) -> dict[str, str]:
    """What an answer is cut by that only a run tells: the result of its citations, and why it refused."""
    return {"citation": _citation(view), "refusal": _refusal(view)}


def labelled(views: Sequence[View]) -> dict[tuple[str, int], dict[str, str]]:
    """The labels of all answers, by case and repeat."""
    return {(view.case.case_id, view.repeat): labels(view) for view in views}


def _citation(view: View) -> str:
    """The worst thing that can be said of the citations."""
    if view.citations is None:
        return "untold"
    if not view.citations:
        return "no_citation"
    if any(not cited.known for cited in view.citations):
        return "unknown_id"
    if any(cited.wrong_version for cited in view.citations):
        return "wrong_version"
    return "evidence" if any(cited.hits for cited in view.citations) else "no_evidence"


def _refusal(view: View) -> str:
    record = view.record
    if record is None or record.error is not None:
        return "failed"
    if record.status is None:
        return "untold"
    return "answered" if record.status is Status.ANSWER else record.refusal_reason or record.status
