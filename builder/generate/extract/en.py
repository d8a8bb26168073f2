"""English sentences: what is wanted moves to the front, verb and subject change places.

Only sentences with a plain subject (no pronoun, no comma) and a verb that is known are asked about. The answer is the
whole sentence, with the next one where that holds an exception.
"""

import re
from collections.abc import Iterator

from builder.generate.extract.common import (
    Amount,
    Candidate,
    amounts,
    gives_away,
    is_list_item,
    related,
    spans,
    tidy,
    topic,
    with_followers,
    without_marker,
)
from builder.generate.writer import NumberedPassage

_FOLLOWS = re.compile(
    r"^(?:Except|However|But|Only|In that case|After that|Otherwise)\b|\bdoes not apply\b|\bexception\b"
)
_GOES_ON = re.compile(
    r"^(?:Except|However|But|Otherwise|In that case|After that|Then|Also|Therefore|For example|It|They|He|She|This"
    r"|These|That|Those|Such|There|Here|If so|Both|Either|Neither|Above|Below|See|Note|No other)\b"
)
_POINTS = re.compile(
    r"\b(?:this|these|those|such|above|below|following|former|latter|aforementioned|herein|hereof|it|he|she)\b"
    r"|\b(?:section|clause|article|chapter|table|figure|appendix) \d|\bthe (?:same|table)\b",
    re.IGNORECASE,
)
_AUX = r"(?:must|may|can|cannot|will|shall|should|is|are)"
_AUXILIARIES = frozenset({"must", "may", "can", "cannot", "will", "shall", "should", "is", "are"})
_MONTH = re.compile(r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b")
_MAIN = {
    **{
        f"{verb}s": verb
        for verb in ("receive", "last", "take", "cost", "weigh", "hold", "need", "require", "cover", "get")
    },
    **{f"{verb}s": verb for verb in ("include", "earn", "accrue", "allow", "support", "provide", "contain", "warrant")},
    "replies": "reply",
    "pays": "pay",
    "has": "have",
}
_BASE = frozenset(_MAIN.values())
_VERB = re.compile(rf" (?P<verb>{_AUX}|{'|'.join([*_MAIN, *_BASE])}) ")
_RELATIVE = re.compile(r"\b(?:that|which|who)$")
_BAD_SUBJECT = re.compile(
    r"^(?:after|before|during|if|when|where|while|in|on|at|for|from|to|with|until|unless|by|as|no|nobody|your|you|we|our|its|their"
    r"|and|or|only|not)\b|\b(?:and|or|of|to|not)$|[,.;:()]",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?P<lead>\b(?:within|after|(?:for |by )?(?:up to|at least)|at most|no more than|not more than|for|at|by|to|from"
    r"|over) )?$",
    re.IGNORECASE,
)
_STRANDED = re.compile(r"\d|\b(?:of|by|on|with|in|from|than|effect|the|a|an|and|or|only)$")
_CUT = re.compile(r",(?!\d)|;| and (?=[a-z]+ )|\b(?:unless|except|provided|but)\b")
_LATER = re.compile(r"(?:^|\s)(?:after|during|with|if|when|while|as long as|to|for|in each|until|on|at)\b")
"""What follows the amount and may stand at the end of the question."""
_LABEL = re.compile(r"^((?:[A-Z][\w'-]*)(?: [\w'-]+){0,3})\. (?=[A-Z])")
_MONEY = re.compile(r"^(?:[A-Z]{2,3}|[$€£¥]) ?[\d.,]+$")
_NOT = re.compile(r"^(?:not|never|only) ")
_DURATIONS = frozenset({"year", "quarter", "month", "week", "day", "workday", "hour", "minute", "second"})
_SHORT, _LONG, _LONGEST_ANSWER = 20, 170, 480


def sentences(passage: NumberedPassage) -> Iterator[Candidate]:
    """Candidates of all sentences of a passage."""
    head = _LABEL.match(passage.text)
    subject = topic(passage) or (head.group(1) if head else "")
    places = spans(passage)
    for index, (start, end) in enumerate(places):
        raw = tidy(passage.text[start:end])
        text = without_marker(raw)
        if not text.endswith((".", "!")) or _GOES_ON.match(text) or (is_list_item(raw) and not text[:1].isupper()):
            continue
        quote = with_followers(passage.text, places, index, _FOLLOWS)
        answer = without_marker(tidy(passage.text[quote[0] : quote[1]]))
        if len(answer) > _LONGEST_ANSWER or _POINTS.search(text):
            continue
        asked = list(_amounts_of(text.rstrip(".!"), passage.text)) or list(_permission(text.rstrip(".!"), passage.text))
        for question, score in asked:
            whole = _standing_alone(question, subject)
            if whole:
                yield Candidate(question=whole, answer=answer, quote=quote, score=score)


def _standing_alone(question: str, subject: str) -> str:
    """The question, led in by the heading where it says nothing of it; empty where it is no good."""
    text = " ".join(question.split())
    if _POINTS.search(text) or not _SHORT <= len(text) <= _LONG:
        return ""
    return text if not subject or related(subject, text) else f"{subject}: {text[0].lower()}{text[1:]}"


def _parsed(sentence: str) -> tuple[str, str, str] | None:
    """Subject, verb and the rest; a verb of a relative clause belongs to the subject. None where it is not plain."""
    for found in _VERB.finditer(sentence):
        subject, verb, rest = sentence[: found.start()], found["verb"], sentence[found.end() :]
        if _RELATIVE.search(subject):
            continue
        main_follows = verb not in _AUXILIARIES and re.search(rf"\b{_AUX}\b", _CUT.split(rest)[0])
        plain = subject[:1].isupper() and 3 <= len(subject) <= 90 and not _BAD_SUBJECT.search(subject)
        return (subject, verb, rest) if plain and not main_follows else None
    return None


def _amounts_of(sentence: str, passage: str) -> Iterator[tuple[str, int]]:
    parsed = _parsed(sentence)
    if parsed is None:
        return
    subject, verb, rest = _inner(parsed[0], passage), *parsed[1:]
    for amount in amounts(rest):
        written = rest[amount.start : amount.end]
        odd = ":" in written or amount.value.unit in ("date", "time", "clock") or _MONTH.search(written)
        question = "" if odd else _about(subject, verb, rest, amount)
        if question and not gives_away(question, amount):
            yield f"{question[0].upper()}{question[1:]}?", 90 - 5 * rest[: amount.start].count(",")


def _permission(sentence: str, passage: str) -> Iterator[tuple[str, int]]:
    parsed = _parsed(sentence)
    if parsed and parsed[1] in ("must", "may", "can", "cannot", "shall", "should"):
        yield _whether(_inner(parsed[0], passage), *parsed[1:]), 60


def _inner(subject: str, passage: str) -> str:
    """The subject as it is written within a sentence: lower case at the head, but for names."""
    first, _, others = subject.partition(" ")
    name = others[:1].isupper() or first[1:] != first[1:].lower()
    return (
        subject
        if name and first not in ("The", "A", "An", "Every", "Each", "All", "Any")
        else first.lower() + subject[len(first) :]
    )


def _whether(subject: str, verb: str, rest: str) -> str:
    """May … ?: what is allowed or asked for; exceptions stay in the answer."""
    word = "can" if verb == "cannot" else verb
    clause = _NOT.sub("", _CUT.split(rest)[0].strip())
    return f"{word.capitalize()} {subject} {clause}?"


def _about(subject: str, verb: str, rest: str, amount: Amount) -> str:
    """How long, how much, within how many …: empty where the sentence has another shape."""
    before, after = rest[: amount.start], rest[amount.end :]
    if _CUT.search(before.strip().rstrip(",")) or verb == "cannot" or re.match(r"not\b|never\b", rest):
        return ""
    lead_found = _LEAD.search(before)
    lead = (lead_found["lead"] or "") if lead_found else ""
    middle = before[: len(before) - len(lead)].strip()
    tail = _CUT.split(after)[0].strip()
    if verb in ("is", "are") and not middle and lead.strip() in ("", "up to", "at least"):
        return _copula(subject, verb, amount, tail)
    word = _asking(rest[amount.start : amount.end])
    if not word or (not lead and middle) or _STRANDED.search(middle):
        return ""
    later = _LATER.search(tail)
    near, far = (tail[: later.start()], tail[later.start() :]) if later else (tail, "")
    if verb in _AUXILIARIES:
        return _joined(lead + word, near, verb, subject, middle, far)
    return _joined(lead + word, near, "do" if verb in _BASE else "does", subject, _MAIN.get(verb, verb), middle, far)


def _copula(subject: str, verb: str, amount: Amount, tail: str) -> str:
    if amount.value.unit in _DURATIONS and not tail.startswith("of "):
        return f"how long {verb} {subject}"
    return f"what {verb} {subject}"


def _asking(written: str) -> str:
    """30 days -> how many days; 600 yuan -> how many yuan; EUR 50 -> how much; 60 % -> what percentage."""
    if written.rstrip().endswith("%"):
        return "what percentage"
    if _MONEY.match(written):
        return "how much"
    unit = re.sub(r"^[\d.,\s]+(?:(?:to|-|–|or)\s*[\d.,\s]+)?", "", written).strip()
    unit = re.sub(r"^(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+", "", unit, flags=re.IGNORECASE)
    if not unit or unit[0].isdigit():
        return ""
    single = {"day", "hour", "week", "month", "year", "minute", "time"}
    return f"how many {unit}s" if unit.split()[-1] in single else f"how many {unit}"


def _joined(*pieces: str) -> str:
    return " ".join(piece.strip() for piece in pieces if piece.strip())
