"""Whether the text that the model read holds the evidence, group by group."""

from collections.abc import Mapping

from builder.score.compression import LIKE, SAME, Loss, lost
from builder.score.view import Stage, View


def text_read(view: View) -> str | None:
    """The text that the model read: as told, else the texts of its passages where all of them are told."""
    if view.record is not None and view.record.context_text is not None:
        return view.record.context_text
    texts = [place.item.text for place in view.stages.get(Stage.CONTEXT, ())]
    return "\n\n".join(text for text in texts if text) if texts and all(texts) else None


def losses(view: View, text: str) -> Mapping[int, Loss]:
    """By group, from 0: what a text has lost of it, by the alternative that is best kept."""
    return {group: _loss(view, group, text) for group in range(len(view.groups))}


def _loss(view: View, group: int, text: str) -> Loss:
    targets = frozenset(view.groups[group])
    taken = any(place.hits & targets for place in view.stages.get(Stage.CONTEXT, ()))
    # Where its passage was not taken, a sentence that is only like it says another thing.
    least = LIKE if taken else SAME
    found = (lost(view.case.evidence_groups[number][place].quote, text, least) for number, place in view.groups[group])
    return min(found, key=lambda loss: (bool(loss), loss.gone, len(loss.words)))
