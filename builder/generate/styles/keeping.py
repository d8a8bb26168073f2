"""What a reworded question must keep: its numbers, codes, negations and meaning."""

import re
from collections import Counter

from builder.generate.terms import share, terms
from builder.generate.types import grounds
from builder.model.case import Turn
from builder.text.fold import folded
from builder.text.language import is_cjk, language_of
from builder.text.negation import negations
from builder.text.numbers import quantities

_SIGNS = re.compile(r"[\W_]+")
# Characters of plain grammar and of asking, which people swap at will (多久/多长时间, 怎么/咋).
_IDLE = frozenset(
    "的了吗呢吧啊呀嘛么和与或及在是有被把从到由对就也都要会能可以请问我你您他它这那哪什怎多少几个如何是否应该需"
)


def changed(original: str, text: str) -> str:
    """Why `text` does not ask for the facts that `original` asks for; empty where it does.

    `numbers_changed`, `code_changed`, `negation_changed`; 二十四个月 is 24 个月, GTE-3000Pro is gte3000pro.
    """
    if numbers(original) != numbers(text):
        return "numbers_changed"
    if codes(original) - codes(text) or any(code not in bare(original) for code in codes(text)):
        return "code_changed"
    return "negation_changed" if negations(original) != negations(text) else ""


def numbers(text: str) -> Counter[tuple[str, str]]:
    """The numbers of a text by value and unit."""
    return Counter((format(one.value, "f"), one.unit) for one in quantities(text))


def codes(text: str) -> frozenset[str]:
    """The codes of a text, without signs and in one case."""
    return frozenset(bare(code) for code in grounds.terms(text))


def bare(text: str) -> str:
    """The folded text without punctuation and signs."""
    return _SIGNS.sub("", folded(text))


def kept(original: str, text: str) -> int:
    """Per cent of the meaning of `original` that stands in `text`, codes aside: Chinese by characters, else by words.

    Characters, because everyday words for a thing often share one with the formal word (退款, 退钱).
    """
    if language_of(original) == "zh":
        wanted = {ch for ch in bare(original) if is_cjk(ch) and ch not in _IDLE}
        return 100 * len(wanted & set(bare(text))) // len(wanted) if wanted else 100
    wanted_words = [term for term in terms(original) if term.isalpha()]
    return share(wanted_words, text) if wanted_words else 100


def spoken(conversation: tuple[Turn, ...]) -> str:
    """What was said before, one turn a line."""
    return "\n".join(turn.text for turn in conversation)
