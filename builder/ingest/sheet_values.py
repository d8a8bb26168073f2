"""Values of spreadsheet cells as a reader sees them, near enough: digits, per cent, dates, the unit of the format."""

import re
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

_LITERAL = re.compile(r'"([^"]*)"')
_BRACKET = re.compile(r"\[(?:\$([^\]-]*)[^\]]*|[^\]]*)\]")
_DECIMALS = re.compile(r"[0#]\.([0#?]+)")
_CURRENCY = "¥￥$€£"


def shown(value: Any, number_format: str) -> str:
    """The text of a value; empty where there is none. Numbers have the digits that the format shows."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        return _number(value, number_format or "General")
    return str(value)


def _number(value: int | float, number_format: str) -> str:
    exact = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.15g}")
    positive = number_format.split(";", maxsplit=1)[0]
    if positive in ("General", "@"):
        return _plain(exact)
    fixed = _BRACKET.sub(lambda match: match.group(1) or "", positive)
    code = _LITERAL.sub("", fixed)
    amount = exact * (100 if "%" in code else 1)
    found = _DECIMALS.search(code)
    digits = _plain(amount) if found is None and "0" not in code else f"{amount:.{_decimals(found)}f}"
    if "," in code:
        whole, dot, rest = digits.partition(".")
        digits = f"{int(whole):,}{dot}{rest}"
    before, after = _around(fixed)
    return f"{before}{digits}{'%' if '%' in code else ''}{after}"


def _decimals(found: re.Match[str] | None) -> int:
    return len(found.group(1)) if found else 0


def _around(code: str) -> tuple[str, str]:
    """Literal texts and currency signs before and behind the digits."""
    first = min((at for sign in "0#?" if (at := code.find(sign)) >= 0), default=len(code))
    last = max(code.rfind(sign) for sign in "0#?")
    return _literals(code[:first]), _literals(code[last + 1 :])


def _literals(code: str) -> str:
    quoted = "".join(_LITERAL.findall(code))
    return quoted + "".join(sign for sign in _LITERAL.sub("", code) if sign in _CURRENCY)


def _plain(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
