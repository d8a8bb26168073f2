"""Personal data out, before anything is stored.

Promised: what a pattern or a checksum can tell (phone, e-mail, Chinese ID number, bank card). Not promised: names,
addresses and other free text. Service numbers (400-…, 95588) are nobody's personal data and stay.

A new kind is one more entry of `KINDS`.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without personal data."""

    text: str
    """The text, with placeholders."""
    counts: Mapping[str, int]
    """What was taken out, by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedValue:
    """A JSON value without personal data."""

    value: Any
    """The value, with placeholders."""
    counts: Mapping[str, int]
    """What was taken out, by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of personal data."""

    name: str
    """The key in the counts."""
    placeholder: str
    """What stands there instead. Never holds what a pattern looks for."""
    pattern: re.Pattern[str]
    """Where one may be. Matched against the text with digits and dashes of one width."""
    holds: Callable[[re.Match[str]], bool] = lambda match: True
    """Whether a match really is one."""


def redact(text: str, spare: frozenset[str] = frozenset()) -> Redacted:
    """Replace personal data by placeholders, but for what `spare` holds; redacting twice changes nothing."""
    counts: Counter[str] = Counter()
    # A replaced value may have hidden its neighbour ("a@b.cc13800138000"), so we go on until nothing is found.
    while (found := _once(text, counts, spare)) != text:
        text = found
    return Redacted(text=text, counts=dict(counts))


def redact_record(value: Any, spare: frozenset[str] = frozenset()) -> RedactedValue:
    """Redact all texts of a JSON value; keys are kept. A phone number that is an integer becomes its placeholder."""
    counts: Counter[str] = Counter()
    return RedactedValue(value=_walk(value, counts, spare), counts=dict(counts))


def published(text: str) -> frozenset[str]:
    """What `redact` would take out of a text that is public: the addresses that a company gives its customers."""
    even = text.translate(_ONE_WIDTH)
    return frozenset(match.group() for kind in KINDS for match in kind.pattern.finditer(even) if kind.holds(match))


def _walk(value: Any, counts: Counter[str], spare: frozenset[str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _walk(item, counts, spare) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_walk(item, counts, spare) for item in value)
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        redacted = redact(str(value), spare)
        counts.update(redacted.counts)
        return redacted.text if redacted.counts else value
    return value


def _once(text: str, counts: Counter[str], spare: frozenset[str]) -> str:
    """Each kind once. `even` is the text with digits, dashes and spaces of one width, character for character."""
    even = text.translate(_ONE_WIDTH)
    for kind in KINDS:
        found = (match for match in kind.pattern.finditer(even) if kind.holds(match))
        spans = [match.span() for match in found if match.group() not in spare]
        if spans:
            counts[kind.name] += len(spans)
            text, even = _replace(text, spans, kind.placeholder), _replace(even, spans, kind.placeholder)
    return text


def _replace(text: str, spans: list[tuple[int, int]], placeholder: str) -> str:
    borders = [0, *(border for span in spans for border in span), len(text)]
    return placeholder.join(text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True))


# One character for one character, so that offsets stay: full-width forms, dashes, spaces.
_ONE_WIDTH = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), ord("-"))
    | dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2009, 0x202F, 0x3000), ord(" "))
)

# ASCII look-arounds: \b and \w take Chinese characters for letters.
_ALONE = r"(?<![0-9A-Za-z])(?<![0-9][.,])(?<![¥$€])"
_CLOSED = r"(?![0-9A-Za-z]|\.[0-9]|元(?![旦宵]))"

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]++@"
    r"(?:[A-Za-z0-9-]++\.)+(?!(?:png|jpe?g|gif|svg|webp)(?![A-Za-z0-9]))[A-Za-z]{2,24}",
    re.IGNORECASE,
)

_ID = re.compile(
    r"(?<![0-9])[1-9][0-9]{5}[ -]?(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"[ -]?[0-9]{3}[0-9Xx](?![0-9])"
)

_CARD = re.compile(
    _ALONE + r"(?:[0-9]{15,19}|[0-9]{4}(?:[ -][0-9]{4}){3}(?:[ -]?[0-9]{1,3})?|[0-9]{4}[ -][0-9]{6}[ -][0-9]{5}|"
    r"[0-9]{6}[ -][0-9]{10,13})" + _CLOSED
)
# First digits that banks issue (ISO/IEC 7812); with them an order number such as 2026… is never taken for a card.
_ISSUED = re.compile(r"3[47][0-9]{13}$|(?:[34569]|81|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)[0-9]{12,18}$")

_START = rf"(?:{_ALONE}|(?<=tel)|(?<=phone)|(?<=mobile))"
_ABROAD = rf"(?:\((?:\+|00)86\)|\+86|{_START}0086)[ -]?"


def _land_line(area: str, local: str) -> str:
    """A Chinese land line with its area code, as in 010-…, (010)… or +86 10."""
    return rf"(?:(?:{_ABROAD})?\(0?{area}\)|(?:{_ABROAD}0?|{_START}0){area})[ -]{{0,2}}{local}{_CLOSED}"


_PHONE = re.compile(
    # Chinese mobile, 3-4-4 or 4-4-3. Its 86 may stand without a plus: no 13-digit code of goods begins with 861.
    rf"(?:{_ABROAD}|{_START}(?:86[ -]?)?)"
    rf"1[3-9][0-9](?:[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}|[0-9][ -]?[0-9]{{4}}[ -]?[0-9]{{3}}){_CLOSED}"
    # Chinese land line, perhaps with an extension
    rf"|(?:{_land_line('(?:10|2[0-9])', '[2-8][0-9]{3}[ -]?[0-9]{4}')}"
    rf"|{_land_line('[3-9][0-9]{2}', '[2-8][0-9]{2,3}[ -]?[0-9]{4}')})"
    r"(?:[ -]?(?:转|ext\.?|x|-)[ ]?[0-9]{1,6}(?![0-9]))?"
    # North America has ten digits, others eight to fourteen after the first of the country code
    r"|\+1(?:[ ()-]{0,2}[0-9]){10}(?![0-9])"
    r"|\+[2-9](?:[ ()-]{0,2}[0-9]){8,14}(?![0-9])",
    re.IGNORECASE,
)

_LABEL = re.compile(
    r"(?:(?:订单|运单|快递|物流|工单|合同|发票)(?:编号|号码|号)|单号|流水号|序列号|条形?码|货号|型号"
    r"|(?:order|tracking|serial|invoice|ticket)(?: ?(?:no\.?|number|id))?)[ :#是为]{0,3}$",
    re.IGNORECASE,
)
_LABEL_REACH = 24


def _labelled(match: re.Match[str]) -> bool:
    """An order number by its label: "订单号 13800138000" is nobody's phone."""
    before = match.string[max(0, match.start() - _LABEL_REACH) : match.start()]
    return _LABEL.search(before) is not None


def _is_phone(match: re.Match[str]) -> bool:
    return not _labelled(match) and len(re.findall(r"[ ()-]+", match.group())) <= 6


def _is_id(match: re.Match[str]) -> bool:
    """Check digit of GB 11643."""
    digits = re.sub(r"[ -]", "", match.group())
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(digits[:17]))
    return "10X98765432"[total % 11] == digits[17].upper()


def _is_card(match: re.Match[str]) -> bool:
    """First digits of a bank, and Luhn's check digit (ISO/IEC 7812)."""
    digits = re.sub(r"[ -]", "", match.group())
    if _ISSUED.match(digits) is None or (len(digits) == 15 and digits[:2] not in ("34", "37")) or _labelled(match):
        return False
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(int(digit) for digit in digits[::-2])) % 10 == 0


KINDS = (
    Kind(name="email", placeholder="[EMAIL]", pattern=_EMAIL),
    Kind(name="id", placeholder="[ID]", pattern=_ID, holds=_is_id),
    Kind(name="card", placeholder="[CARD]", pattern=_CARD, holds=_is_card),
    Kind(name="phone", placeholder="[PHONE]", pattern=_PHONE, holds=_is_phone),
)
"""All kinds. Earlier ones win: an address that begins with a phone number is an address."""
