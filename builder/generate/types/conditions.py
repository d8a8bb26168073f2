"""Conditions in clauses of Chinese and English rules, and whether a question names them."""

import re
from collections.abc import Iterable

from builder.generate.types.grounds import terms, words
from builder.text.numbers import quantities

# Chinese: a word that opens or bounds a condition, or a clause that ends in 的, 时, 内, 后, 前, 起 before its comma.
_ZH_CUE = (
    r"如果|若|如(?![何下])|只要|凡|一旦|除非|除外|超过|不足|未满|满|高于|低于|不低于|以上|以下|以内|之内|之前|之后|以前|"
    r"以后|期间|届满|首次|仅|未|已|尚|没有|不再|经|后\s?[0-9]+[^，]{1,6}内"
)
_ZH = re.compile(rf"{_ZH_CUE}|(?:的|时|内|后|前|起)$")
_ZH_CLAUSE = re.compile(r"[^，。；：？！、\n,;:?!]+")
# English: the phrase that begins with one of these words, up to the next one or to a comma.
_EN_CUE = (
    r"if|unless|except|when|where|who|after|before|within|during|without|with|at least|more than|less than|longer than|"
    r"up to|until|once|provided|only|not later than|from|for|under|over|above|below|by the time|in the case of|while"
)
_EN = re.compile(rf"(?:{_EN_CUE})\b", re.IGNORECASE)
_EN_SPLIT = re.compile(rf"[;?!\n]|[.,:](?!\d)|(?<![A-Za-z])(?=(?:{_EN_CUE})(?![A-Za-z]))", re.IGNORECASE)
# What may make the only difference between the two questions of a pair: state, order, limit, with or without.
_ZH_TURN = re.compile(
    r"[未已没无不非内外前后超满有仅]|期间|以上|以下|除|如果|首次|再次|第[一二两三四五]次|高于|低于|大于|小于"
)
_EN_TURN = re.compile(
    r"(?<![a-z])(?:not|no|never|non|without|with|after|before|if|unless|except|within|outside|more|less|over|under|above|"
    r"below|up|least|most|longer|shorter|later|earlier|during|first|second|further|already|yet|un\w{3,}|\w+n't|only)"
    r"(?![a-z])",
    re.IGNORECASE,
)


def conditions(text: str, language: str) -> tuple[str, ...]:
    """The clauses of `text` that state a condition, in order."""
    if language == "zh":
        return tuple(clause for raw in _ZH_CLAUSE.findall(text) if _ZH.search(clause := raw.strip()))
    pieces = (piece.strip() for piece in _EN_SPLIT.split(text))
    return tuple(piece for piece in pieces if _EN.match(piece) and " " in piece)


def named(found: Iterable[str], question: str) -> tuple[str, ...]:
    """The conditions that `question` names, each by words of its own."""
    asked, taken, seen = _telling(question), [], set[str]()
    units = {quantity.unit for quantity in quantities(question)}
    for condition in found:
        telling = _telling(condition)
        hit = (telling & asked) - seen
        measured = any(quantity.unit and quantity.unit in units for quantity in quantities(condition))
        if (hit and (measured or 2 * len(telling & asked) >= len(telling))) or (measured and not telling):
            taken.append(condition)
            seen |= hit
    return tuple(taken)


def _telling(text: str) -> frozenset[str]:
    return words(text).union(terms(text))


def is_condition(changed: Iterable[str], evidence: str, language: str) -> bool:
    """True where a change between two questions changes a condition.

    Its words turn a state or a limit, it is a number, or it is most of a condition that stands in the evidence.
    """
    pieces = [piece for piece in changed if piece]
    turn = _ZH_TURN if language == "zh" else _EN_TURN
    if any(turn.search(piece) or quantities(piece) or any(map(str.isdigit, piece)) for piece in pieces):
        return True
    said = words("\n".join(pieces))
    known = (words(condition) for condition in conditions(evidence, language))
    return any(telling and 2 * len(telling & said) >= len(telling) for telling in known)
