"""What supports it: the passages around the evidence, or passages to choose from."""

from dataclasses import dataclass

from builder.model.case import Case
from builder.review.desk import Item, Passage
from builder.review.negatives import reason_of
from builder.review.state import State
from builder.review.strip import EMPTY, Mark, MarkedLine, Strip, apart, fit, flat, marked
from builder.words import Words

_GUTTER = 6
_EXCERPT = (2, 8)
"""Fewest and most lines of an offer."""
_SIBLING = 3
"""Lines of a sibling."""


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of the source pane."""

    heading: Strip
    """What is shown."""
    lines: list[Strip]
    """All lines."""
    anchor: int
    """The line to open at."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Passages that lie in the same text."""

    passages: tuple[tuple[int, Passage], ...]
    """With their place among the evidence, from 0."""


def source(state: State, say: Words, width: int, height: int) -> Source:
    """The source pane for the item at hand; offers are cut so that they fill about `height` lines."""
    if state.item is None:
        return Source((), [], 0)
    if state.offering:
        return _offers(state, state.item.case, say, (width, height))
    lines: list[Strip] = []
    anchor = 0
    labels = _labels(state.item.case)
    for block in _blocks(state.item.passages):
        lines += [EMPTY] if lines else []
        begin = len(lines)
        body, first = _block(block, labels, state.focus, say, width)
        lines += body
        if any(number == state.focus for number, _ in block.passages):
            anchor = begin + first
    heading = say("review.source_title", number=min(state.focus + 1, len(labels)), count=len(labels))
    more: Strip = ()
    if siblings := state.item.siblings:
        lines += _siblings(state.item, say, width)
        more = ((f"  {say('review.siblings', count=len(siblings))}", "todo"),)
    return Source(((heading, "dim"), *more), lines, anchor)


def _siblings(item: Item, say: Words, width: int) -> list[Strip]:
    """Passages that hold the answer too, numbered."""
    lines: list[Strip] = [EMPTY, ((f" {say('review.siblings_title')}", "todo"),)]
    for number, passage in enumerate(item.siblings, 1):
        lines += [EMPTY, *_offer(number, passage, item.case, say, (width, _SIBLING))]
    return lines


def stacked(item: Item, say: Words, width: int) -> list[Strip]:
    """All passages of a case below each other, the first piece of evidence in focus."""
    lines: list[Strip] = []
    for block in _blocks(item.passages):
        lines += _block(block, _labels(item.case), 0, say, width)[0]
    return lines


def where(passage: Passage, say: Words) -> str:
    """Document, pages and section of a passage, in one line."""
    parts = [flat(passage.title), pages(passage.pages, say), flat(" > ".join(passage.section))]
    return "  ".join(part for part in parts if part)


def pages(numbers: tuple[int, ...], say: Words) -> str:
    """Page numbers in words; empty where there are none."""
    if not numbers:
        return ""
    first, last = numbers[0], numbers[-1]
    return say("review.page", page=first) if first == last else say("review.pages", first=first, last=last)


def _labels(case: Case) -> list[str]:
    """1, 2, … by group; alternatives of a group are 1a and 1b."""
    labels: list[str] = []
    for number, group in enumerate(case.evidence_groups, 1):
        letters = [""] if len(group) == 1 else [chr(ord("a") + place % 26) for place in range(len(group))]
        labels += [f"{number}{letter}" for letter in letters]
    return labels


def _blocks(passages: tuple[Passage, ...]) -> list[_Block]:
    blocks: dict[tuple[str, str, str], list[tuple[int, Passage]]] = {}
    for number, passage in enumerate(passages):
        key = (passage.evidence.doc_id, passage.evidence.reading_id, passage.text)
        blocks.setdefault(key, []).append((number, passage))
    return [_Block(tuple(members)) for members in blocks.values()]


