"""The words that two texts share: Chinese in pairs of letters, English by stem, codes and numbers whole.

A stand-in for meaning that needs no model: what a question speaks of is told by the words it shares with a clause.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from builder.checks.reading.fact import facts
from builder.text.language import CJK_CLASS

# Particles, question words and modal words: they say how something is asked, not of what.
_IDLE = (
    "请问|多长时间|多久|多少钱|多少|什么时候|什么|怎么样|怎么办|怎么|怎样|如何|哪些|哪个|哪里|哪|是否|能否|可否|"
    "能不能|"
    "可不可以|要不要|是不是|有没有|会不会|用不用|需不需要|可以|能够|允许|不能|不可|不得|不会|不用|不必|无需|无须|"
    "需要|必须|应当|"
    "应该|如果|的话|时候|一下|我们|你们|他们|这个|那个|这种|或者|以及|还是|因为|所以|但是|但|吗|呢|吧|啊|呀|的|了|请"
)
_STOP = frozenset(
    "是在有和也都就还会要我你您他她它能可不没无未非个这那之其为与及或将由从自于以对被把得所内后前时再只仅想"
)
_EMPTY_WORDS = (
    "a an the of to in on at by for from with and or but if is are was were be been being am do does did has have "
    "had will would shall should can could may might must need it its this that these those there then than as i "
    "you we they he she my your our their his her who whom whose what which when where why how many much long "
    "often soon any some all each every only also just not no yes so about into up out over under within per get "
    "got getting please take takes taken took taking give gives given gave make makes made use happen happens if "
    "must after before during until while since without because still "
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
# Words of users and the words of rules for the same thing; general language of service and work, not of one document.
_SAME = (
    ("备件", "零部件|零件|配件"),
    ("运费", "快递费|邮费"),
    ("工程师", "师傅|维修员|维修人员"),
    ("个人信息", "个人资料|个人数据"),
    ("消费者", "顾客|客户|买家|用户"),
    ("期限", "有效期|时限"),
    ("保修", "质保"),
    ("降价", "便宜了|跌价"),
    ("refund", "reimburse|reimbursed|reimbursement|refunded|refunds"),
    ("employee", "staff|worker|workers|employees|colleague"),
    ("manager", "boss|supervisor|superior"),
    ("trip", "journey|journeys|travel|trips"),
    ("salary", "wage|wages|salaries"),
    ("paternity", "father|fathers|dad"),
    ("maternity", "mother|mothers|mum|mom"),
    ("grandparent", "grandparents|grandmother|grandfather|grandma|grandpa"),
    ("marriage", "marry|marries|married|wedding"),
    ("pay", "paid|pays"),
    ("buy", "bought|purchase|purchased"),
    ("sell", "sold"),
    ("lose", "lost|loss|losing"),
    ("send", "sent"),
    ("keep", "kept"),
    ("leave", "left"),
    ("steal", "stolen|theft"),
)
_DENIES = re.compile("[不没未勿莫]")
"""What denies is told by the sign of a clause (checks.statements), not by its terms."""
_RUN = re.compile(f"{CJK_CLASS}+|[A-Za-z][A-Za-z'’]*")
_IDLE_PATTERN = re.compile(_IDLE)
_SYNONYMS = tuple((name, re.compile(forms)) for name, forms in _SAME if not name.isascii())
_ENGLISH = {form: name for name, forms in _SAME if name.isascii() for form in forms.split("|")}
_ENDINGS = (
    "able",
    "ible",
    "ingly",
    "edly",
    "ments",
    "ment",
    "ness",
    "ing",
    "ies",
    "ed",
    "es",
    "ly",
    "al",
    "s",
    "e",
    "y",
)

PAIR, LETTER, WORD, CODE, NUMBER = 1.0, 0.3, 1.0, 3.0, 2.0
Terms = Mapping[str, float]


@lru_cache(maxsize=1 << 12)
def terms(text: str) -> Terms:
    """The terms of `text` with their weights."""
    stated = facts(text)
    found: dict[str, float] = {f"#{fact.code}": CODE for fact in stated if fact.kind == "code"}
    found |= {f"={fact.value.normalize()}{fact.unit}": NUMBER for fact in stated if fact.is_number}
    plain = _without_numbers(text) if stated else text
    if not text.isascii():
        for name, forms in _SYNONYMS:
            plain = forms.sub(name, plain)
        plain = _IDLE_PATTERN.sub(" ", plain)
    for run in _RUN.findall(plain):
        found |= _english(run) if run[0].isascii() else _chinese(run)
    return MappingProxyType(found)


def _without_numbers(text: str) -> str:
    """The text with its facts blanked: they are terms of their own."""
    plain = list(text)
    for fact in facts(text):
        plain[fact.start : fact.end] = " " * (fact.end - fact.start)
    return "".join(plain)


def shared(wanted: Terms, held: Iterable[str]) -> float:
    """The weight of what `wanted` shares with `held`."""
    known = held if isinstance(held, Mapping | frozenset | set) else frozenset(held)
    return sum(weight for term, weight in wanted.items() if term in known)


def coverage(wanted: Terms, held: Iterable[str]) -> float:
    """The share of `wanted` that `held` has, by weight, 0-1; 1 where nothing is wanted."""
    whole = sum(wanted.values())
    return shared(wanted, held) / whole if whole else 1.0


def _chinese(run: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in _DENIES.split(run):
        pairs = (part[at : at + 2] for at in range(len(part) - 1))
        found |= {pair: PAIR for pair in pairs if not _STOP.issuperset(pair)}
        found |= {ch: LETTER for ch in part if ch not in _STOP}
    return found


def _english(word: str) -> dict[str, float]:
    plain = word.lower().replace("’", "'").removesuffix("'s").replace("'", "")
    return {} if plain in _EMPTY or len(plain) < 2 else {stem(_ENGLISH.get(plain, plain)): WORD}


@lru_cache(maxsize=1 << 13)
def stem(word: str) -> str:
    """A word without its ending, roughly: approve, approved and approval are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e").replace("i", "y") if len(word) > 4 else word
