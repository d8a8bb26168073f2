"""Whether an answer states the claims of a case, as far as a program can tell: by their checks, and never by a guess.

A form or a number that stands in the answer is not yet the claim: "不可以退货" holds 可以退货, and 24 months may be
those of another thing. A clause counts for a claim only where it denies as often as the claim does, neither asks nor
supposes anything, and speaks of nothing else that the answer gives another value for. What stays in doubt is undecided.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from builder.checks.reading.fact import BASE
from builder.checks.reading.implied import date_parts, periods
from builder.checks.reading.signs import DENYING
from builder.checks.reading.wording import Terms, coverage, terms
from builder.model.case import Case
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.verdict import ClaimVerdict, Judgement
from builder.text.negation import negation_spans
from builder.text.numbers import Quantity, quantities
from builder.text.numerals import ENGLISH_START
from builder.text.quotes import occurrences

_CLAUSE = re.compile(r"[^，,；;。！!？?\n]+(?:,(?=\d{3}|\s?(?:19|20)\d\d(?!\d))[^，,；;。！!？?\n]+)*[？?]?")
_SENTENCE = re.compile(r"(?:[^。！!？?\n.]|\.(?=\S))+[。！!？?.]?")
_DOUBT = re.compile(
    r"[？?]|吗(?![\u4e00-\u9fff])|是否|能否|可否|会否|(?P<v>[\u4e00-\u9fff])不(?P=v)|可能|也许|或许|大概|大约|"
    r"约(?=\s?[\d一二两三四五六七八九十])|左右|似乎|好像|据说|听说|传言|不确定|不清楚|无法确认|不知道|"
    r"\b(?:whether|might|maybe|perhaps|probably|possibly|likely|unsure|unclear|not sure|i think|seems?|reportedly)\b|"
    rf"\b(?:about|around|roughly|approximately)\s+(?=[\d$¥€£]|(?:{ENGLISH_START})\b)",
    re.IGNORECASE,
)
"""Asked, guessed, or told of others."""
_CONDITION = re.compile(r"如果|若(?!干)|假如|倘若|一旦|除非|\b(?:if|unless|provided that|in case)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"超过|不足|不满|未满|低于|高于|少于|多于|不止|至少|至多|最多|最少|最长|最短|最高|最低|以上|以下|"
    r"[\d一二两三四五六七八九十百半]\s?个?(?:工作)?(?:天|日|月|年|周|星期|小时|分钟)(?:以|之)?[后前]|"
    rf"\b(?:after|before)\s+(?=\d|(?:{ENGLISH_START})\b)|"
    r"\b(?:more|less|fewer|longer|shorter|later|earlier) than\b|\b(?:over|under|above|below|at least|at most|up to|"
    r"exceed(?:s|ing)?|minimum|maximum)\b",
    re.IGNORECASE,
)
"""A limit is another fact than the value, and 7 日后 another one than 7 日内."""
_TAKEN_BACK = re.compile(
    r"(?:这|那|此|该|上述|以上)?(?:说法|信息|答复|回答)?(?:是|为|有|属)?(?:错误|有误|不实|不对|不正确|不准确|谣言|误传|误解|过时|作废)|"
    r"并非如此|不是这样|不再适用|已(?:经)?(?:废止|失效|取消|作废|过期)|更正|"
    r"\b(?:is|are|was|were) (?:wrong|false|incorrect|untrue|outdated|not (?:true|correct|right|the case))\b|"
    r"\bno longer\b|\bthat is not so\b|\bcorrection\b",
    re.IGNORECASE,
)
_MEASURE = {"month": "duration", "second": "duration", "workday": "duration"}
_KNOWN, _NAMED, _CLEARLY = 0.6, 0.5, 0.3
"""Shares: of a clause that the claim knows; of a claim that a clause must name; more of it than another clause."""
Value = tuple[Decimal, str]
"""A value and the unit that all of its kind are measured in."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of the answer."""

    text: str
    sentence: str
    """The sentence that it stands in."""
    words: Terms
    """What it speaks of, its numbers left out."""


class _Found(NamedTuple):
    """What an answer holds of a claim."""

    said: bool
    otherwise: bool
    doubtful: bool
    """Something near it is said that may mean either."""


