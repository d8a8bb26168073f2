"""What kind of fact a question asks for, and which sentences hold one."""

import re
from typing import Literal

from builder.text.amounts import MONEY_UNITS
from builder.text.numbers import quantities
from builder.text.units import TIME_UNITS

Kind = Literal["duration", "money", "moment", "number", "any"]

# Question words by the kind of their answer, the narrower kind first; both languages hold the same kinds.
_KINDS: tuple[tuple[Kind, str], ...] = (
    (
        "money",
        r"多少钱|几块|几元|多少元|价格|费用是|收费|价钱|花多少|\bhow much\b|\bwhat (?:price|fee|cost)|\bcosts?\b",
    ),
    ("moment", r"几点|什么时候|何时|哪一?天|哪一?年|几号|\bwhen\b|\bwhat (?:time|date|day|year)"),
    (
        "duration",
        r"多久|多长时间|几天|几个月|几年|几个?小时|几分钟|多少[天年日]|\bhow (?:long|soon)\b"
        r"|\bhow many (?:working )?(?:day|week|month|year|hour|minute)",
    ),
    (
        "number",
        r"多少|几[个次条台位岁层]|多[大高重宽远快]|\bhow (?:many|much|often|old|far|big|large|high|heavy|fast)\b",
    ),
)
_UNITS = {"money": MONEY_UNITS, "duration": TIME_UNITS, "moment": frozenset({"date", "time"})}


def asked_kind(question: str) -> Kind:
    """The kind of fact that answers the question; `any` where its words do not tell, or it asks for yes or no."""
    return next((kind for kind, pattern in _KINDS if re.search(pattern, question, re.IGNORECASE)), "any")


def holds_kind(sentence: str, kind: Kind) -> bool:
    """True where a sentence holds a fact of the kind."""
    if kind == "any":
        return True
    units = {one.unit for one in quantities(sentence)}
    if kind == "number":
        return bool(units)
    return bool(units & _UNITS[kind])
