"""Check `quote`: every quote of a case stands, as it is, in the passage that it points at."""

from builder.checks.context import CheckContext
from builder.model.case import Case, CheckOutcome, CheckResult, Evidence
from builder.text.quotes import occurrences

NAME = "quote"
_FOUND = {"fuzzy": "quote_fuzzy", "whole": "quote_whole", "none": "no_evidence"}
_REMEMBERED = ("quote_fuzzy", "quote_whole")


def check(case: Case, context: CheckContext) -> CheckResult:
    """Pass: all quotes stand in their chunks. Fail: one does not. Warn: no evidence, or it was not found exactly.

    How a quote was found is known at birth alone; a warning of then stays until the evidence is edited, which empties
    `case.checks`.
    """
    if not case.evidence:
        return _verdict(
            CheckOutcome.WARN if case.answerable else CheckOutcome.PASS, "no_evidence" if case.answerable else ""
        )
    for evidence in case.evidence:
        detail = _fault(evidence, context)
        if detail:
            return _verdict(CheckOutcome.FAIL, detail, quote=evidence.quote[:80], document=evidence.doc_id)
    doubt = _FOUND.get(context.found or "", "") or _earlier(case)
    return _verdict(CheckOutcome.WARN if doubt else CheckOutcome.PASS, doubt)


def _fault(evidence: Evidence, context: CheckContext) -> str:
    chunk = context.chunks.chunk_of(evidence)
    if chunk is None:
        return "no_chunk"
    return "" if evidence.quote in chunk.text or occurrences(evidence.quote, chunk.text) else "quote_missing"


def _earlier(case: Case) -> str:
    return next((r.detail for r in case.checks if r.name == NAME and r.detail in _REMEMBERED), "")


def _verdict(outcome: CheckOutcome, detail: str, **values: str) -> CheckResult:
    return CheckResult(name=NAME, outcome=outcome, detail=detail, values=values)
