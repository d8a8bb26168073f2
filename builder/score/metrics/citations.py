"""Whether answers cite, and what. All by ids and texts: that a passage supports a sentence is not looked at."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from builder.model.case import Status
from builder.score.markers import Marker, markers, without_markers
from builder.score.metrics.metric import (
    Figures,
    Metric,
    accepted,
    failure,
    none,
    number,
    share,
    status,
    tells,
    worst,
)
from builder.score.records import Value
from builder.score.view import Cited, View
from builder.text.numbers import quantities
from builder.text.sentences import sentences

_HIGHER = (
    "citation_coverage",
    "sentence_citation_share",
    "citation_id_validity",
    "required_citations",
    "citation_gold_precision",
    "citation_group_recall",
    "citation_numbers_lexical",
)
_LOWER = ("citation_dangling", "citation_not_retrieved", "citation_wrong_version")
_SOURCE = "own; structural checks in the manner of ALCE (Gao et al. 2023), without its entailment model"


def metrics() -> tuple[Metric, ...]:
    """Figures of citations."""
    return (
        *(Metric(name=name, key=name, layer="citation", source=_SOURCE, family=citations) for name in _HIGHER),
        *(
            Metric(
                name=name,
                key=name,
                layer="citation",
                source=_SOURCE,
                family=citations,
                better="lower",
                safety=name == "citation_dangling",
            )
            for name in _LOWER
        ),
    )


def citations(view: View) -> Figures:
    """Figures of the citations of one answer; refusals and other answers that are none have none."""
    failed = failure(view)
    if view.citations is None and not tells(view, "citations"):
        return dict.fromkeys((*_HIGHER, *_LOWER), none("not_told"))
    if failed:
        return _failed(view, failed)
    cited = view.citations or ()
    return {
        "citation_coverage": _coverage(view, cited),
        "sentence_citation_share": _sentences(view, cited),
        **_valid(view, cited),
        **_gold(view, cited),
        "required_citations": _required(view, cited),
        "citation_numbers_lexical": _numbers(view, cited),
    }


def _failed(view: View, failed: str) -> Figures:
    why = _left_out(view)
    low, high = (none(why), none(why)) if why else (worst(0.0, failed), worst(1.0, failed))
    gold = none(view.excluded or "no_evidence") if view.excluded or not view.groups else low
    return {
        **dict.fromkeys(_HIGHER, low),
        **dict.fromkeys(_LOWER, high),
        "citation_gold_precision": gold,
        "citation_group_recall": gold,
        "required_citations": low if view.case.required_citations else none("no_required"),
        "citation_dangling": none(failed),
    }


def _left_out(view: View) -> str:
    """Why a case asks for no citation."""
    if view.excluded == "expired":
        return "expired"
    return "" if Status.ANSWER in accepted(view) else "unanswerable"


def _answered(view: View) -> str:
    """Why there is no answer to be cited for; empty where there is one."""
    why = _left_out(view)
    return why or ("" if status(view) is Status.ANSWER else "not_answered")


def _coverage(view: View, cited: Sequence[Cited]) -> Value:
    why = _answered(view)
    return none(why) if why else number(float(bool(cited)))


def _valid(view: View, cited: Sequence[Cited]) -> dict[str, Value]:
    """Whether ids exist: in the snapshot, or among what was retrieved."""
    if not cited:
        return dict.fromkeys(("citation_id_validity", *_LOWER), none("no_citation"))
    untold = not view.stages
    blind = untold and any(not one.known and one.citation.id == one.citation.marker for one in cited)
    there = sum(one.known or bool(one.places) for one in cited)
    foreign = sum(one.known and not one.places for one in cited)
    return {
        "citation_id_validity": none("not_told") if blind else number(there / len(cited)),
        "citation_dangling": none("not_told") if blind else number(1 - there / len(cited)),
        "citation_not_retrieved": none("not_told") if untold else number(foreign / len(cited)),
        "citation_wrong_version": number(sum(one.wrong_version for one in cited) / len(cited)),
    }


def _gold(view: View, cited: Sequence[Cited]) -> dict[str, Value]:
    """Whether they are the evidence."""
    why = view.excluded or ("" if view.groups else "no_evidence") or _answered(view)
    if why:
        return dict.fromkeys(("citation_gold_precision", "citation_group_recall"), none(why))
    counts = {target for group in view.groups for target in group}
    right = sum(not one.hits.isdisjoint(counts) for one in cited)
    held = {target for one in cited for target in one.hits}
    return {
        "citation_gold_precision": share(right, len(cited), "no_citation"),
        "citation_group_recall": number(sum(not held.isdisjoint(group) for group in view.groups) / len(view.groups)),
    }


def _required(view: View, cited: Sequence[Cited]) -> Value:
    if not view.case.required_citations:
        return none("no_required")
    why = _answered(view)
    if why:
        return none(why)
    met = {place for one in cited for place in one.required}
    return number(len(met) / len(view.case.required_citations))


# Sentences


def _sentences(view: View, cited: Sequence[Cited]) -> Value:
    """Sentences with a mark / sentences that state something; only where marks stand in the answer."""
    why = _answered(view)
    if why:
        return none(why)
    found = tuple(_marked(view, cited))
    if cited and not any(marks for _, marks in found):
        return none("no_markers")
    return share(sum(bool(marks) for _, marks in found), len(found), "no_sentence")


def _marked(view: View, cited: Sequence[Cited]) -> Iterator[tuple[str, list[str]]]:
    """The statements of an answer with the marks that stand in or right behind them."""
    answer = (view.record.answer if view.record else None) or ""
    marks = [*markers(answer), *_told_marks(answer, cited)]
    found: list[tuple[str, list[str]]] = []
    for start, end in sentences(answer):
        inside = [mark for mark in marks if start <= mark.start < end]
        plain = answer[start:end]
        for mark in sorted(inside, reverse=True):
            plain = plain[: mark.start - start] + plain[max(0, mark.end - start) :]
            if found and _only_marks(answer, start, mark, marks):
                found[-1][1].append(mark.text)
                inside.remove(mark)
        if _states(plain):
            found.append((plain, [mark.text for mark in inside]))
        elif found and inside:
            found[-1][1].extend(mark.text for mark in inside)
    yield from found


def _only_marks(answer: str, start: int, mark: Marker, marks: Sequence[Marker]) -> bool:
    """Nothing but other marks stands between the beginning of a sentence and this one."""
    before = answer[start : mark.start]
    for other in marks:
        if start <= other.start and other.end <= mark.start:
            before = before.replace(other.text, "")
    return not before.strip()


def _told_marks(answer: str, cited: Sequence[Cited]) -> Iterator[Marker]:
    """Marks of a form of its own that the system tells with its citations."""
    known = {mark.start for mark in markers(answer)}
    for text in {one.citation.marker for one in cited if one.citation.marker}:
        at = answer.find(text)
        while at >= 0:
            if at not in known:
                yield Marker(at, at + len(text), text)
            at = answer.find(text, at + len(text))


def _states(sentence: str) -> bool:
    """A statement: words, no question, and no heading or lead to a list."""
    plain = sentence.strip().rstrip("\"'”’）)")
    return any(ch.isalnum() for ch in plain) and plain[-1] not in "?？:：" and not plain.startswith("#")


# Numbers


def _numbers(view: View, cited: Sequence[Cited]) -> Value:
    """Numbers of the answer that stand in a passage cited for their sentence / numbers of such sentences.

    A look at words: that the passage says the same of the same thing is not known.
    """
    why = _answered(view)
    if why:
        return none(why)
    texts = {one.citation.marker or one.citation.id: text for one in cited if (text := _text(view, one))}
    if not texts:
        return none("no_text" if cited else "no_citation")
    said = stands = 0
    found = tuple(_marked(view, cited))
    by_sentence = any(marks for _, marks in found)
    for sentence, marks in found:
        held = [texts[mark] for mark in marks if mark in texts] if by_sentence else list(texts.values())
        if not held:
            continue
        known = {figure for text in held for figure in _figures(text)}
        asked = _figures(without_markers(sentence))
        said += len(asked)
        stands += sum(figure in known for figure in asked)
    return share(stands, said, "no_numbers")


def _figures(text: str) -> list[tuple[Decimal, str]]:
    return [(found.value, found.unit) for found in quantities(text)]


def _text(view: View, one: Cited) -> str | None:
    """The text of a cited passage, where anybody tells it."""
    items = (place.item for places in view.stages.values() for place in places if place.item.id == one.citation.id)
    return next((item.text for item in items if item.text), None) or one.text
