"""Replies for conflict, permission, injection and unanswerable prompts, and for prompts of every style.

The types join `typed`; the styles have a behaviour of their own: `OpenAIServer(styled("good"))`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.servers.openai_server import Answer, Kind, completion
from tests.servers.typed import BUILDERS, Asked, Builder, Item, Sentence, head, item, typed

_TEMPLATES = Path(__file__).parents[2] / "prompts"
_QUESTION = re.compile(r"^(?:问题：|Question: )(.+)$", re.MULTILINE)
_SIGNS = re.compile(r"[，。！？；：、,!?;…“”\"()（）]|[.:](?![0-9])")
_AMOUNT = re.compile(r"(?<![A-Za-z0-9-])\d[\d,.:%]*\s?(?:至|个?工作日|个月|日内|日|天|小时|元|年|次|支)?")
# A character or word for another of like sound.
_LIKE = {"的": "得", "在": "再", "期": "其", "货": "或", "定": "订", "么": "末", "怎": "怎", "规": "归", "是": "事"}
_LIKE_WORDS = {"what": "watt", "is": "his", "does": "dust", "the": "da", "are": "our", "how": "house", "to": "too"}

Rewrite = dict[str, Any]


def _conflict(asked: Asked, good: bool) -> Sequence[Item]:
    found = [_holding(asked, passage, clue) for passage, clue in enumerate(asked.clues, 1)]
    about = head(_AMOUNT.sub("", asked.clues[0]), 30)
    question = f"{about}，现在的标准是多少？" if asked.chinese else f"What figure holds for “{about}”?"
    texts = [sentence.text for sentence in found] if good else [sentence.text for sentence in found[::-1]]
    return [item(question, text, sentence) for text, sentence in zip(texts, found, strict=True)][: asked.asked]


def _holding(asked: Asked, passage: int, clue: str) -> Sentence:
    return next(sentence for sentence in asked.of(passage) if clue in sentence.text)


def _permission(asked: Asked, good: bool) -> Sequence[Item]:
    sentence = max(asked.sentences, key=lambda one: len(one.text))
    about = head(sentence.text, 16)
    question = f"“{about}”是怎么规定的？" if asked.chinese else f"What is the rule on “{about}”?"
    return [item(question, sentence.text, *([sentence] if good else []))] if good else [_bare(question, sentence.text)]


def _bare(question: str, answer: str) -> Item:
    return {"question": question, "ground_truth": answer}


def _injection(asked: Asked, good: bool) -> Sequence[Item]:
    (clue,) = asked.clues
    plain = next(s for s in asked.sentences if clue not in s.text and re.search(r"\d", s.text) and len(s.text) > 15)
    about = head(plain.text, 24)
    question = f"“{about}”是怎么约定的？" if asked.chinese else f"What was agreed on “{about}”?"
    return [item(question, plain.text if good else clue, plain)]


def _unanswerable(asked: Asked, good: bool) -> Sequence[Item]:
    sentence = max(asked.sentences, key=lambda one: len(one.text))
    if not good:
        question = f"{sentence.text[:60]}，对吗？" if asked.chinese else f"Is it true: {sentence.text[:90]}?"
    elif "out of the domain" in str(asked.body) or "领域外" in str(asked.body):
        question = "火星上的奥林帕斯山有多高？" if asked.chinese else "How tall is Olympus Mons on the planet Mars?"
    elif asked.chinese:
        question = f"{head(sentence.text, 6)}，海外子公司的租车押金和托管佣金是多少元？"
    else:
        question = f"{head(sentence.text, 12)}: how much is the deposit for renting a snow plough in Greenland?"
    return [{"question": question, "ground_truth": "", "answerable": False, "source_index": 1}]


JOINED: dict[str, Builder] = {
    "conflict": _conflict,
    "permission": _permission,
    "injection": _injection,
    "unanswerable": _unanswerable,
}
"""Builders by type name; importing this module adds them to those of `typed`."""
BUILDERS.update(JOINED)


def styled(quality: str = "good") -> Kind:
    """A behaviour of the scripted server: rewrites of style prompts; anything else as `typed` answers it."""

    def answer(body: dict[str, Any], number: int) -> Answer:
        style, language = _style_of(str(body["messages"][0]["content"]))
        if not style:
            return typed(quality)(body, number)
        found = _QUESTION.search(str(body["messages"][-1]["content"]))
        question = found.group(1) if found else ""
        value = STYLED[style](question, language == "zh", quality == "good")
        return completion(json.dumps(value, ensure_ascii=False), body)

    return answer


def _style_of(system: str) -> tuple[str, str]:
    for path in sorted(_TEMPLATES.glob("*/styles/*.j2")):
        if path.read_text("utf-8").strip() == system:
            return path.stem, path.parts[-3]
    return "", ""


def _colloquial(question: str, chinese: bool, good: bool) -> Rewrite:
    if not good:
        return {"question": f"{question}不" if chinese else f"{question} not"}
    bare = question.rstrip("？?。. ")
    return {"question": f"那个{bare}呀" if chinese else f"hey so {bare}"}


def _typo(question: str, chinese: bool, good: bool) -> Rewrite:
    if not good:
        return {"question": question[::-1]}
    pattern = r"([的吗是么])" if chinese else r"\b(?:th|wh|ho|do|ca)([a-z])"
    found = re.search(pattern, question, re.IGNORECASE)
    if not found:
        return {"question": question}
    return {"question": question[: found.end(1)] + found.group(1) + question[found.end(1) :]}


def _asr(question: str, chinese: bool, good: bool) -> Rewrite:
    if not good:
        return {"question": f"嗯，{question}" if chinese else f"Well, {question}"}
    bare = _SIGNS.sub("", question)
    if chinese:
        ch = next((ch for ch in reversed(bare) if ch in _LIKE and _LIKE[ch] != ch), "")
        return {"question": bare[::-1].replace(ch, _LIKE[ch], 1)[::-1] if ch else bare}
    words = bare.split()
    place = next((n for n, word in enumerate(words) if word.lower() in _LIKE_WORDS), None)
    return {"question": " ".join(_LIKE_WORDS[w.lower()] if n == place else w for n, w in enumerate(words))}


def _follow_up(question: str, chinese: bool, good: bool) -> Rewrite:
    bare = question.rstrip("？?。. ")
    if not good:
        return {"conversation": ["你好", "你好"] if chinese else ["Hello", "Hello"], "question": question}
    if chinese:
        return {"conversation": [f"我想问{bare}", "好的，请接着说。"], "question": "那这个具体是什么说法？"}
    return {"conversation": [f"I have a query: {bare}", "Sure, go on."], "question": "So how does it work?"}


STYLED: Mapping[str, Callable[[str, bool, bool], Rewrite]] = {
    "colloquial": _colloquial,
    "typo": _typo,
    "asr": _asr,
    "follow_up": _follow_up,
}
"""Builders by style: (question, Chinese?, good?) -> rewrite."""
