"""Which sentences bear an answer out: at birth, where a model names the wrong sentence or the wrong passage."""

from collections.abc import Iterable, Sequence

from builder.checks.reading.compare import Fact, missing, stands
from builder.checks.reading.statements import statements
from builder.checks.reading.wording import Terms, coverage, terms
from builder.text.sentences import sentences

_ENOUGH = 0.5
"""Share of the words of an answer that a sentence has which bears it out, where it has no facts to go by."""
_LITTLE = 0.25
"""Below this share the named sentences have nothing to do with the answer."""


def lacks(question: str, answer: str, text: str, around: str = "") -> tuple[Fact, ...]:
    """The facts of an answer that neither the text nor the question nor headings hold."""
    return missing(answer, text, question, around)


def holds(question: str, answer: str, text: str, around: str = "") -> bool:
    """True where a text bears the answer out: all of its facts, or where it has none most of its words."""
    if lacks(question, answer, text, around):
        return False
    own = missing(answer, question, around)
    said = _words(answer) or (_words(question) if own else {})
    return bool(said) and coverage(said, terms(text)) >= (_LITTLE if own else _ENOUGH)


def unrelated(question: str, answer: str, text: str) -> bool:
    """True where hardly a word of the answer, or of the question where it has none, stands in the text."""
    return coverage(_words(answer) or _words(question), terms(text)) < _LITTLE


def _words(text: str) -> Terms:
    """Its terms, numbers aside: the same number stands in many places."""
    return {term: weight for term, weight in terms(text).items() if not term.startswith("=")}


def best_sentence(question: str, answer: str, text: str, around: str = "") -> int | None:
    """The number, from 1, of the sentence that bears the answer out best; none where none does."""
    rows = [
        (_likeness(question, answer, text[start:end]), -at)
        for at, (start, end) in enumerate(sentences(text), 1)
        if holds(question, answer, text[start:end], around)
    ]
    return -max(rows)[1] if rows else None


def sentence_with(
    gone: Sequence[Fact], question: str, answer: str, text: str, spans: Sequence[tuple[int, int]], named: Iterable[int]
) -> int | None:
    """The number of a sentence that holds the facts which the named ones lack, and fits what is said of them better."""
    said = _words(" ".join([question, *_saying(answer, gone)]))
    held = "\n".join(text[slice(*spans[number - 1])] for number in named)
    least = coverage(said, terms(held))
    rows = []
    for number, (start, end) in enumerate(spans, 1):
        sentence = text[start:end]
        share = coverage(said, terms(sentence))
        if share > least and all(stands(fact, (sentence,)) for fact in gone):
            rows.append((share, -number))
    return -max(rows)[1] if rows else None


def _saying(answer: str, gone: Sequence[Fact]) -> list[str]:
    """The clauses of the answer that state the facts."""
    clauses = [one.text for one in statements(answer)]
    return [clause for clause in clauses if any(fact.written in clause for fact in gone)] or [answer]


def _likeness(question: str, answer: str, sentence: str) -> float:
    held = terms(sentence)
    return coverage(terms(answer), held) + 0.5 * coverage(terms(question), held)
