"""The blocking rules that builder.toml sets. A rule that finds nothing to measure is not passed, and blocks nothing."""

from collections.abc import Iterator, Sequence

from builder.model.coverage import DocumentCoverage, Place, Rule, RuleOutcome
from builder.model.document import DocumentStatus
from builder.settings import CoverageSettings


def judge(documents: Sequence[DocumentCoverage], settings: CoverageSettings, *, whole: bool = True) -> tuple[Rule, ...]:
    """The outcome of every rule that is set.

    With `whole` false only some documents were measured: how many there should be is not asked.
    """
    rules = list(_of_documents(documents, settings)) + list(_of_chunks(documents, settings))
    if whole and settings.documents is not None:
        found = len(documents)
        outcome = RuleOutcome.PASS if found == settings.documents else RuleOutcome.FAIL
        rules.append(Rule(name="documents", outcome=outcome, found=found, wanted=settings.documents))
    return tuple(rules)


def _of_documents(documents: Sequence[DocumentCoverage], settings: CoverageSettings) -> Iterator[Rule]:
    measured = bool(documents)
    if settings.required_metadata:
        where = [
            Place(doc_id=document.doc_id, text=name if lacking == document.doc_id else f"{name} {lacking}")
            for document in documents
            for name in settings.required_metadata
            for lacking in document.missing.get(name, ())
        ]
        yield _rule("required_metadata", measured, where)
    if settings.failed_documents is not None:
        failed = [Place(doc_id=document.doc_id) for document in documents if document.status is DocumentStatus.FAILED]
        yield _rule("failed_documents", measured, failed, settings.failed_documents)


def _of_chunks(documents: Sequence[DocumentCoverage], settings: CoverageSettings) -> Iterator[Rule]:
    if settings.reversible:
        where = [Place(text=name) for document in documents if document.faults for name in document.faults.irreversible]
        yield _rule("reversible", any(document.chunks for document in documents), where)
    if settings.table_header:
        tables = [(d.doc_id, rows) for d in documents for rows in (d.tables, d.annotated) if rows and rows.rows]
        where = [row.replace(doc_id=doc_id) for doc_id, rows in tables for row in rows.headless]
        yield _rule("table_header", bool(tables), where)
    if settings.negation:
        counted = [(d.doc_id, d.negations) for d in documents if d.negations and d.negations.seen]
        where = [lost.replace(doc_id=doc_id) for doc_id, negations in counted for lost in negations.lost]
        yield _rule("negation", bool(counted), where)


def _rule(name: str, measured: bool, where: Sequence[Place], allowed: int = 0) -> Rule:
    outcome = RuleOutcome.NOT_MEASURED
    if measured:
        outcome = RuleOutcome.PASS if len(where) <= allowed else RuleOutcome.FAIL
    return Rule(name=name, outcome=outcome, found=len(where), wanted=allowed, where=tuple(where))
