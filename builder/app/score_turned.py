"""Whether a run and the snapshot's evidence speak of the same corpus at all; if not, zeros would be told as figures."""

from collections.abc import Iterable
from typing import NamedTuple

from builder.model.run import RetrievedItem
from builder.score.view import Target, View

_LEAST = 5
"""Fewer pieces of evidence may all be missed by a system that is just bad."""


class Turned(NamedTuple):
    """How far what a run names and what the cases rest on are the same corpus."""

    items: int
    """Passages that the run names."""
    unknown: int
    """Of these: not in the snapshot."""
    gold: int
    """Pieces of evidence that count, over all answered cases."""
    missing: int
    """Of these: in nothing that the run names for their case."""
    bare: bool
    """The run tells only ids, so evidence under another id cannot be seen."""

    @property
    def over(self) -> bool:
        """Most passages are unknown and most evidence never comes up; or ids alone are told, none of them gold."""
        return self.items > 0 and (self.strange or (self.bare and self.missing == self.gold >= _LEAST))

    @property
    def strange(self) -> bool:
        """Most passages are unknown and most evidence never comes up."""
        return 2 * self.unknown > self.items and 2 * self.missing > self.gold


def turned(views: Iterable[View]) -> Turned:
    """What a run names, against the evidence; failed calls say nothing."""
    items: dict[str, bool] = {}
    gold: dict[tuple[str, Target], bool] = {}
    bare = True
    for view in views:
        if view.record is None or view.record.error is not None:
            continue
        hits: set[Target] = set()
        for place in (place for stage in view.stages.values() for place in stage):
            name = place.item.id or place.item.text or ""
            items[name] = items.get(name, False) or place.known
            bare = bare and _bare(place.item)
            hits |= place.hits
        for target in (target for group in view.groups for target in group):
            key = (view.case.case_id, target)
            gold[key] = gold.get(key, False) or target in hits
    unknown, missing = (list(found.values()).count(False) for found in (items, gold))
    return Turned(len(items), unknown, len(gold), missing, bare)


def _bare(item: RetrievedItem) -> bool:
    """Only its id is told."""
    return item.text is None and item.span is None
