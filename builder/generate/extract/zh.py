"""Chinese sentences: the wanted part gives way to a question word, the rest stays as it is written.

Chinese asks in place (备件保修 6 个月 -> 备件保修多少个月？), so that such a question is well formed wherever the
sentence is. It must name its subject, must not point elsewhere (该, 上述, 第八条) and must not hold its own answer. The
answer is the whole sentence, with the next one where that holds an exception.
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
    title,
    topic,
    with_followers,
    without_marker,
)
from builder.generate.writer import NumberedPassage

_FOLLOWS = re.compile(r"^(?:但|不过|其中|然而|否则)|^[^，。]{1,30}(?:除外|例外)|^[^，。]{1,20}(?:不适用|不受)")
_GOES_ON = re.compile(
    r"^[^，。]{1,30}(?:除外|例外)|^(?:但|不过|其中|然而|否则|此外|另外|同时|因此|所以|期满|届满|超过部分|例如|如果是|注：|也|还|并)"
)
_POINTS = re.compile(
    r"该|上述|前述|前款|上款|下列|以下|如下|上表|下表|附表|本表|本条|本章|本款|此[项类时处外]|这[些个种类一]|那[些个]|其(?![他它余中])"
    r"|第[一二三四五六七八九十百\d]+[条章节款项]|见\s*\d|见[附上下]|^(?:他|她|它)|同上"
)
_DOCUMENT = re.compile(r"本(?:政策|制度|办法|手册|规定|通知|说明书|协议|合同|条款|指南)")
_CLAUSE = re.compile(r"[，；;]|,(?!\d{3})")
_OPEN_END = re.compile(r"(?:的|时|后|前|者|内|外|起|止|以上|以下|以内|期间|情况下|范围内|如果.{0,30}|因.{2,20}原因)$")
_TERMS = re.compile(r"名词|术语|定义|释义")
_ODD_UNITS = frozenset("版章节页条篇卷款行列字词句号级层楼栋期届批代分名本") | {""}
_SET = re.compile(r"全天|一次性|第[\s\d至到-]*$|例如.{0,40}$|\d\s*[xX×]\s*$")
_LIMIT = re.compile(r"超过|不足|不满|满|低于|高于|以上|以下")
_SENTENCE_END = "。！；"
_WHO = re.compile(r"由(?!于|此)([^，。；由]{2,14}?)(承担|负责|支付|审批|批准|复核|解释|受理|签字|确认|更换|审核)")
_MADE_OF = re.compile(r"由[^，。；]{4,60}组成")
_MEANS = re.compile(r"^([^，。；：:“”是]{2,14})，?是指(?=.{6,})")
_FORBIDDEN = re.compile(r"不得|不可以|不能(?!正常|够)|严禁|禁止|不允许")
_ALLOWED = re.compile(r"(?<![不也还])可以(?!按照)")
_MUST = re.compile(r"(?<![不])(?:应当|必须)")
_ONLY = re.compile(r"[^，；]*(?:只能|只可|仅限)[^，；]*，")
_TIME = re.compile(
    r"\d{1,2}\s*[:：]\s*\d{2}\s*(?:至|到|-|–|~|～)\s*\d{1,2}\s*[:：]\s*\d{2}|\d{1,2}\s*时至\s*\d{1,2}\s*时"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_DAY = re.compile(
    r"(?<=[自从于为在至])\s*(?![^，。；]*（含）)(?:(?:\d{4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*日(?:\s*(?:至|到)\s*(?:\d{4}\s*年\s*)?(?:\d{1,2}\s*月\s*)?\d{1,2}\s*日)?|\d{4}\s*年\s*\d{1,2}\s*月)"
)
_N = r"(?:[\d.,]+|(?:[一二两三四五六七八九十百零半]|千(?![克米瓦帕])|万)+)"
_VALUE = re.compile(rf"^[¥￥≤≥]?\s*{_N}(?:\s*(?:至|到|-|–|—|~|～)\s*{_N})?\s*")
_LABEL = re.compile(r"^([^，。；：:\s]{2,12})[：:](?!\d)\s*")
_LEANS = re.compile(r"还|也|均|^(?:其|并|且|或|如|否则|另)|同[一样]")
_SHORT, _LONG, _LONGEST_ANSWER = 8, 64, 220


def sentences(passage: NumberedPassage) -> Iterator[Candidate]:
    """Candidates of all sentences of a passage."""
    head = _LABEL.match(passage.text)
    subject = topic(passage) or (head.group(1) if head else "")
    places = spans(passage)
    for index, (start, end) in enumerate(places):
        raw = tidy(passage.text[start:end])
        text = without_marker(raw)
        if not text.endswith(tuple(_SENTENCE_END)) or _GOES_ON.match(text) or "？" in text:
            continue
        if is_list_item(raw):
            yield from _term(passage, text, subject, (start, end))
            continue
        quote = with_followers(passage.text, places, index, _FOLLOWS)
        answer = _LABEL.sub("", without_marker(tidy(passage.text[quote[0] : quote[1]])))
        if len(answer) > _LONGEST_ANSWER or _POINTS.search(_DOCUMENT.sub("", answer)):
            continue
        for question, score in _questions(text.rstrip(_SENTENCE_END), subject, title(passage)):
            yield Candidate(question=question, answer=answer, quote=quote, score=score)


def _term(passage: NumberedPassage, text: str, subject: str, quote: tuple[int, int]) -> Iterator[Candidate]:
    """A list item that explains a word, below a heading that says so."""
    label = _LABEL.match(text)
    answer = text[label.end() :] if label else ""
    if label and _TERMS.search(subject) and len(answer) > _SHORT and not _POINTS.search(_DOCUMENT.sub("", answer)):
        yield Candidate(question=f"“{label.group(1)}”是指什么？", answer=answer, quote=quote, score=84)


def _questions(sentence: str, subject: str, document: str) -> Iterator[tuple[str, int]]:
    """Well-formed questions about one sentence, with their scores."""
    label = _LABEL.match(sentence)
    for number, part in enumerate(re.split("[；;]", _LABEL.sub("", sentence))):
        if number and _LEANS.search(part):
            continue
        for raw, score in [*_who(part), *_means(part), *_how_much(part)] or _whether(part):
            question = _standing_alone(raw, label.group(1) if label and not number else subject, document)
            if question:
                yield question, score - 3 * number


def _standing_alone(raw: str, subject: str, document: str) -> str:
    """The question with its subject named; empty where it cannot stand alone."""
    text = raw.strip("，；。 ")
    if _DOCUMENT.search(text):
        if not document:
            return ""
        text = _DOCUMENT.sub(f"《{document.strip('《》')}》", text, count=1)
    elif subject and not related(subject, text):
        text = f"关于{' ' * subject[0].isascii()}{subject}，{text}"
    if _POINTS.search(text) or _DOCUMENT.search(text) or not _SHORT <= len(text) <= _LONG:
        return ""
    return f"{text}？"


def _clauses(sentence: str) -> list[tuple[int, int]]:
    """Ranges of the clauses."""
    borders = [match.start() for match in _CLAUSE.finditer(sentence)]
    starts = [0, *(border + 1 for border in borders)]
    return list(zip(starts, [*borders, len(sentence)], strict=True))


def _upto(sentence: str, at: int, *, leads: bool = False) -> int:
    """Where the question about the part at `at` ends: with its clause, or with the main one where it sets a condition.

    A clause sets a condition by its last word (…的, …时); with `leads` also where it begins at `at` (30 分钟没有操作).
    """
    clauses = _clauses(sentence)
    for start, end in clauses:
        if end <= at:
            continue
        heads = leads and start <= at and not sentence[start:at].strip() and end < len(sentence)
        if not heads and not _OPEN_END.search(sentence[start:end].strip()):
            return end
    return 0


def _how_much(sentence: str) -> Iterator[tuple[str, int]]:
    """When, from when till when, which address, how many: one question a place."""
    for pattern, word in ((_TIME, "几点至几点"), (_DAY, "什么时候"), (_EMAIL, "哪个邮箱")):
        for match in pattern.finditer(sentence):
            yield _replaced(sentence, match.start(), match.end(), word), 85
    for amount in amounts(sentence):
        written, before = sentence[amount.start : amount.end], sentence[: amount.start]
        odd = amount.value.unit in _ODD_UNITS or _SET.search(before) or re.search(r"\d\s*[年月:：]", written)
        question = "" if odd else _replaced(sentence, amount.start, amount.end, _asking(written))
        if question and not gives_away(question, amount):
            yield question, 90 - 5 * _place(sentence, amount) - (12 if _LIMIT.search(before[-3:]) else 0)


def _place(sentence: str, amount: Amount) -> int:
    return next((n for n, (start, end) in enumerate(_clauses(sentence)) if start <= amount.start < end), 0)


def _asking(written: str) -> str:
    """The question word for a quantity, its unit kept: 24 个月 -> 多少个月, 两次 -> 几次."""
    if written.endswith("%") or written.startswith("百分之"):
        return "百分之多少"
    unit = _VALUE.sub("", written, count=1)
    if not unit and written[:1] in "¥￥":
        return "多少元"
    if not unit or unit[0].isdigit():
        return ""
    return f"几{unit}" if unit == "次" else f"多少{unit}"


def _replaced(sentence: str, start: int, end: int, word: str) -> str:
    """The sentence up to the end of the main clause, with `start:end` asked for."""
    stop = _upto(sentence, start, leads=True)
    if not word or stop < end:
        return ""
    before, after = sentence[:start].rstrip(), sentence[end:stop].lstrip()
    return f"{before}{word}{after}"


def _who(sentence: str) -> Iterator[tuple[str, int]]:
    made_of = _MADE_OF.search(sentence)
    if made_of:
        yield f"{sentence[: made_of.start()]}由哪几部分组成", 88
    for match in _WHO.finditer(sentence):
        stop = _upto(sentence, match.start())
        if stop >= match.end():
            yield f"{sentence[: match.start()]}由谁{match.group(2)}{sentence[match.end() : stop]}", 86


def _means(sentence: str) -> Iterator[tuple[str, int]]:
    found = _MEANS.match(sentence)
    if found:
        yield f"“{found.group(1)}”是指什么", 84


def _whether(sentence: str) -> Iterator[tuple[str, int]]:
    """可以 … 吗: for what is forbidden, allowed, or asked for; nothing where the sentence says both."""
    if _EMAIL.search(sentence):
        return
    found = [(pattern, pattern.search(sentence)) for pattern in (_FORBIDDEN, _ALLOWED, _MUST)]
    hits = [(pattern, match) for pattern, match in found if match]
    if len(hits) != 1:
        return
    pattern, match = hits[0]
    stop = _upto(sentence, match.start())
    if match is None or stop < match.end():
        return
    word = {_FORBIDDEN: "可以", _ALLOWED: "可以", _MUST: "必须"}[pattern]
    before = _ONLY.sub("", sentence[: match.start()])
    yield f"{before}{word}{sentence[match.end() : stop]}吗", 60
