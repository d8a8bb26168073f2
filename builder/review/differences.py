"""What was changed in a case since it was first written: Chinese by characters, other languages by words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest

from builder.model.case import Case
from builder.model.claim import Claim
from builder.review.claim_lines import lines_of
from builder.review.strip import flat
from builder.text.sentences import sentences

# A number and a word are changed as a whole; of scripts without spaces every character stands for itself.
_WORD = r"[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
_TOKEN = re.compile(rf"{_WORD}(?:(?<=\d)[.,:]\d+|['’]{_WORD})*|[^\S\n]+|.", re.DOTALL)
_MANY = 4_000_000
"""Pairs of tokens from which whole sentences are compared: the matcher takes time as the square."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text."""

    text: str
    """The text."""
    change: str
    """`same`, `removed` or `added`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not as it was."""

    name: str
    """Field of Case."""
    pieces: tuple[Piece, ...]
    """Its text, old and new."""


def differences(before: Case, after: Case) -> tuple[Difference, ...]:
    """The fields whose text differs, in the order of the form."""
    old, new = _texts(before), _texts(after)
    changed = (name for name in old if old[name] != new[name])
    return tuple(Difference(name, compare(old[name], new[name])) for name in changed)


def compare(old: str, new: str) -> tuple[Piece, ...]:
    """Both texts as pieces; what is the same stands once."""
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    left, right = tokens(old), tokens(new)
    if len(left) * len(right) > _MANY:
        inner = old[head : len(old) - tail], new[head : len(new) - tail]
        middle = _matched(*(_by_sentence(text) for text in inner))
        return _merged((Piece(old[:head], "same"), *middle, Piece(old[len(old) - tail :], "same")))
    return _merged(_matched(left, right))


def tokens(text: str) -> list[str]:
    """Numbers, words, white space, single characters of scripts without spaces; joined they are the text."""
    return _TOKEN.findall(text)


def _shared(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _by_sentence(text: str) -> list[str]:
    cuts = [0, *(start for start, _ in sentences(text) if start), len(text)]
    return [text[low:high] for low, high in pairwise(cuts)]


def _matched(left: Sequence[str], right: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("".join(left[a:b]), "same"))
        else:
            pieces += [Piece("".join(left[a:b]), "removed"), Piece("".join(right[c:d]), "added")]
    return pieces


def _merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Neighbours of one kind as one, removed before added; a lone character between two changes belongs to both."""
    pieces = [piece for piece in pieces if piece.text]
    done: list[Piece] = []
    removed = added = ""
    for piece, following in zip_longest(pieces, pieces[1:]):
        between = (removed or added) and following is not None and following.change != "same"
        if piece.change == "removed":
            removed += piece.text
        elif piece.change == "added":
            added += piece.text
        elif between and len(piece.text) == 1 and piece.text != "\n":
            removed, added = removed + piece.text, added + piece.text
        else:
            done += [*_pair(removed, added), piece]
            removed = added = ""
    return tuple(one for one in (*done, *_pair(removed, added)) if one.text)


def _pair(removed: str, added: str) -> list[Piece]:
    return [Piece(removed, "removed"), Piece(added, "added")]


def _texts(case: Case) -> dict[str, str]:
    """What a person can change, as text."""
    evidence = [
        f"{number}{'' if len(group) == 1 else chr(ord('a') + place % 26)}  {flat(one.quote)}"
        for number, group in enumerate(case.evidence_groups, 1)
        for place, one in enumerate(group)
    ]
    who = case.user_context
    return {
        "question": case.question,
        "ground_truth": case.ground_truth,
        "claims": _claims(case.claims),
        "must_not_claims": _claims(case.must_not_claims),
        "evidence_groups": "\n".join(evidence),
        "note": case.note,
        "risk": case.risk or "",
        "acceptable_status": " ".join(case.acceptable_status),
        "as_of": str(case.as_of or ""),
        "user_context": " · ".join(filter(None, (who.tenant, who.department, who.region, *who.roles))),
        "grades": "\n".join(f"{row.grade}  {flat(row.evidence.quote)}" for row in case.grades),
        "hard_negatives": "\n".join(f"{row.reason}  {flat(row.evidence.quote)}" for row in case.hard_negatives),
    }


def _claims(claims: Sequence[Claim]) -> str:
    return "\n".join(line.removeprefix("- ") for line in lines_of(claims))
