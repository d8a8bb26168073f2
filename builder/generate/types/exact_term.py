"""Exact terms: codes, models, numbers and versions, which question and answer write as the text does."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.grounds import judged, places, plain, shown, terms
from builder.model.case import Case

_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_PER_CHUNK = 3
"""Terms that one chunk is asked about, the rarest first."""


def units(material: Material) -> Iterator[Unit]:
    """Chunks with each of their rarest terms; the term is the clue."""
    count = Counter(term for chunk in material.allowed for term in terms(chunk.text))
    for chunk in material.allowed:
        for term in sorted(terms(chunk.text), key=lambda term: count[term])[:_PER_CHUNK]:
            yield Unit(chunk_ids=(chunk.chunk_id,), facts={"clue": term})


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases with a term, all of whose terms stand letter by letter in what they rest on."""
    return judged(cases, lambda case: _refusal(case, call) or case)


def _refusal(case: Case, call: Call) -> str:
    found = places(case, call.chunks)
    said = terms(f"{case.question}\n{case.ground_truth}")
    chunks = {place.chunk.chunk_id: place.chunk for place in found}.values()
    quoted = {term for place in found for term in terms(place.text)}
    known = quoted.union(*(terms(shown(chunk)) for chunk in chunks))
    clue = plain(call.task.facts.get("clue", ""))
    if clue not in said and not terms(case.question):
        return "near_term" if clue and _nearly_said(clue, case) else "no_term"
    for term in said:
        if term not in quoted and _near(term, quoted):
            return "near_term"
        if term not in known:
            return "near_term" if _near(term, known) else "term_missing"
    return "near_term" if clue not in said and _near(clue, said) else ""


def _near(term: str, others: Iterable[str]) -> bool:
    """True where one of the others is nearly the term: cut, longer, in small letters, without a dash or a zero."""
    bare = _bare(term)
    return any(other != term and _alike(bare, _bare(other)) for other in others)


def _alike(left: str, right: str) -> bool:
    return bool(left and right) and (left == right or left.startswith(right) or right.startswith(left))


def _bare(term: str) -> str:
    return _ZEROS.sub("", "".join(filter(str.isalnum, term)).casefold())


def _nearly_said(clue: str, case: Case) -> bool:
    return _bare(clue) in _bare(plain(f"{case.question} {case.ground_truth}"))
