"""Check `quote`: every quote of a case stands, as it is, in the passage that it points at."""

from builder.checks.context import CheckContext
from builder.checks.verdict import failed, passed, warned
from builder.model.case import Case, CheckResult, Evidence
from builder.text.quotes import occurrences

NAME = "quote"
_FOUND = {
    "fuzzy": "quote_fuzzy",
    "whole": "quote_whole",
    "none": "no_evidence",
    "elsewhere": "quote_elsewhere",
    "misattributed": "misattributed",
}
_REMEMBERED = ("quote_fuzzy", "quote_whole", "quote_elsewhere", "misattributed")
_FAILS_BARE = ("quote_elsewhere", "misattributed")
"""What the writer rested the answer on does not bear it out: without any evidence that is a failure."""


def check(case: Case, context: CheckContext) -> CheckResult:
    """Pass: all quotes stand in their chunks. Fail: one does not. Warn: no evidence, or it was not found exactly.

    `misattributed`: the writer's quote, or what its answer says, stands in another passage that was sent;
    `quote_elsewhere`: in none. How a quote was found is known at birth alone; a warning of then stays until the
    evidence is edited, which empties `case.checks`.
    """
    for evidence in case.evidence:
        detail = _fault(evidence, context)
        if detail:
            return failed(NAME, detail, quote=evidence.quote[:80], document=evidence.doc_id)
    doubt = _born(context) or _earlier(case)
    if doubt and doubt.detail != "no_evidence":
        bare = not case.evidence and doubt.detail in _FAILS_BARE
        return (failed if bare else warned)(NAME, doubt.detail, **doubt.values)
    if case.evidence or not case.answerable:
        return passed(NAME)
    return warned(NAME, "no_evidence")


def _born(context: CheckContext) -> CheckResult | None:
    how, _, note = (context.found or "").partition(":")
    if how not in _FOUND:
        return None
    if how != "misattributed":
        return warned(NAME, _FOUND[how])
    right = context.sent[int(note) - 1].doc_id if 1 <= int(note or 0) <= len(context.sent) else ""
    return warned(NAME, "misattributed", number=note, document=right)


def _fault(evidence: Evidence, context: CheckContext) -> str:
    chunk = context.chunks.chunk_of(evidence)
    if chunk is None:
        return "no_chunk"
    return "" if evidence.quote in chunk.text or occurrences(evidence.quote, chunk.text) else "quote_missing"


def _earlier(case: Case) -> CheckResult | None:
    return next((r for r in case.checks if r.name == NAME and r.detail in _REMEMBERED), None)