def _block(block: _Block, labels: list[str], focus: int, say: Words, width: int) -> tuple[list[Strip], int]:
    """Lines of one text, and the line where the evidence in focus begins."""
    lines: list[Strip] = [fit(((f" {where(block.passages[0][1], say)}", "strong"),), width)]
    for number, passage in block.passages:
        if not passage.marks:
            lines.append(((f" [{labels[number]}]! {say('review.quote_lost')}", "todo"),))
    marks = [mark for number, passage in block.passages for mark in _marks(number, passage, labels, focus)]
    marks.sort(key=lambda mark: (mark.style == "evidence", mark.start))
    body = marked(block.passages[0][1].text, marks, width - _GUTTER - 1)
    chosen = f"[{labels[focus]}]" if focus < len(labels) else ""
    first = next((place for place, line in enumerate(body) if chosen in line.labels), 0)
    at = len(lines) + first
    return lines + [_guttered(line) for line in body], at


def _marks(number: int, passage: Passage, labels: list[str], focus: int) -> list[Mark]:
    style = "evidence" if number == focus else "evidence_far"
    return [
        Mark(start, end, style, f"[{labels[number]}]" if place == 0 else "")
        for place, (start, end) in enumerate(passage.marks)
    ]


def _guttered(line: MarkedLine) -> Strip:
    label = line.labels[0] if len(line.labels) == 1 else _joined(line.labels)
    bar = "|" if line.touched else ""
    return ((f"{label:>{_GUTTER - 2}}{bar}".ljust(_GUTTER), "strong"), *line.strip)


def _joined(labels: tuple[str, ...]) -> str:
    """Several pieces of evidence that begin on one line; the gutter holds the first and the last."""
    return f"{labels[0][1:-1]},{labels[-1][1:-1]}" if labels else ""


def _offers(state: State, case: Case, say: Words, size: tuple[int, int]) -> Source:
    lines: list[Strip] = []
    fewest, most = _EXCERPT
    room = min(most, max(fewest, size[1] // max(1, len(state.offers)) - 2))
    for number, passage in enumerate(state.offers, 1):
        lines += [EMPTY] if lines else []
        lines += _offer(number, passage, case, say, (size[0], room))
    if not state.offers:
        lines = [((f" {say('review.no_offers')}", "dim"),)]
    key = "found_title" if state.query else "offers_title"
    warning: Strip = () if case.evidence else ((f"{say('review.without_evidence')}  ", "todo"),)
    return Source((*warning, (say(f"review.{key}", query=flat(state.query)), "dim")), lines, 0)


def _standing(passage: Passage, case: Case, say: Words) -> Strip:
    """What a passage is to the case already."""
    if passage.evidence in case.evidence:
        return ((f"{say('review.chosen')}  ", "accept"),)
    reason = reason_of(case, passage.evidence)
    if reason is None:
        return ()
    return ((f"{say('review.negative_chosen', reason=say(f'review.negative.{reason}'))}  ", "reject"),)


def _densest(body: list[MarkedLine], room: int) -> int:
    """Where the excerpt of `room` lines begins that shows the most marked text; the first one of equals."""
    weights = [sum(len(text) for text, style in line.strip if style) for line in body]
    starts = range(max(1, len(body) - room + 1))
    return max(starts, key=lambda start: sum(weights[start : start + room]))


def _offer(number: int, passage: Passage, case: Case, say: Words, size: tuple[int, int]) -> list[Strip]:
    width, room = size
    score = "" if passage.score is None else str(passage.score)
    head: Strip = ((f" {number}  ", "key"), (where(passage, say), "strong"))
    lines = [apart(head, (*_standing(passage, case, say), (score, "dim"), (" ", "")), width)]
    body = marked(passage.text, [Mark(start, end, "evidence") for start, end in passage.marks], width - 6)
    first = _densest(body, room)
    shown = body[first : first + room]
    for place, line in enumerate(shown):
        before = "   …" if place == 0 and first > 0 else "    "
        after = "…" if place == len(shown) - 1 and first + len(shown) < len(body) else ""
        lines.append(((before, "dim"), *line.strip, (after, "dim")))
    return lines
