"""Check `facts`: what the answer states exactly stands in the evidence, and it does not say the opposite of it."""

from collections.abc import Sequence

from builder.checks.context import CheckContext
from builder.checks.reading.compare import Fact, missing
from builder.checks.reading.polarity import contradicted
from builder.checks.reading.source import background, chunks_of, paired_question, quoted, without_question
from builder.checks.verdict import failed, passed, warned
from builder.model.case import Case, CheckResult

NAME = "facts"
_SHOWN = 120


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Fail: a number, date, amount or code of the answer is not in the evidence, or a negation is turned round.

    Warn: such a fact stands beside the evidence, in the same chunk. What the question says itself, and what headings
    say, needs no evidence.
    """
    if not case.answerable or not case.ground_truth.strip() or not case.evidence:
        return None
    chunks = chunks_of(case, context)
    held, around = quoted(case), background(case, chunks)
    gone = missing(case.ground_truth, held, around)
    if gone:
        beside = not missing(case.ground_truth, held, around, *(chunk.text for chunk in chunks))
        return (warned if beside else failed)(NAME, "facts_beside" if beside else "facts_missing", facts=_named(gone))
    asked = next(filter(None, (paired_question(chunk.text) for chunk in chunks)), "")
    turned = contradicted(case.question, case.ground_truth, without_question(held), asked)
    if turned:
        return failed(NAME, "negation_turned", answer=turned[0][:_SHOWN], source=turned[1][:_SHOWN])
    return _repaired(context.found) or passed(NAME)


def _named(gone: Sequence[Fact]) -> str:
    return " | ".join(dict.fromkeys(fact.written for fact in gone))


def _repaired(found: str | None) -> CheckResult | None:
    how, _, numbers = (found or "").partition(":")
    if how != "repaired":
        return None
    old, _, new = numbers.partition(">")
    return passed(NAME, "sentence_repaired", old=old, new=new)
