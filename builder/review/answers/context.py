"""What the model read: the context with evidence and citations marked, what it cites, what it did not read."""

from dataclasses import dataclass
from functools import lru_cache

from builder.review.answers.desk import Answer, Block, CitedPassage, Place
from builder.review.answers.state import State
from builder.review.strip import EMPTY, Mark, MarkedLine, Strip, fit, flat, marked, paragraph
from builder.words import Words

_GUTTER = 6
_PLACE: dict[Place, str] = {
    Place.CONTEXT: "dim",
    Place.RETRIEVED: "todo",
    Place.CORPUS: "todo",
    Place.NOWHERE: "reject",
}


@dataclass(frozen=True, slots=True)
class Context:
    """The lines of the right pane."""

    heading: Strip
    lines: list[Strip]
    anchor: int
    """The line to open at."""


def context(state: State, say: Words, width: int) -> Context:
    """The right pane for the answer at hand."""
    item = state.item
    if item is None:
        return Context(EMPTY, [], 0)
    lines = _head(item, say, width)
    places: list[tuple[int, bool]] = []
    for block in item.context:
        lines += [EMPTY] if lines else []
        body, begins = _block(block, width)
        places += [(len(lines) + at, gold) for at, gold in begins]
        lines += body
    return Context(_heading(item, say), lines, _anchor(state, places))


def _heading(item: Answer, say: Words) -> Strip:
    read = {mark.label for block in item.context for mark in block.marks if mark.gold}
    count = sum(map(len, item.case.evidence_groups))
    if not count:
        return ((say("answers.context_title"), "dim"),)
    style = "dim" if len(read) == count else "todo"
    return (
        (f"{say('answers.context_title')}   ", "dim"),
        (say("answers.evidence_read", read=len(read), count=count), style),
    )


def _head(item: Answer, say: Words, width: int) -> list[Strip]:
    """What is cited and what was not read: it is short and decides much, so it stands on top."""
    lines: list[Strip] = []
    for one in item.cited:
        lines += _cited(one, say, width)
    if item.record.citations is not None and not item.cited:
        lines.append(((f" {say('answers.cites_nothing')}", "dim"),))
    for lost in item.lost:
        head: Strip = ((f"{lost.label:>{_GUTTER - 2}}! ", "todo"), (say("answers.not_read"), "todo"))
        lines.append(fit((*head, (f"  {flat(lost.title)}", "dim")), width - 1))
        lines += paragraph(lost.quote, width - 1, "dim", indent=_GUTTER)
    if not any(block.text.strip() for block in item.context):
        lines.append(((f" {say('answers.no_context')}", "todo"),))
    return lines


def _cited(one: CitedPassage, say: Words, width: int) -> list[Strip]:
    name = flat(f"{one.title}  {one.id}" if one.title else one.id)
    facts: Strip = ((f"{say(f'answers.place.{one.place}')}  ", _PLACE[one.place]),)
    facts += ((f"{say('answers.cites_gold')}  ", "accept"),) if one.gold else ()
    return [fit(((f"{one.label:>{_GUTTER - 2}}  ", "strong"), *facts, (name, "")), width - 1)]


@lru_cache(maxsize=32)
def _block(block: Block, width: int) -> tuple[tuple[Strip, ...], tuple[tuple[int, bool], ...]]:
    """The lines of a text, and for each mark in reading order its line and whether it is evidence."""
    title: list[Strip] = [fit(((f" {flat(block.title)}", "strong"),), width - 1)] if block.title else []
    # Of marks that overlap the later one is drawn: evidence over what is cited.
    ordered = sorted(block.marks, key=lambda mark: (mark.gold, mark.start))
    drawn = [Mark(m.start, m.end, "evidence" if m.gold else "evidence_far", m.label) for m in ordered]
    body = marked(block.text, drawn, width - _GUTTER - 1)
    gold = {mark.label for mark in block.marks if mark.gold}
    begins = [(len(title) + at, label in gold) for at, line in enumerate(body) for label in line.labels]
    return (*title, *map(_guttered, body)), tuple(begins)


def _anchor(state: State, places: list[tuple[int, bool]]) -> int:
    """The line of the mark in focus; at first that of the first evidence, if the head leaves room for it."""
    if 0 <= state.focus < len(places):
        return places[state.focus][0]
    return 0


def _guttered(line: MarkedLine) -> Strip:
    labels = line.labels
    label = labels[0] if len(labels) == 1 else f"{labels[0][:-1]},{labels[-1][1:]}" if labels else ""
    bar = "|" if line.touched else ""
    return ((f"{label:>{_GUTTER - 2}}{bar}".ljust(_GUTTER)[:_GUTTER], "strong"), *line.strip)
