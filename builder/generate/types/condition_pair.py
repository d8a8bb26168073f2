"""A condition pair: two questions alike but for one condition, with different answers, linked as a family."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.conditions import conditions, is_condition
from builder.generate.types.grounds import facts, terms
from builder.generate.types.links import name_of
from builder.model.case import Case
from builder.model.chunk import Chunk, ChunkKind
from builder.text.fold import folded
from builder.text.ids import digest
from builder.text.language import CJK_CLASS
from builder.text.negation import negations
from builder.text.similarity import similarity

_PIECE = re.compile(rf"{CJK_CLASS}|[^\W_]+(?:[-.'’][^\W_]+)*")
_ALIKE = 0.5
"""Least share of common words in two questions about the same thing."""
_SAME = 95
"""Least likeness of two answers with the same facts that say the same."""


def units(material: Material) -> Iterator[Unit]:
    """Passages with a condition and its counterpart; and neighbours of one chapter that have one each."""
    before: Chunk | None = None
    for chunk in material.allowed:
        if chunk.kind is ChunkKind.TABLE:
            before = None
            continue
        count = len(conditions(chunk.text, chunk.language))
        if count > 1:
            yield Unit(chunk_ids=(chunk.chunk_id,), asked=2)
        if before is not None and count and _counterparts(before, chunk):
            yield Unit(chunk_ids=(before.chunk_id, chunk.chunk_id), asked=2)
        before = chunk if count else None


def _counterparts(left: Chunk, right: Chunk) -> bool:
    """True for 未发货订单的取消 and 已发货订单的取消: neighbours whose headings are alike but for a condition."""
    if (left.doc_id, left.language, left.ordinal + 1) != (right.doc_id, right.language, right.ordinal):
        return False
    if not left.section or not right.section or left.section[:-1] != right.section[:-1]:
        return False
    changed, ratio = _difference(name_of(left.section[-1]), name_of(right.section[-1]))
    return ratio >= _ALIKE and is_condition(changed, "", left.language)


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Pairs by their places in the reply: the first item and the second, the third and the fourth."""
    rows: dict[int, list[Case]] = {}
    for place, case in enumerate(cases):
        position = case.provenance.position if case.provenance else place
        rows.setdefault(position // 2, []).append(case)
    taken: list[Case] = []
    drops: dict[str, int] = {}
    for number, row in rows.items():
        reason = _refusal(row, call.chunks[0].language)
        if reason:
            drops[reason] = drops.get(reason, 0) + len(row)
            continue
        family = _family(row[0], number)
        taken += [case.replace(family=family) for case in row]
    return Accepted(cases=tuple(taken), drops=drops)


def _family(case: Case, number: int) -> str:
    request = case.provenance.request_hash if case.provenance else case.case_id
    return f"pair-{digest(request, str(number), length=12)}"


def _refusal(row: Sequence[Case], language: str) -> str:
    """Why the cases of a row are no pair; empty where they are one."""
    if len(row) != 2:
        return "pair_alone"
    if not all(case.answerable and case.evidence_groups for case in row):
        return "ungrounded"
    left, right = row
    changed, ratio = _difference(left.question, right.question)
    if ratio < _ALIKE or _other_things(left.question, right.question):
        return "pair_unlike"
    if _same_answer(left, right):
        return "pair_same_answer"
    evidence = "\n".join(evidence.quote for case in row for evidence in case.evidence)
    return "" if is_condition(changed, evidence, language) else "pair_no_condition"


def _difference(left: str, right: str) -> tuple[list[str], float]:
    """What only one of two texts says, and the share of what both say, word by word and letter by Chinese letter."""
    a, b = _PIECE.findall(left.casefold()), _PIECE.findall(right.casefold())
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    changed = [op for op in matcher.get_opcodes() if op[0] != "equal"]
    glue = "" if re.search(CJK_CLASS, left) else " "
    return [glue.join(side) for _, i, j, k, m in changed for side in (a[i:j], b[k:m])], matcher.ratio()


def _other_things(left: str, right: str) -> bool:
    """True where each question names a code that the other one does not: E05 and E07 are two things."""
    a, b = set(terms(left)), set(terms(right))
    return bool(a - b) and bool(b - a)


def _same_answer(left: Case, right: Case) -> bool:
    a, b = left.ground_truth, right.ground_truth
    if "".join(filter(str.isalnum, folded(a))) == "".join(filter(str.isalnum, folded(b))):
        return True
    if facts(a) != facts(b) or negations(a) != negations(b):
        return False
    return similarity(a, b) >= _SAME or (_quotes(left) == _quotes(right) and bool(facts(a)))


def _quotes(case: Case) -> set[str]:
    return {evidence.quote for evidence in case.evidence}
