"""Whether two answers to one question say the same: quantities, codes and negations first, wording last.

Two answers differ where a program can tell: another value, another code, the opposite. Other wording alone is never
taken for another answer; what cannot be told is undecided, and a person looks.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from builder.generate.outline import CODES
from builder.generate.terms import share, terms
from builder.text.fold import folded
from builder.text.negation import negation_spans
from builder.text.numbers import Quantity, quantities
from builder.text.similarity import similarity

Agreement = Literal["agrees", "differs", "undecided"]
Measure = tuple[Decimal, str]

_ALIKE = 85
"""From here on two wordings are one."""
_SAME_BUT = 70
"""From here on two wordings, without their negations, are one statement and its opposite."""
_SHARED = 75
"""Per cent of the expected words that a like answer holds."""
# Units that are the same thing in another size. Months and days are not: 30 days are no month.
_SIZES: dict[str, tuple[str, Decimal]] = {
    "year": ("month", Decimal(12)),
    "quarter": ("month", Decimal(3)),
    "week": ("day", Decimal(7)),
    "minute": ("second", Decimal(60)),
    "hour": ("second", Decimal(3600)),
    "kg": ("g", Decimal(1000)),
    "t": ("g", Decimal(1_000_000)),
    "km": ("m", Decimal(1000)),
    "cm": ("m", Decimal("0.01")),
    "mm": ("m", Decimal("0.001")),
    "kW": ("W", Decimal(1000)),
    "mL": ("L", Decimal("0.001")),
}
# Units of one kind: where one is expected and another given, the values are rivals.
_KINDS = (
    frozenset({"month", "day", "workday", "second"}),
    frozenset({"CNY", "USD", "EUR", "GBP", "HKD", "JPY"}),
    frozenset({"%", "pp", "成", "折"}),
    frozenset({"g", "m", "L"}),
)
_YEARLESS = 10_000
_PLACES = frozenset({"article", "chapter", "section", "paragraph", "item", "page"})
"""Numbers that name a place in a text: no fact of an answer."""
# Limits that are said with a negation and deny nothing, and those said without.
_UPPER = re.compile(
    r"不得?(?:超过|高于|大于|多于|晚于)|未超过|至多|最多|以内|之内|[日天年月周时钟]内|以下|上限|"
    r"\b(?:at most|up to|no (?:more|longer|later) than|not (?:more|longer|later) than|"
    r"(?:do(?:es)? not|not|never) exceed|within|maximum)\b",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"不得?(?:少于|低于|小于|短于|早于)|至少|最少|以上|下限|(?<!不)(?<!得)(?<!未)(?:超过|多于|高于)|"
    r"\b(?:at least|no (?:less|fewer|earlier) than|not (?:less|fewer|earlier) than|minimum|"
    r"more than|over|exceeds?|longer than)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"除|except|unless|without|exclud", re.IGNORECASE)
# How answers begin that say yes or no. A single character counts only before a pause: 会员, 对于 and 不同 say neither.
_PAUSE = r"(?=[的了]?(?:[，。,.;；!！]|$))"
_NO = re.compile(
    rf"(?:不|否|没|没有){_PAUSE}|不(?:可|能|会|是|需|用|必|得|支持|允许|属|包括|包含|算|行|应|再|要|予|适用|收|计|退|在)|"
    r"没有|无需|无须|无法|未|禁止|严禁|(?:no|not|never|none|cannot|nobody)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    rf"(?:是|可|能|会|要|需|有|算|对|行|在|管){_PAUSE}|(?:可以|能够|需要|支持|允许|属于|包括|包含|应当|必须|会的|是的)|"
    r"(?:yes|allowed|permitted)\b",
    re.IGNORECASE,
)
_BARE_NO = re.compile(r"\W*(?:no|不|否|没有)\s*[,，.。]\s*(?=\w)", re.IGNORECASE)
"""A no that answers the question; what follows says what is so."""


def agree(expected: str, given: str, question: str = "") -> Agreement:
    """Whether `given` says what `expected` says; numbers and codes of the question are nobody's answer.

    differs: a value, a code or a limit is another one, or one answer denies what the other says. agrees: all numbers
    and codes of `expected` are given, or else the wording is like. undecided: neither can be told.
    """
    votes = (
        _measures(expected, given, question),
        _codes(expected, given, question),
        _polarity(expected, given),
    )
    for vote in ("differs", "undecided", "agrees"):
        if vote in votes:
            return vote
    return _wording(expected, given)


def _measures(expected: str, given: str, question: str) -> Agreement | None:
    """By value and unit; a bare number is the same value in any unit."""
    want, got, known = _measured(expected), _measured(given), _measured(question)
    missing = [one for one in want if not _holds(got, one)]
    extra = [one for one in got if not _holds(want, one) and not _holds(known, one)]
    rivals = [(one, other) for one in missing or want for other in extra if _rival(one, other)]
    if missing:
        return "differs" if rivals else "undecided"
    if not want:
        return None
    return "undecided" if rivals else "agrees"


def _measured(text: str) -> frozenset[Measure]:
    found = (q for q in quantities(text) if q.unit not in _PLACES and not text[: q.start].rstrip().endswith("第"))
    return frozenset(map(_measure, found))


def _measure(quantity: Quantity) -> Measure:
    unit, times = _SIZES.get(quantity.unit, (quantity.unit, Decimal(1)))
    return (quantity.value * times).normalize(), unit


def _holds(measures: frozenset[Measure], one: Measure) -> bool:
    return any(_same(one, other) for other in measures)


def _same(one: Measure, other: Measure) -> bool:
    """Equal by value and unit; a bare number has any unit, a date without its year (0223) any year."""
    if one[1] == other[1] == "date" and min(one[0], other[0]) < _YEARLESS:
        return one[0] % _YEARLESS == other[0] % _YEARLESS
    return one[0] == other[0] and (one[1] == other[1] or not one[1] or not other[1])


def _rival(one: Measure, other: Measure) -> bool:
    units = {one[1], other[1]}
    return len(units) == 1 or "" in units or any(units <= kind for kind in _KINDS)


def _codes(expected: str, given: str, question: str) -> Agreement | None:
    known = _coded(question)
    want, got = _coded(expected) - known, _coded(given) - known
    if not want:
        return None
    if want <= got:
        return "agrees"
    return "differs" if got - want else "undecided"


def _coded(text: str) -> frozenset[str]:
    return frozenset(folded(found.group().rstrip(".,;)")) for found in CODES.finditer(text))


def _polarity(expected: str, given: str) -> Agreement | None:
    leads = (_lead(expected), _lead(given))
    if all(leads):
        return "differs" if leads[0] != leads[1] else _limits(expected, given)
    denials = tuple(_denials(text) for text in (expected, given))
    if bool(denials[0]) == bool(denials[1]):
        one_sided = not denials[0] and _excepts(expected) != _excepts(given)
        return "undecided" if one_sided else _limits(expected, given)
    denying, other = (expected, given) if denials[0] else (given, expected)
    if not _denials(_BARE_NO.sub("", denying)):
        return "undecided"
    opposite = _lead(other) == "yes" or similarity(_affirmed(denying), _affirmed(other)) >= _SAME_BUT
    return "differs" if opposite and not _excepts(denying) else "undecided"


def _limits(expected: str, given: str) -> Agreement | None:
    """At most and at least, of the same thing."""
    sides = [(bool(_UPPER.search(text)), bool(_LOWER.search(text))) for text in (expected, given)]
    return "differs" if sorted(sides) == [(False, True), (True, False)] else None


def _lead(text: str) -> Literal["yes", "no"] | None:
    """How an answer begins, where it begins with yes or no in any words."""
    start = _unlimited(text).lstrip(" \t“\"'")
    return "no" if _NO.match(start) else "yes" if _YES.match(start) else None


def _unlimited(text: str) -> str:
    return _LOWER.sub(" ", _UPPER.sub(" ", text))


def _denials(text: str) -> list[str]:
    """Negations that are no exception and no limit."""
    plain = _unlimited(text)
    return [plain[a:b] for a, b in negation_spans(plain) if not _EXCEPTION.match(plain[a:b])]


def _excepts(text: str) -> bool:
    return any(_EXCEPTION.match(text[a:b]) for a, b in negation_spans(text))


def _affirmed(text: str) -> str:
    return "".join(_kept(_unlimited(text)))


def _kept(text: str) -> Iterator[str]:
    at = 0
    for start, end in negation_spans(text):
        yield text[at:start]
        at = end
    yield text[at:]


def _wording(expected: str, given: str) -> Agreement:
    left, right = folded(expected).strip(".,;!?"), folded(given).strip(".,;!?")
    if not left or not right:
        return "undecided"
    within = left in right or (right in left and 2 * len(right) >= len(left))
    shared = share(terms(expected), given) >= _SHARED
    short = _lead(expected) is not None and _lead(expected) == _lead(given) and min(len(left), len(right)) <= 4
    return "agrees" if within or shared or short or similarity(expected, given) >= _ALIKE else "undecided"