def judge_claims(case: Case, answer: str) -> tuple[ClaimVerdict, ...]:
    """The verdict of each check on an answer: first `claims`, then `must_not_claims`, in their order.

    Right: the answer says so (of what must not be there: it does not). Wrong: it says otherwise, or nothing at all.
    """
    asked = terms(case.question)
    must = (_verdict(number, claim, answer, asked, False) for number, claim in enumerate(case.claims))
    must_not = (_verdict(number, claim, answer, asked, True) for number, claim in enumerate(case.must_not_claims))
    return (*must, *must_not)


def _verdict(index: int, claim: Claim, answer: str, asked: Terms, must_not: bool) -> ClaimVerdict:
    judgement, why = _must_not(claim, answer, asked) if must_not else _must(claim, answer, asked)
    return ClaimVerdict(index=index, must_not=must_not, text=claim.text, verdict=judgement, why=why)


def _must(claim: Claim, answer: str, asked: Terms) -> tuple[Judgement, str]:
    if not answer.strip():
        return Judgement.WRONG, "no_answer"
    found = _look(claim, answer, asked)
    if found is None:
        return Judgement.UNDECIDED, "no_check"
    said, otherwise, doubtful = found
    if said and otherwise:
        return Judgement.UNDECIDED, "both"
    if doubtful:
        return Judgement.UNDECIDED, "doubtful"
    if said or otherwise:
        return (Judgement.RIGHT, "said") if said else (Judgement.WRONG, "otherwise")
    return Judgement.UNDECIDED, "not_found"


def _must_not(claim: Claim, answer: str, asked: Terms) -> tuple[Judgement, str]:
    if not answer.strip():
        return Judgement.RIGHT, "no_answer"
    found = _look(claim, answer, asked)
    if found is None:
        return Judgement.UNDECIDED, "no_check"
    said, _, doubtful = found
    if doubtful:
        return Judgement.UNDECIDED, "doubtful"
    return (Judgement.WRONG, "said") if said else (Judgement.RIGHT, "not_found")


def _look(claim: Claim, answer: str, asked: Terms) -> _Found | None:
    """What the answer holds of it; none without a check."""
    match claim.check:
        case NumberCheck():
            return _numbers(claim, claim.check, answer, asked)
        case LiteralCheck():
            return _literals(claim, claim.check, answer)
        case _:
            return None


# Numbers


def _numbers(claim: Claim, check: NumberCheck, answer: str, asked: Terms) -> _Found:
    wanted = _based(Decimal(check.value), check.unit)
    topic = _subject(claim.text) or asked
    parts = [(part, alike) for part in _clauses(answer) if (alike := _alike(part.text, wanted))]
    several = any(value != wanted for _, alike in parts for value in alike)
    said, otherwise, stray, firm, doubtful = [], [], False, False, False
    for part, alike in parts:
        # Of several values that the claim does not name itself nobody knows which one is meant.
        plain = _plain(claim.text, part) and (len(set(alike)) == 1 or set(alike) <= set(_values(claim.text)))
        about = _about(part.words, topic) or (not several and _about(_subject(part.sentence), topic))
        named = coverage(topic, part.words)
        if wanted in alike:
            said += [named] if plain and about else []
            stray, doubtful = stray or not about, doubtful or (about and not plain)
        elif about:
            plain = plain and not any(_half_told(wanted, value) or value in _values(claim.text) for value in alike)
            otherwise += [named] if plain else []
            firm = firm or (plain and (named >= _NAMED or next(iter(topic), None) in part.words))
            doubtful = doubtful or not plain
    if said and otherwise and abs(max(said) - max(otherwise)) >= _CLEARLY:
        # Both values are there, and only one of them is said of what the claim speaks of.
        return _Found(max(said) > max(otherwise), max(said) < max(otherwise), doubtful)
    # The right value of another thing is no doubt where the thing itself is named with a wrong one.
    doubtful = doubtful or (stray and not said and not firm)
    return _Found(bool(said), bool(otherwise), doubtful)


def _alike(text: str, wanted: Value) -> list[Value]:
    """The values of a clause that measure what is wanted."""
    return [value for value in _values(text) if _measure(value) == _measure(wanted)]


def _based(value: Decimal, unit: str) -> Value:
    """A value in the unit that all of its kind are measured in, where the conversion is exact."""
    base, size = BASE.get(unit, (unit, "1"))
    return (value * Decimal(size)).normalize(), base


@lru_cache(maxsize=1 << 12)
def _values(text: str) -> tuple[Value, ...]:
    return tuple(_based(quantity.value, quantity.unit) for quantity in quantities(text))


