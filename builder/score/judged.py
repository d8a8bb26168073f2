"""What is known of the claims of an answer: by their checks, then by people."""

from collections.abc import Iterable, Mapping, Sequence

from builder.model.case import Case
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict
from builder.score.claims import judge_claims
from builder.score.verdict_file import holds

Key = tuple[str, int]


def by_answer(verdicts: Iterable[AnswerVerdict]) -> Mapping[Key, tuple[AnswerVerdict, ...]]:
    """Verdicts by case and repeat, in their order."""
    found: dict[Key, list[AnswerVerdict]] = {}
    for verdict in verdicts:
        found.setdefault((verdict.case_id, verdict.repeat), []).append(verdict)
    return {key: tuple(some) for key, some in found.items()}


def holding(verdicts: Sequence[AnswerVerdict], record: RunRecord, case: Case) -> tuple[AnswerVerdict, ...]:
    """Those that are about this very answer and reference."""
    return tuple(verdict for verdict in verdicts if holds(verdict, record, case))


def claims_of(case: Case, record: RunRecord, verdicts: Sequence[AnswerVerdict] = ()) -> tuple[ClaimVerdict, ...]:
    """A person's word goes before a check's; where people differ the claim is undecided."""
    if record.error is not None or record.answer is None or not (case.claims or case.must_not_claims):
        return ()
    found = judge_claims(case, record.answer)
    if not verdicts:
        return found
    said: dict[tuple[int, bool], list[Judgement]] = {}
    for verdict in verdicts:
        for claim in verdict.claims:
            if claim.verdict is not Judgement.UNDECIDED:
                said.setdefault((claim.index, claim.must_not), []).append(claim.verdict)
    return tuple(_told(claim, said.get((claim.index, claim.must_not), ())) for claim in found)


def _told(claim: ClaimVerdict, said: Sequence[Judgement]) -> ClaimVerdict:
    if not said:
        return claim
    return claim.replace(verdict=said[0] if len(set(said)) == 1 else Judgement.UNDECIDED, why="")


def verdict_of(verdicts: Sequence[AnswerVerdict]) -> Verdict | None:
    """What people say of the whole answer; none where nobody does, or they differ."""
    said = {verdict.verdict for verdict in verdicts if verdict.verdict is not None}
    return said.pop() if len(said) == 1 else None
