"""A model that is asked to verify: it answers from what it is shown, or knows by heart, in one of several dialects."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.servers.openai_server import Answer, Kind, completion

Dialect = Callable[[str], str]
"""Text of the reply for an answer; an empty answer: none was found."""


@dataclass(frozen=True, slots=True)
class Knows:
    """What the model answers to a question, and which words it must see for it; none: it knows it by heart."""

    answer: str
    needs: Sequence[str] = ()


def plain(answer: str) -> str:
    return json.dumps({"answer": answer, "found": bool(answer), "sentences": [1] if answer else []}, ensure_ascii=False)


def fenced(answer: str) -> str:
    return f"Here it is:\n```json\n{plain(answer)}\n```\n"


def thinking(answer: str) -> str:
    return f'<think>Perhaps {{"answer": "99 years", "found": true}} … no.</think>\n{plain(answer)}'


def in_prose(answer: str) -> str:
    return answer or "资料中没有提到这一点。"


def in_english_prose(answer: str) -> str:
    return answer or "This is not mentioned in the material."


def chinese_keys(answer: str) -> str:
    return json.dumps({"答案": answer, "找到": "是" if answer else "否"}, ensure_ascii=False)


def cut(answer: str) -> str:
    return plain(answer)[:12]


DIALECTS: Mapping[str, Dialect] = {
    "plain": plain,
    "fenced": fenced,
    "thinking": thinking,
    "prose": in_prose,
    "english_prose": in_english_prose,
    "chinese_keys": chinese_keys,
}


def verifier(known: Mapping[str, Knows], dialect: Dialect = plain, finish: str = "stop") -> Kind:
    """Answers the questions of `known` where it sees what it needs; finds nothing otherwise."""

    def answer(body: dict[str, Any], number: int) -> Answer:
        user = str(body["messages"][-1]["content"])
        found = (knows for question, knows in known.items() if question in user)
        said = next((knows.answer for knows in found if all(word in user for word in knows.needs)), "")
        return completion(dialect(said), body, finish)

    return answer
