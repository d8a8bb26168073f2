"""Where to look first: the pattern of a run's figures against the table of signs, with the figures behind each hint.

A hint proves nothing and judges no release; gates do. Low, high and a wide gap are the rough bounds below; the figures
are given with each hint, so that everybody can see what it rests on. A figure over fewer than 5 cases gives none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from builder.model.record import Record
from builder.score.records import ALL, MetricRow, Scores

LOW, HIGH, GAP = 0.7, 0.85, 0.15
"""Below: low. From: high. At least so much between two figures: a wide gap."""
_LEAST = 5


class Figure(Record):
    """One figure that a hint rests on."""

    name: str
    """The metric."""
    value: float
    """Its value."""
    n: int
    """Cases that it rests on."""
    by: str = ALL
    """What the slice is cut by."""
    slice: str = ALL
    """Which one."""


class Signal(Record):
    """One sign."""

    name: str
    """A key below `score.signal.`."""
    figures: tuple[Figure, ...]
    """What it rests on."""

    @property
    def key(self) -> str:
        """The words for it: what is seen, and where to look."""
        return f"score.signal.{self.name}"


@dataclass(frozen=True, slots=True)
class _Figures:
    """The figures of a run by metric and slice."""

    rows: Sequence[MetricRow]

    def get(self, *names: str, by: str = ALL, slice_: str = ALL) -> Figure | None:
        """The first of the metrics that has a figure there."""
        for name in names:
            for row in self.rows:
                if (row.name, row.by, row.slice) == (name, by, slice_) and row.value is not None and row.n >= _LEAST:
                    return Figure(name=name, value=row.value, n=row.n, by=by, slice=slice_)
        return None


_WIDE = ("recall@20", "recall@10")
_NARROW = ("recall@5", "recall@3")
_READ = ("context_sufficiency", "ref_recall_context")
_FOUND = ("ref_recall", *_WIDE)
_RIGHT = ("answer_correct", "claim_recall")
_LEXICAL = ("citation_numbers_lexical", "citation_numbers")
_CITED = ("citation_gold_precision", "citation_group_recall")
_LEVEL = ("all_groups@5", "group_recall@5", *_NARROW)


def signals(scores: Scores) -> tuple[Signal, ...]:
    """The signs that a run shows, in the order of the layers."""
    figures = _Figures(scores.metrics)
    return tuple(Signal(name=name, figures=found) for name, look in _SIGNS for found in look(figures) if all(found))


Look = Callable[[_Figures], Iterator[tuple[Figure, ...]]]


def _candidates_low(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    wide = figures.get(*_WIDE)
    if wide and wide.value < LOW:
        yield (wide,)


def _ranking_low(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    wide, narrow = figures.get(*_WIDE), figures.get(*_NARROW)
    if wide and narrow and wide.value >= HIGH and wide.value - narrow.value >= GAP:
        yield wide, narrow


def _context_low(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    found, read = figures.get(*_FOUND), figures.get(*_READ)
    if found and read and found.value >= LOW and found.value - read.value >= GAP:
        yield found, read


def _generation_low(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    """Enough was read, and the answers say other numbers than the passages that they cite, or leave claims out."""
    read, right, lexical = figures.get(*_READ), figures.get(*_RIGHT), figures.get(*_LEXICAL)
    if not read or read.value < HIGH:
        return
    if lexical and lexical.value < HIGH:
        yield read, lexical
    elif not lexical and right and read.value - right.value >= GAP:
        yield read, right


def _knowledge_stale(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    """The answers keep to their sources, and are wrong."""
    lexical, right = figures.get(*_LEXICAL), figures.get(*_RIGHT)
    if lexical and right and lexical.value >= HIGH and lexical.value - right.value >= GAP:
        yield lexical, right


def _citation_low(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    right, cited = figures.get(*_RIGHT), figures.get(*_CITED)
    if right and cited and right.value >= HIGH and right.value - cited.value >= GAP:
        yield right, cited


def _offline_only(figures: _Figures) -> Iterator[tuple[Figure, ...]]:
    """Generated cases do well, what users complained about does not."""
    for names in (_RIGHT, _LEVEL):
        made = figures.get(*names, by="source", slice_="generated")
        real = figures.get(*names, by="source", slice_="feedback")
        if made and real and made.name == real.name and made.value - real.value >= GAP:
            yield made, real
            return


_SIGNS: tuple[tuple[str, Look], ...] = (
    ("candidates_low", _candidates_low),
    ("ranking_low", _ranking_low),
    ("context_low", _context_low),
    ("generation_low", _generation_low),
    ("knowledge_stale", _knowledge_stale),
    ("citation_low", _citation_low),
    ("offline_only", _offline_only),
)
