"""The answer that a model gives in a verifying call, read leniently: JSON, JSON in prose, or plain text."""

import re
from dataclasses import dataclass

from builder.generate.items import as_text, sentence_numbers
from builder.llm.reply import read_items
from builder.model.attempt import Reply

_ANSWER = ("answer", "ground_truth", "response", "output", "答案", "回答", "答")
_FOUND = ("found", "answerable", "找到", "有答案", "可回答")
_SENTENCES = ("sentences", "sentence", "句号", "句子")
_NO = frozenset({"false", "no", "否", "0", "没有", "未找到"})
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")
# What models write in place of an answer. A plain 没有 or "no" is an answer.
_NOWHERE = re.compile(
    r"(?:资料|片段|文中|原文|上文|文本)?[中里内]?(?:并?[没未]有?|无)(?:明确)?(?:提到|提及|提供|说明|写明|找到|给出|涉及|相关|记载|规定答案)|"
    r"(?:无法|不能)(?:从.{0,12})?(?:回答|确定|得知|判断)|不知道|不清楚|"
    r"\b(?:not (?:found|mentioned|stated|given|specified|provided|available)|"
    r"do(?:es)? not (?:say|state|mention|contain|specify|provide)|"
    r"can(?:not|'t| not) be (?:answered|determined|found)|(?:do not|don't) know|no (?:answer|information))\b",
    re.IGNORECASE,
)
_SHORT = 60
"""Characters up to which a text with such words is no answer; a longer one may say it of something beside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a model answers."""

    answer: str = ""
    """Its answer; empty where it found none."""
    found: bool = False
    """It gives an answer."""
    sentences: tuple[int, ...] = ()
    """Sentences that it rests on, as it says."""
    readable: bool = True
    """False: nothing can be read in the reply."""


def read_answer(reply: Reply, language: str) -> Given:
    """The answer in a reply: the first object with an answer or `found`; else the text as it stands, where it ended."""
    finished = reply.finish_reason == "stop"
    for value in read_items(reply.text, finished).items:
        fields = {str(key).strip().casefold(): inner for key, inner in value.items()} if isinstance(value, dict) else {}
        if fields.keys() & {*_ANSWER, *_FOUND}:
            return _of_fields(fields, language)
    text = _plain(reply.text)
    if not text or not finished or text[0] in "{[":
        return Given(readable=False)
    return _given(text, (), claimed=True)


def _of_fields(fields: dict[str, object], language: str) -> Given:
    answer = next((text for name in _ANSWER if (text := as_text(fields.get(name), language))), "")
    said = next((fields[name] for name in _FOUND if name in fields), True)
    rows = sentence_numbers(next((fields[name] for name in _SENTENCES if name in fields), None), 1)
    return _given(answer, rows[0] if rows else (), claimed=as_text(said, "en").casefold() not in _NO)


def _given(answer: str, sentences: tuple[int, ...], *, claimed: bool) -> Given:
    nowhere = len(answer) <= _SHORT and _NOWHERE.search(answer) is not None
    if not (claimed and answer) or nowhere:
        return Given()
    return Given(answer=answer, found=True, sentences=sentences)


def _plain(text: str) -> str:
    """The text outside of thoughts and fences; thoughts without end are all of it."""
    _, closed, after = text.rpartition("</think>")
    if not closed and text.lstrip().startswith("<think>"):
        return ""
    return _FENCE.sub("", after).strip()
