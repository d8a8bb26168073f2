"""Replies to prompts of every question type: good ones, and ones that a type must refuse.

The type is told from the system message, the material from the user message, as a model would. A reply is built from
what stands in the passages, by rules of its own: nothing of builder is used here but the wording of its templates.

    with OpenAIServer(typed("good")) as server: ...

Another type joins with `BUILDERS["its_name"] = builder`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.servers.openai_server import Answer, Kind, completion, items_for

_TEMPLATES = Path(__file__).parents[2] / "prompts"
_PASSAGE = re.compile(r"^\[(?:片段|Passage )(\d+)\] ?(.*)$")
_SENTENCE = re.compile(r"^(\d+)\) (.+)$")
_CLUE = re.compile(r"^(?:线索：|Clue: )(.+)$")
_ASKED = re.compile(r"^(?:出|Write) (\d+)", re.MULTILINE)
_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9.-])(\d[\d,.]*)\s?(个?工作日|个月|天|日内|小时|元|分钟|次|%|℃|kg|months?|days?|hours?|yuan|weeks?|years?)"
)
_ZH_CONDITION = re.compile(r"[^，。；：、\s][^，。；：、]{1,14}(?:的|内|后|时|前)(?=，)")
_EN_CONDITION = re.compile(
    r"\b(?:if|unless|except|after|before|within|during|when|without)\s[^,.;]{4,60}", re.IGNORECASE
)

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A numbered sentence of a numbered passage."""

    passage: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request shows and asks."""

    language: str
    question_type: str
    """Name of the type; empty: the plain prompt."""
    sentences: tuple[Sentence, ...]
    headings: Mapping[int, str]
    clues: tuple[str, ...] = ()
    asked: int = 1
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def chinese(self) -> bool:
        return self.language == "zh"

    def of(self, passage: int) -> tuple[Sentence, ...]:
        """The sentences of one passage."""
        return tuple(sentence for sentence in self.sentences if sentence.passage == passage)


Builder = Callable[[Asked, bool], Sequence[Item]]
"""(request, good?) -> items; no item where the passages give none."""


def read_request(body: Mapping[str, Any]) -> Asked:
    """A request body as `Asked`."""
    system, user = (str(message["content"]) for message in body["messages"])
    language, name = _type_of(system)
    rows, headings, clues, passage = [], {}, [], 0
    for line in user.splitlines():
        if found := _PASSAGE.match(line):
            passage = int(found[1])
            headings[passage] = found[2]
        elif found := _CLUE.match(line):
            clues.append(found[1])
        elif passage and (found := _SENTENCE.match(line)):
            rows.append(Sentence(passage, int(found[1]), found[2]))
    asked = _ASKED.search(user)
    return Asked(language, name, tuple(rows), headings, tuple(clues), int(asked[1]) if asked else 1, body)


@cache
def _lines() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Language, type and literal lines of every type's template; lines that all templates share say nothing."""
    found = [(path.parts[-3], path.stem, frozenset(path.read_text("utf-8").splitlines())) for path in _typed_files()]
    return tuple(
        (language, name, lines - frozenset().union(*(other for _, n, other in found if n != name)))
        for language, name, lines in found
    )


def _typed_files() -> list[Path]:
    return sorted(_TEMPLATES.glob("*/types/*.j2"))


def _type_of(system: str) -> tuple[str, str]:
    said = frozenset(system.splitlines())
    best = max(_lines(), key=lambda row: len(row[2] & said))
    language = "zh" if re.search("[\u4e00-\u9fff]", system) else "en"
    return (best[0], best[1]) if best[2] & said else (language, "")


def typed(quality: str = "good") -> Kind:
    """A behaviour of the scripted server: `good` or `bad` items of the type that is asked for."""

    def answer(body: dict[str, Any], _: int) -> Answer:
        asked = read_request(body)
        builder = BUILDERS.get(asked.question_type)
        items = list(builder(asked, quality == "good")) if builder else items_for(body)
        return completion(json.dumps({"items": items}, ensure_ascii=False, separators=(",", ":")), body)

    return answer


def item(question: str, answer: str, *evidence: Sentence) -> Item:
    """An item that cites `evidence`, of one passage or several."""
    numbers = list(dict.fromkeys(sentence.passage for sentence in evidence))
    rows = [[sentence.number for sentence in evidence if sentence.passage == number] for number in numbers]
    one = len(numbers) == 1
    return {
        "question": question,
        "ground_truth": answer,
        "source_index": numbers[0] if one else numbers,
        "sentences": rows[0] if one else rows,
    }


def head(text: str, size: int = 40) -> str:
    """The beginning of a text, as a name for what it is about."""
    return text[:size].strip(" ，。；：、,.;:?？•-")


def _conditions(asked: Asked) -> Iterator[tuple[str, Sentence]]:
    pattern = _ZH_CONDITION if asked.chinese else _EN_CONDITION
    for sentence in asked.sentences:
        yield from ((found.group().strip(), sentence) for found in pattern.finditer(sentence.text))


