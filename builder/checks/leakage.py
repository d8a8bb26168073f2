"""Check `leakage`: how far the question gives its passage away to a search that only compares words.

Told always: the longest run of words that the question copies from its passages, the share of the question that such
runs make up, the share of its letter pairs that stand there, and the rank of the passage under plain BM25 from the
question. Only a long copied run is a warning. An ordinary question of 8-20 characters names its subject in the words of
the text (GTE-3000Pro 整机保修期) and is found at rank 1; that is no fault, but `too_easy` tells that the case hardly
measures retrieval.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from builder.checks.context import CheckContext
from builder.checks.reading.source import chunks_of
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult
from builder.text.fold import folded
from builder.text.language import CJK_CLASS, language_of
from builder.text.simplified import simplified

NAME = "leakage"
_RUN = {"zh": 12, "en": 8}
"""Least copied run that is long: Chinese characters, a number or Latin word counting as one; English words. What a
question cannot but repeat is shorter: names of things, a condition (定制商品开始生产前可以)."""
_SHARE = 50
"""Per cent of the question that the copied runs of half that length must make up: a long question of somebody's own may
repeat one condition word for word."""
_RANKS = 20
"""Passages that are looked through for the rank."""
_TOKEN = re.compile(rf"{CJK_CLASS}|[^\W_]+")


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: the question copies a long run. Pass: with its figures, `too_easy` where BM25 finds the passage first."""
    chunks = chunks_of(case, context)
    if not chunks:
        return None
    asked, long = tokens(case.question), _RUN[language_of(case.question)]
    runs = max((copied_runs(asked, tokens(chunk.text), long // 2) for chunk in chunks), key=_longest)
    run = max(runs, key=len, default=())
    share = round(100 * sum(map(len, runs)) / len(asked)) if asked else 0
    overlap = max(_overlap(case.question, chunk.text) for chunk in chunks)
    rank = _rank(case, context)
    figures = {"run": str(len(run)), "share": str(share), "overlap": str(overlap), "rank": rank}
    if len(run) >= long and share >= _SHARE:
        return warned(NAME, "copied", text=_written(run, case.question), **figures)
    return passed(NAME, "too_easy" if rank == "1" else "", **figures)


def tokens(text: str) -> tuple[str, ...]:
    """Chinese characters one by one, other words and numbers whole; folded, without punctuation."""
    return tuple(folded(word) for word in _TOKEN.findall(simplified(text)))


def copied_runs(asked: Sequence[str], held: Sequence[str], least: int = 1) -> tuple[tuple[str, ...], ...]:
    """The runs of at least `least` tokens that stand in both, from left to right, none overlapping another."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, token in enumerate(held):
        places[token].append(at)
    found: list[tuple[str, ...]] = []
    start = 0
    while start < len(asked):
        length = max((_length(asked, start, held, at) for at in places.get(asked[start], ())), default=0)
        if length >= least:
            found.append(tuple(asked[start : start + length]))
        start += max(1, length if length >= least else 1)
    return tuple(found)


def _length(asked: Sequence[str], start: int, held: Sequence[str], at: int) -> int:
    """How many tokens from `start` are those from `at`."""
    length = 0
    while start + length < len(asked) and at + length < len(held) and asked[start + length] == held[at + length]:
        length += 1
    return length


def _longest(runs: Sequence[Sequence[str]]) -> int:
    return max(map(len, runs), default=0)


def _overlap(question: str, text: str) -> int:
    """Per cent of the letter pairs of the question that stand in the text."""
    plain, held = folded(question), folded(text)
    pairs = [plain[at : at + 2] for at in range(len(plain) - 1) if plain[at : at + 2].isalnum()]
    return round(100 * sum(pair in held for pair in pairs) / len(pairs)) if pairs else 0


def _rank(case: Case, context: CheckContext) -> str:
    """The best rank of a passage under BM25; `-` without a corpus."""
    if context.corpus is None:
        return "-"
    chunks = chunks_of(case, context)
    found = [rank for chunk in chunks if (rank := context.corpus.rank(case.question, chunk.chunk_id, _RANKS))]
    return str(min(found)) if found else f">{_RANKS}"


def _written(run: Sequence[str], question: str) -> str:
    """The run as words, for people."""
    joint = "" if language_of(question) == "zh" else " "
    return joint.join(run)[:120]