def _measure(value: Value) -> str:
    """What a value can be mistaken with: a duration with a duration, an amount with an amount."""
    return _MEASURE.get(value[1], value[1])


def _half_told(one: Value, other: Value) -> bool:
    """True for two dates of which one leaves out what the other tells: 1 月 1 日 and 2026 年 1 月 1 日."""
    if one[1] != "date" or one == other:
        return False
    pairs = zip(date_parts(one[0]), date_parts(other[0]), strict=True)
    return all(left is None or right is None or left == right for left, right in pairs)


def _subject(text: str) -> Terms:
    """What a text speaks of besides its numbers."""
    return {term: weight for term, weight in terms(text).items() if not term.startswith("=")}


def _about(words: Terms, topic: Terms) -> bool:
    """True where a clause speaks of what the claim speaks of, or of nothing in particular."""
    return not words or coverage(words, topic) >= _KNOWN or coverage(topic, words) >= _NAMED


# Literal forms


def _literals(claim: Claim, check: LiteralCheck, answer: str) -> _Found:
    """A form of `any_of` says it, one of `none_of` says otherwise."""
    said, in_doubt = _forms(claim.text, check.any_of, answer)
    otherwise, denied = _forms(claim.text, check.none_of, answer)
    if not check.any_of:
        # Only forbidden forms: where none of them stands, the claim is met.
        said = not otherwise and not denied
    return _Found(said, otherwise, (in_doubt and not said) or (denied and not said and not otherwise))


def _forms(claim: str, forms: Sequence[str], answer: str) -> tuple[bool, bool]:
    """Whether one of the forms is said plainly, and whether one stands there in doubt."""
    said = doubtful = False
    for part in _clauses(answer):
        for form in forms:
            if _stands(form, part.text):
                plain = _plain(claim if _stands(form, claim) else form, part)
                said, doubtful = said or plain, doubtful or not plain
    return said, doubtful


def _stands(form: str, text: str) -> bool:
    """True where a form stands in `text` as words of its own, or says the same by other numerals."""
    if any(_apart(text, start, end) for start, end in occurrences(form, text)):
        return True
    found = quantities(form)
    if not found or _rest(form, found):
        return False
    values, held = _values(form), _values(text)
    return any(held[at : at + len(values)] == values for at in range(len(held) - len(values) + 1))


def _apart(text: str, start: int, end: int) -> bool:
    """True where no Latin word runs across a border: "art" does not stand in "start"."""
    return not (_runs(text, start) or _runs(text, end))


def _runs(text: str, at: int) -> bool:
    return 0 < at < len(text) and all(ch.isascii() and ch.isalnum() for ch in text[at - 1 : at + 1])


def _rest(form: str, found: Sequence[Quantity]) -> str:
    """What a form says besides its numbers and what joins them."""
    kept, at = "", 0
    for quantity in found:
        kept, at = kept + form[at : quantity.start], quantity.end
    return re.sub(r"[\s至到或~～\-–—]|\b(?:to|and|or)\b", "", kept + form[at:])


# Clauses


def _plain(claim: str, part: _Clause) -> bool:
    """True where a clause denies as often as the claim, and is no question, guess, limit, condition or error."""
    if _denials(part.text) != _denials(claim):
        return False
    signs = ((_TAKEN_BACK, part.sentence), (_CONDITION, part.sentence), (_DOUBT, part.text), (_LIMIT, part.text))
    same = all(bool(sign.search(text)) <= bool(sign.search(claim)) for sign, text in signs)
    return same and _each(part.text) in (frozenset(), _each(claim))


def _each(text: str) -> frozenset[Value]:
    """The periods that a text speaks of: 50 yuan a month is not 50 yuan a year."""
    return frozenset((fact.value, fact.unit) for fact in periods(text))


def _denials(text: str) -> int:
    return len(negation_spans(text)) + len(DENYING.findall(text))


@lru_cache(maxsize=1 << 10)
def _clauses(answer: str) -> tuple[_Clause, ...]:
    return tuple(_cut(answer))


def _cut(answer: str) -> Iterator[_Clause]:
    sentences = [match.span() for match in _SENTENCE.finditer(answer)]
    for match in _CLAUSE.finditer(answer):
        text = match.group().strip()
        # What takes a sentence back may stand in the next one.
        near = [(low, high) for low, high in sentences if low < match.end() + 2 and match.start() < high]
        if text:
            context = answer[near[0][0] : near[-1][1]] if near else text
            yield _Clause(text, context, _subject(text))
