"""One value of a reply becomes an item, or is dropped by reason. Half-finished items end here."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builder.llm.reply import ITEM_KEYS

_QUESTION = ("question", "query", "user_input", "input", "q", "问题", "提问", "问")
_ANSWER = (
    *("ground_truth", "answer", "reference_answer", "reference", "expected_output", "output", "response", "a"),
    *("参考答案", "标准答案", "答案", "回答", "答"),
)
_SOURCE = ("source_index", "source_indexes", "source_indices", "source", "sources", "passage", "片段号", "片段", "来源")
_SENTENCES = ("sentences", "sentence", "sentence_numbers", "sentence_index", "句号", "句子", "句")
_QUOTE = ("quote", "quotes", "evidence", "supporting_quote", "引文", "原文", "依据")
_CLAIMS = ("claims", "facts", "主张", "要点")
assert set(_QUESTION) == ITEM_KEYS, "llm.reply must know an item by the same names"

_WORDS = r"片段|段落|资料|文本|passages?|chunks?|sources?|sentences?|句子|句|no\.|#|第"
_NUMBER = re.compile(
    rf"[\[(（【]?\s*(?:(?:{_WORDS})\s*)*[\[(（【]?\s*(\d{{1,6}})(?:\.0+)?\s*[段句号]?\s*[\])）】]?", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s*(?:[,，、;；和与&]|\band\b)\s*", re.IGNORECASE)
_NO = frozenset({"false", "no", "否", "0", "不可回答", "unanswerable"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One complete item."""

    question: str
    """What is asked."""
    answer: str
    """The answer; empty only where not answerable."""
    answerable: bool = True
    """False: the passages do not hold the answer."""
    numbers: tuple[int, ...] = ()
    """Passage numbers, each of which was sent; empty: unknown, never guessed."""
    sentences: tuple[tuple[int, ...], ...] = ()
    """Sentence numbers, one row a passage number; empty: not given or not understood."""
    quotes: tuple[str, ...] = ()
    """Quotes that the model copied."""
    claims: tuple[str, ...] = ()
    """Facts that the model listed."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A value that is no item."""

    reason: str
    """not_an_object, no_question or no_answer; a key of the word lists below `generate.drop`."""


def read_item(value: object, sent: Iterable[int], language: str = "en") -> Item | Dropped:
    """The item that `value` stands for. `sent` are the passage numbers of the request."""
    if not isinstance(value, dict):
        return Dropped("not_an_object")
    fields = {str(key).strip().casefold(): inner for key, inner in value.items()}
    question = as_text(_field(fields, _QUESTION), language)
    if not question:
        return Dropped("no_question")
    answer = as_text(_field(fields, _ANSWER), language)
    answerable = as_text(fields.get("answerable", True), "en").casefold() not in _NO
    if not answer and answerable:
        return Dropped("no_answer")
    numbers = passage_numbers(_field(fields, _SOURCE), frozenset(sent))
    return Item(
        question=question,
        answer=answer,
        answerable=answerable,
        numbers=numbers,
        sentences=sentence_numbers(_field(fields, _SENTENCES), len(numbers)),
        quotes=_texts(_field(fields, _QUOTE), language),
        claims=_texts(_field(fields, _CLAIMS), language),
    )


def as_text(value: object, language: str) -> str:
    """A JSON value as the text of a field; numbers, lists, objects and truth values are written out."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return {"zh": ("否", "是")}.get(language, ("no", "yes"))[value]
    if isinstance(value, list):
        return ("；" if language == "zh" else "; ").join(filter(None, (as_text(inner, language) for inner in value)))
    if isinstance(value, dict):
        colon = "：" if language == "zh" else ": "
        return as_text([f"{key}{colon}{as_text(inner, language)}" for key, inner in value.items()], language)
    return str(value).strip()


def passage_numbers(value: object, sent: frozenset[int]) -> tuple[int, ...]:
    """The passage numbers that `value` names; empty where it is not understood or names one that was not sent.

    Understood: 2, "2", "[2]", "片段2", "Passage 2", "２", 2.0, [1, 3], "1,3". Anything else is unknown, never guessed.
    """
    found = _numbers(value)
    return tuple(dict.fromkeys(found)) if found and set(found) <= sent else ()


def sentence_numbers(value: object, passages: int) -> tuple[tuple[int, ...], ...]:
    """Sentence numbers, one row a passage; empty where `value` does not say which passage each belongs to."""
    if isinstance(value, dict):
        value = list(value.values())
    if passages > 1:
        rows = tuple(map(_numbers, value)) if isinstance(value, list) and len(value) == passages else ()
        nested = isinstance(value, list) and all(isinstance(row, list) for row in value)
        return rows if nested and all(rows) else ()
    flat = _numbers(value)
    return (flat,) if flat and passages else ()


def _field(fields: Mapping[str, object], names: Iterable[str]) -> object:
    """The first of the named fields that holds something."""
    return next((fields[name] for name in names if fields.get(name) not in (None, "", [], {})), None)


def _texts(value: object, language: str) -> tuple[str, ...]:
    """A text, a list of texts, or a list of objects with a `text`."""
    values = value if isinstance(value, list) else [value]
    texts = (as_text(inner.get("text") if isinstance(inner, dict) else inner, language) for inner in values)
    return tuple(text for text in texts if text)


def _numbers(value: object) -> tuple[int, ...]:
    """All numbers of `value`; empty where any part of it is not understood."""
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    if isinstance(value, list):
        parts = [_numbers(inner) for inner in value]
        return tuple(number for part in parts for number in part) if all(parts) else ()
    if not isinstance(value, str):
        return ()
    pieces = _BETWEEN.split(unicodedata.normalize("NFKC", value).strip().strip("[]"))
    found = [_NUMBER.fullmatch(piece) for piece in pieces]
    return tuple(int(match.group(1)) for match in found if match) if all(found) else ()
