"""What a question asks, without how it is put: two questions are the same where their gists are.

Dropped are courtesies, particles, articles and other words that change nothing (呢, 的, 一共, the, of); question words
and modal words that mean the same are one (多久 = 多长时间, can = may). Everything else must be there on both sides: a
number, date, article, model code, negation, or any word of content that differs makes another question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from builder.checks.reading.compare import Fact, facts
from builder.checks.reading.wording import stem
from builder.text.fold import folded
from builder.text.language import is_cjk
from builder.text.simplified import simplified

# Forms of one thing, general language of both; the first word of a row stands for all.
_SAME = (
    "多久 多长时间 多长 多少时间 多少天 几天 几日 多少日 几个月 多少个月 几年 多少年",
    "多少 几",
    "多少钱 什么价 什么价格 价格多少",
    "怎么 怎样 如何 怎么样 怎么办",
    "什么 啥 何 哪些 哪个 哪 哪种",
    "什么时候 何时 几时 啥时候",
    "为什么 为何 为啥 怎么会",
    "谁 哪位 何人",
    "哪里 哪儿 何处 什么地方",
    "后 之后 以后 过后",
    "前 之前 以前",
    "内 之内 以内 里 之中",
    "没 没有 未",
    "和 与 跟 及 以及",
    "用户 客户 顾客 消费者",
)
_MAY = "能 可以 可 能够 可否 能否 能不能 可不可以 是否可以 允许 can could may might able allowed"
_MUST = "要 须 必须 需 需要 应 应当 应该 得 要不要 需不需要 must should need needs required"
_IDLE_ZH = (
    "的 了 呢 啊 吗 呀 吧 嘛 哦 呐 哈 地 着 过 是 是否 是不是 有 有没有 会 会不会 在 就 才 才会 都 也 还 又 再 "
    "共 一共 总共 共计 合计 总计 请 请问 麻烦 你好 您好 想 问 问一下 一下 我 我们 咱 咱们 你 你们 您 它 这 那 该 "
    "这款 那款 这个 那个 这种 那种 款 个 之 对于 关于 对 的话 时 时候 大概 大约 具体 究竟 到底 想知道 想问 知道"
)
_IDLE_EN = (
    "a an the of for on in at by to per is are was were be been being am do does did there it its this that these "
    "those please i me my we our you your if so then really exactly usually have has had"
)
_HEADS = frozenset(
    ("grade", "grades", "level", "model", "models", "type", "version", "product", "appliance", "code", "error", "fault")
)
_HEADS_ZH = frozenset(("型号", "款", "级别", "职级", "代码", "故障码"))
"""Nouns that say nothing where what they name stands behind them: grade G5, 型号 KT-72."""
_COURTESY = re.compile(
    r"^\W*(?:(?:请问|您好|你好|麻烦问|我想问|想问|请教)(?:一下|下)?\W*)+|"
    r"^\W*(?:(?:hi|hello|please)\b\W*|(?:can|could|would) you (?:please )?tell me\W*|"
    r"(?:do you know|i(?: would|['’]d) like to know)\W*)+",
    re.IGNORECASE,
)
_OUGHT = re.compile(r"\b(?:have|has|had|ought) to\b", re.IGNORECASE)
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcannot\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^\W*A\s+(?=[a-z])")
_WORD = re.compile(r"[a-z0-9][a-z0-9]*", re.IGNORECASE)
_MARK = re.compile(r"(?<![0-9])[^\w]+|[^\w]+(?![0-9])|_")


_NAMED_A = "[a]"
"""A capital A that stands not first: no article, but product A, grade A."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What a question asks."""

    words: tuple[str, ...]
    """Content in order: numbers with units, codes, English stems, Chinese characters."""
    modal: frozenset[str]
    """`may`, `must`."""

    @property
    def key(self) -> tuple[str, ...]:
        """The same for the same words in any order."""
        return tuple(sorted(self.words))


def same_gist(one: Gist, other: Gist) -> bool:
    """True where two gists ask the same; of their words one run may stand at another place."""
    modal = one.modal == other.modal or not one.modal or not other.modal
    return modal and one.key == other.key and _moved(one.words, other.words)


@lru_cache(maxsize=1 << 15)
def bare(text: str) -> str:
    """A question without case, width, white space and punctuation; signs between digits stay (3.5, 10-12)."""
    return _MARK.sub("", folded(text))


@lru_cache(maxsize=1 << 15)
def gist(text: str) -> Gist:
    """The gist of a question."""
    plain = _COURTESY.sub("", simplified(normalize("NFKC", text)))
    plain = _ARTICLE.sub("a ", plain)
    plain = _CANNOT.sub("can not", _NOT.sub(" not", _OUGHT.sub("must", plain)))
    words: list[str] = []
    modal: set[str] = set()
    at = 0
    for fact in (*_apart(facts(plain)), None):
        for word in _words(plain[at : fact.start if fact else len(plain)]):
            known = _known().get(word, word)
            if known in ("may", "must"):
                modal.add(known)
            elif known:
                words += _units(known)
        if fact is not None:
            if words and words[-1] in _HEADS | _HEADS_ZH:
                words.pop()
            words.append(fact.code if fact.kind == "code" else f"={fact.value.normalize()}{fact.unit}")
            at = fact.end
    return Gist(words=tuple(words), modal=frozenset(modal))


def _apart(found: Sequence[Fact]) -> Iterator[Fact]:
    """Facts, none overlapping another."""
    end = 0
    for fact in found:
        if fact.start >= end:
            yield fact
            end = fact.end


def _words(text: str) -> Iterator[str]:
    """Words in lower case: Chinese by dictionary, a modal word that it takes for the end of another (机要) cut off."""
    import rjieba

    for word in rjieba.cut(text.replace("’s", "").replace("'s", ""), False):
        if not is_cjk(word[0]):
            yield from (_NAMED_A if found == "A" else found.lower() for found in _WORD.findall(word))
        elif len(word) > 1 and word[-1] in "要能" and word not in _known():
            yield from (word[:-1], word[-1])
        else:
            yield word


def _units(word: str) -> Sequence[str]:
    """Chinese words in characters, for dictionaries cut the same words in several ways; heads of names stay whole."""
    if word in _HEADS | _HEADS_ZH or word.startswith("?"):
        return (word,)
    return tuple(word) if is_cjk(word[0]) else (stem(word),)


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    """Words and what stands for them: nothing for idle ones."""
    found = {form: "" for form in f"{_IDLE_ZH} {_IDLE_EN}".split()}
    found |= {form: f"?{row.split()[0]}" for row in _SAME for form in row.split()}
    found |= {
        "不能": "不",
        "不可": "不",
        "不可以": "不",
        "不得": "不",
        "不会": "不",
        "不是": "不",
        "不要": "不",
        "不用": "不",
    }
    return found | {form: "may" for form in _MAY.split()} | {form: "must" for form in _MUST.split()}


def _moved(one: Sequence[str], other: Sequence[str]) -> bool:
    """True where the second is the first with at most one run of words at another place."""
    low = 0
    while low < len(one) and one[low] == other[low]:
        low += 1
    high = len(one)
    while high > low and one[high - 1] == other[high - 1]:
        high -= 1
    left, right = tuple(one[low:high]), tuple(other[low:high])
    return not left or any(left[at:] + left[:at] == right for at in range(1, len(left)))
