"""What the text that a model read has lost of the evidence: numbers, negations, words of exception, whole sentences.

Each sentence of the evidence is compared with the sentence of the text that is most like it, never with the whole
text: a 不 or a 24 that stands elsewhere does not replace the one that was cut. This is a comparison of words; a text
that says the same in other words, numbers and negations kept, has lost nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.checks.reading.signs import EXCEPTION
from builder.checks.reading.wording import coverage, terms
from builder.text.fold import folded
from builder.text.negation import negation_spans
from builder.text.numbers import quantities
from builder.text.quotes import find_quote
from builder.text.sentences import sentences

LIKE, SAME = 0.4, 0.8
"""Least share of a sentence's words in the one that stands for it: where its passage is known to be there; else."""
_STOPS = ".…。"
_TAIL = 6
"""Least length (folded) of a beginning at the end of a text that shows where it was cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What is missing."""

    numbers: tuple[str, ...] = ()
    """Numbers with their units, as the evidence writes them."""
    negations: tuple[str, ...] = ()
    """Words that deny."""
    exceptions: tuple[str, ...] = ()
    """Words of exception."""
    sentences: tuple[str, ...] = ()
    """Sentences that nothing stands for."""
    of: int = 1
    """Sentences of the evidence."""
    rest: str = ""
    """What would follow where the text ends within the evidence."""

    def __bool__(self) -> bool:
        return bool(self.words)

    @property
    def cut_off(self) -> bool:
        """The text ends within the evidence."""
        return bool(self.rest)

    @property
    def gone(self) -> bool:
        """Nothing of the evidence is left."""
        return len(self.sentences) == self.of

    @property
    def words(self) -> tuple[str, ...]:
        """All that is missing, in a few words."""
        named = tuple(dict.fromkeys((*self.numbers, *self.negations, *self.exceptions, *self.sentences)))
        return named or ((self.rest,) if self.rest else ())


@lru_cache(maxsize=1 << 12)
def lost(quote: str, text: str, least: float = LIKE) -> Loss:
    """What `text` has lost of a quote; an empty loss is false. `least`: how like a sentence must be to stand for it."""
    if find_quote(quote, text):
        return Loss()
    wanted = [quote[start:end] for start, end in sentences(quote)] or [quote]
    held = [text[start:end] for start, end in sentences(text)]
    losses = [_of_sentence(sentence, text, held, least) for sentence in wanted]
    return Loss(
        numbers=tuple(word for loss in losses for word in loss.numbers),
        negations=tuple(word for loss in losses for word in loss.negations),
        exceptions=tuple(word for loss in losses for word in loss.exceptions),
        sentences=tuple(word for loss in losses for word in loss.sentences),
        of=len(wanted),
        rest=_rest(quote, text),
    )


def _of_sentence(sentence: str, text: str, held: Sequence[str], least: float) -> Loss:
    if find_quote(sentence, text):
        return Loss()
    words = terms(sentence)
    nearest = max(held, key=lambda other: coverage(words, terms(other)), default="")
    if coverage(words, terms(nearest)) < least:
        return Loss(sentences=(sentence,))
    return Loss(
        numbers=tuple(_numbers(sentence, nearest)),
        negations=tuple(_fewer(_negations(sentence), _negations(nearest))),
        exceptions=tuple(_fewer(EXCEPTION.findall(sentence), EXCEPTION.findall(nearest))),
    )


def _numbers(sentence: str, other: str) -> Iterator[str]:
    left = Counter((found.value, found.unit) for found in quantities(other))
    for found in quantities(sentence):
        key = found.value, found.unit
        if left[key] > 0:
            left[key] -= 1
        else:
            yield sentence[found.start : found.end]


def _negations(text: str) -> list[str]:
    return [text[start:end] for start, end in negation_spans(text)]


def _fewer(wanted: Sequence[str], held: Sequence[str]) -> Iterator[str]:
    """The words of `wanted` that `held` has none left for; where the counts are equal, other words say the same."""
    if len(held) >= len(wanted):
        return
    left = Counter(held)
    for word in wanted:
        if left[word] > 0:
            left[word] -= 1
        else:
            yield word


def _rest(quote: str, text: str) -> str:
    """What is missing where `text` ends with a beginning of the quote, or of what follows one of its sentences."""
    end = folded(text).rstrip(_STOPS)
    for start, _ in sentences(quote):
        rest = folded(quote[start:]).rstrip(_STOPS)
        size = next((size for size in range(len(rest) - 1, _TAIL - 1, -1) if end.endswith(rest[:size])), 0)
        if size:
            return rest[size:]
    return ""
