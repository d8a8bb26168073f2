"""Figures of the text that the model read."""

from builder.score.metrics.metric import Figures, Metric, failure, none, number, share, tells, worst
from builder.score.records import Value
from builder.score.sufficiency import losses, text_read
from builder.score.view import View
from builder.text.fold import folded

_NAMES = ("context_sufficiency", "evidence_density")


def metrics() -> tuple[Metric, ...]:
    """context_sufficiency, evidence_density."""
    return tuple(Metric(name=name, key=name, layer="context", source="own", family=text) for name in _NAMES)


def text(view: View) -> Figures:
    """context_sufficiency: 1 where the text holds every group whole, with its numbers, negations and exceptions.

    evidence_density: characters of evidence in it / all its characters, white space not counted.
    """
    why = view.excluded or ("" if view.groups else "no_evidence")
    if why:
        return dict.fromkeys(_NAMES, none(why))
    read = None if failure(view) else text_read(view)
    if read is None:
        lost = failure(view) or "not_told"
        return dict.fromkeys(_NAMES, worst(0.0, lost) if tells(view, "context_text") else none("not_told"))
    whole = not any(losses(view, read).values())
    return {"context_sufficiency": number(float(whole)), "evidence_density": _density(view, read)}


def _density(view: View, read: str) -> Value:
    whole = folded(read)
    found = bytearray(len(whole))
    for number_, place in (target for group in view.groups for target in group):
        quote = folded(view.case.evidence_groups[number_][place].quote)
        start = whole.find(quote) if quote else -1
        if start >= 0:
            found[start : start + len(quote)] = b"\1" * len(quote)
    return share(sum(found), len(whole), "empty_context")