def _multi_condition(asked: Asked, good: bool) -> Sequence[Item]:
    found = list(_conditions(asked))
    pairs = [(a, b) for a, b in combinations(found, 2) if a[0] != b[0] and abs(a[1].number - b[1].number) <= 1]
    if not pairs:
        return []
    (first, s), (second, t) = pairs[0]
    answer = s.text if s == t else f"{s.text} {t.text}"
    if not good:
        question = "这种情况下是怎么处理的？" if asked.chinese else "What is the rule here?"
    elif asked.chinese:
        question = f"在{first}、又在{second}的情形下，是怎么处理的？"
    else:
        question = f"What holds {first}, and at the same time {second}?"
    return [item(question, answer, *dict.fromkeys((s, t)))]


def _condition_pair(asked: Asked, good: bool) -> Sequence[Item]:
    found = [(text, s) for text, s in _conditions(asked) if len(text) <= (10 if asked.chinese else 60)]
    pairs = [(a, b) for a, b in combinations(found, 2) if a[1] != b[1]]
    if not pairs:
        return []
    (first, s), (second, t) = pairs[0]
    about = head(asked.headings[s.passage].split(" › ")[-1])
    form = (
        f"关于“{about}”，{{}}，客户应当怎么办理才对？"
        if asked.chinese
        else f"Under the rule “{about}”, what holds {{}}?"
    )
    return [
        item(form.format(first), s.text, s),
        item(form.format(second), t.text if good else s.text, t if good else s),
    ]


def _exact(asked: Asked) -> list[Sentence]:
    return [s for s in asked.sentences if re.search(r"\d", s.text) and len(s.text) > 12]


def _compound(asked: Asked, good: bool) -> Sequence[Item]:
    found = _exact(asked)
    if len(found) < 2:
        return []
    first, second = found[0], found[-1]
    about = head(first.text), head(second.text)
    if asked.chinese:
        question = f"“{about[0]}”是怎么规定的，“{about[1]}”又是怎么规定的？" if good else f"“{about[0]}”是怎么规定的？"
    elif good:
        question = f"What is said of “{about[0]}”; and what is said of “{about[1]}”?"
    else:
        question = f"What is said of “{about[0]}”?"
    return [item(question, f"{first.text}\n{second.text}", first, second)]


def _multi_hop(asked: Asked, good: bool) -> Sequence[Item]:
    ends = [_best(asked.of(number), asked.clues) for number in asked.headings]
    first, second = ends[0], ends[1]
    about = head(first.text), head(second.text)
    if not good:  # the second passage is cited, and not needed
        question = f"“{about[0]}”是怎么规定的？" if asked.chinese else f"What is said of “{about[0]}”?"
        return [item(question, first.text, first, second)]
    if asked.chinese:
        question = f"涉及“{about[0]}”的，按“{about[1]}”应当怎么处理？"
    else:
        question = f"Where it is about “{about[0]}”, what follows from “{about[1]}”?"
    return [item(question, f"{first.text}\n{second.text}", first, second)]


def _best(found: Sequence[Sentence], clues: Sequence[str]) -> Sentence:
    """The sentence with the clue; else the longest."""
    return next((s for s in found if any(clue in s.text for clue in clues)), max(found, key=lambda s: len(s.text)))


def _comparison(asked: Asked, good: bool) -> Sequence[Item]:
    rows = [(s, m[1], m[2]) for s in asked.sentences for m in _AMOUNT.finditer(s.text)]
    several = len(asked.headings) > 1
    for (s, one, unit), (t, other, same) in combinations(rows, 2):
        if unit == same and one != other and s != t and not (several and s.passage == t.passage):
            about = head(s.text, 20), head(t.text, 20)
            if asked.chinese:
                question = f"“{about[0]}”和“{about[1]}”相比，哪个更多？"
                answer = f"前者是 {one} {unit}，后者是 {other} {unit}。" if good else f"前者更多，是 {one} {unit}。"
            else:
                question = f"Which is more, “{about[0]}” or “{about[1]}”?"
                answer = f"{one} {unit} and {other} {unit}." if good else f"The first: {one} {unit}."
            return [item(question, answer, s, t)]
    return []


def _exact_term(asked: Asked, good: bool) -> Sequence[Item]:
    (clue,) = asked.clues
    sentence = _best(asked.sentences, asked.clues)
    answer = sentence.text if good else sentence.text.replace(clue, clue[:-1])
    name = clue if good else clue[:-1]
    question = f"资料里 {name} 是怎么说的？" if asked.chinese else f"What is said about {name}?"
    return [item(question, answer, sentence)]


BUILDERS: dict[str, Builder] = {
    "multi_condition": _multi_condition,
    "condition_pair": _condition_pair,
    "compound": _compound,
    "multi_hop": _multi_hop,
    "comparison": _comparison,
    "exact_term": _exact_term,
}
"""Builders by type name."""
