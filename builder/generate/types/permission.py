"""A document that not everybody may read: one user gets the answer, another one must not."""

from collections import Counter
from collections.abc import Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.terms import share, terms
from builder.generate.types import Accepted, Unit
from builder.generate.types.variants import refusing, told, variant
from builder.model.access import Access, UserContext
from builder.model.case import Case, HardNegative, NegativeReason
from builder.text.numbers import quantities
from builder.text.quotes import find_quote
from builder.text.sentences import sentences

_SEEN = 20
"""Passages in which the answer is looked for."""
_SAME = 60
"""Per cent of the question's terms from which a sentence with the answer's numbers speaks of the same thing."""


def units(material: Material) -> Iterator[Unit]:
    """Each passage of a document with access rules."""
    for chunk in material.allowed:
        if chunk.metadata.restricted:
            yield Unit(chunk_ids=(chunk.chunk_id,), makes=2)


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Two cases each: a user who may read the passage, and one who may not and is rightly refused.

    Refused: `no_restricted_evidence` (no evidence, or a document that everybody may read), `no_reader` (its rules let
    nobody in, or nobody out), `open_elsewhere` (the second user may read the answer in another document).
    """
    drops: Counter[str] = Counter()
    taken: list[Case] = []
    for case in cases:
        pair = _pair(case, material)
        if isinstance(pair, str):
            drops[pair] += 1
        else:
            taken += pair
    return Accepted(cases=tuple(taken), drops=dict(drops))


def _pair(case: Case, material: Material) -> tuple[Case, Case] | str:
    chunks = [material.corpus.index.chunk_of(evidence) for evidence in case.evidence]
    rules = [chunk.metadata for chunk in chunks if chunk is not None and chunk.metadata.restricted]
    if not case.answerable or not rules or len(rules) < len(chunks):
        return "no_restricted_evidence"
    inside, outside = insider(rules[0]), outsider(rules[0])
    if not all(material.may_read(inside, rule) for rule in rules) or material.may_read(outside, rules[0]):
        return "no_reader"
    if stands_elsewhere(case, outside, material):
        return "open_elsewhere"
    refused = variant(
        refusing(case),
        "outsider",
        user_context=outside,
        must_not_claims=told(case),
        hard_negatives=tuple(HardNegative(evidence=e, reason=_reason(rules[0])) for e in case.evidence),
        family=case.case_id,
    )
    return case.replace(user_context=inside, family=case.case_id), refused


def insider(rules: Access) -> UserContext:
    """The plainest user whom the rules let in, if they let anybody in."""
    roles = [role for role in rules.roles if role not in rules.deny.roles]
    return UserContext(tenant=rules.tenant, department=rules.department, region=rules.region, roles=tuple(roles[:1]))


def outsider(rules: Access) -> UserContext:
    """The user most like the insider whom the rules keep out: all that is asked for, but one thing.

    Without the roles, else without the tenant, the department, the region; where only a deny entry keeps people out,
    the first one that it names.
    """
    inside, deny = insider(rules), rules.deny
    for name, lost in (("roles", ()), ("tenant", None), ("department", None), ("region", None)):
        if getattr(rules, name):
            return inside.replace(**{name: lost})
    return UserContext(
        user=next(iter(deny.users), None),
        tenant=next(iter(deny.tenants), None),
        department=next(iter(deny.departments), None),
        roles=deny.roles[:1],
    )


def stands_elsewhere(case: Case, user: UserContext, material: Material) -> bool:
    """True where `user` may read the answer in some passage: its words, or its numbers beside the question's words."""
    found = material.corpus.find(f"{case.question} {case.ground_truth}", _SEEN)
    return any(material.may_read(user, chunk.metadata) and _holds(chunk.text, case) for chunk, _ in found)


def _holds(text: str, case: Case) -> bool:
    figures = {(one.value, one.unit) for one in quantities(case.ground_truth)}
    wanted = terms(case.question)
    if not figures:
        both = terms(f"{case.question} {case.ground_truth}")
        return find_quote(case.ground_truth, text) is not None or share(both, text) >= 90
    for start, end in sentences(text):
        sentence = text[start:end]
        if figures <= {(one.value, one.unit) for one in quantities(sentence)} and share(wanted, sentence) >= _SAME:
            return True
    return False


def _reason(rules: Access) -> NegativeReason:
    """What is wrong with the passage for the outsider."""
    if rules.roles:
        return NegativeReason.OTHER
    if rules.tenant:
        return NegativeReason.WRONG_TENANT
    return NegativeReason.WRONG_REGION if rules.region and not rules.department else NegativeReason.OTHER
