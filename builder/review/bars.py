"""What stands above and below a case: header, progress, messages, keys, reject reasons, help."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from builder.model.case import ReviewState
from builder.review.acts import lacking
from builder.review.core import REASONS
from builder.review.desk import Item
from builder.review.keys import BY_ACT, KEYS, Act, caps
from builder.review.state import Doing, Message, Mode, State, Word
from builder.review.strip import EMPTY, Strip, apart, fit, flat, span
from builder.text.screen import cells, clip
from builder.words import Words

_RECENT = 20
"""Decisions that the minutes left are estimated from."""
_TWO = 76
"""From here on the keys stand in two columns."""
_ENOUGH = 5
"""Fewer decisions than this say nothing about the pace."""

Condition = Callable[[State], bool]


def header(state: State, say: Words, width: int, *, pace: bool) -> Strip:
    """Where one is and what was done; with `pace` also the minutes left, once they can be told."""
    counts = Counter(state.verdicts.values())
    dataset = flat(state.item.case.dataset) if state.item else ""
    left: Strip = ((f" {say('review.title')}", "title"), (f"  {dataset}", ""), (f"  {flat(state.reviewer)}", "dim"))
    numbers = [_pace(state, say)] if pace and len(_seconds(state)) >= _ENOUGH else []
    numbers += [
        say("review.count.approved", count=counts[Doing.APPROVE]),
        say("review.count.rejected", count=counts[Doing.REJECT]),
        say("review.count.skipped", count=len(state.skipped)),
    ]
    place = f"{state.index + 1}/{len(state.order)}" if state.item else f"{len(state.order)}/{len(state.order)}"
    right: Strip = (("  ".join(numbers), "dim"), (f"   {place} ", "strong"))
    return apart(left, right, width)


def progress(state: State, say: Words, width: int) -> Strip:
    """A rule whose done part is drawn strong; no glyphs, so that it is as wide as it should be everywhere.

    The filter stands on it, and how many cases others look at.
    """
    facts = [say("review.filter", text=flat(state.expression))] if state.expression else []
    facts += [say("review.count.held", count=len(state.held))] if state.held else []
    told = clip(f" {'   '.join(facts)} ", width - 2) if facts else ""
    free = width - cells(told)
    share = min(1.0, len(state.verdicts) / len(state.order)) if state.order else 1.0
    done = round(share * free)
    return ((told, "todo rule"), (" " * done, "bar_done"), (" " * (free - done), "rule"))


def message(state: State, say: Words) -> Strip:
    """What was said last, else what is still missing."""
    if state.message:
        return ((f" {spoken(state.message, say)}", str(state.message.tone)),)
    if state.item and (fields := lacking(state)):
        names = tuple(Word(f"review.field.{name}") for name in fields)
        return ((f" {spoken(Message('hint_incomplete', {'fields': names}), say)}", "todo"),)
    return EMPTY


def spoken(said: Message, say: Words) -> str:
    """A message in words."""
    return say(f"review.said.{said.key}", **{name: _value(value, say) for name, value in said.values.items()})


def footer(state: State, say: Words, width: int) -> list[Strip]:
    """The keys that hold now, in at most two lines; help and quit are always there."""
    entries = [_entry(acts, label, say) for acts, label in valid(state)]
    always = [_entry((act,), str(act), say) for act in (Act.HELP, Act.QUIT)]
    return _packed(entries, always, width)


def valid(state: State) -> list[tuple[tuple[Act, ...], str]]:
    """The acts that can be done now, the first ones matter most, each with its word below `review.key.`."""
    return [(acts, label) for acts, label, holds in _FOOTER if holds(state)]


def reasons(state: State, say: Words, width: int) -> list[Strip]:
    """The reject reasons with their digits."""
    case_id = flat(state.item.case.case_id) if state.item else ""
    many = state.mode is Mode.BATCH_REASON and state.batch is not None
    title = say("review.batch.title", count=len(state.batch.case_ids)) if many and state.batch else ""
    head = apart(
        ((f" {title or say('review.choose_reason', case=case_id)}", "reject"),),
        (("Esc ", "key"), (f"{say('review.cancel')} ", "")),
        width,
    )
    names = [say(f"reject.{reason}") for reason in REASONS]
    column = max(map(cells, names)) + 5
    across = max(1, (width - 1) // column)
    rows = [names[start : start + across] for start in range(0, len(names), across)]
    lines = [head]
    for number, row in enumerate(rows):
        line: Strip = ((" ", ""),)
        for place, name in enumerate(row, number * across + 1):
            line += ((str(place), "key"), (f" {name}", ""), (" " * (column - 2 - cells(name)), ""))
        lines.append(line)
    return lines


def help_lines(say: Words, width: int) -> list[Strip]:
    """All keys, in two columns where there is room."""
    across = 2 if width >= _TWO else 1
    column = (width - 2) // across
    cells_of = [_help_cell(place, say, column) for place in range(len(KEYS))]
    half = (len(cells_of) + across - 1) // across
    lines: list[Strip] = [((f" {say('review.help_title')}", "title"),), EMPTY]
    for number in range(half):
        right = cells_of[number + half] if number + half < len(cells_of) else EMPTY
        lines.append(((" ", ""), *cells_of[number], (" " * (column - span(cells_of[number])), ""), *right))
    return lines


def finished(state: State, say: Words) -> list[Strip]:
    """What is shown where nothing is left."""
    key = "finished" if state.order else "nothing_waits"
    lines: list[Strip] = [EMPTY, ((f" {say(f'review.{key}')}", "strong"),), EMPTY]
    if state.held:
        lines += [((f" {say('review.held', count=len(state.held))}", "todo"),), EMPTY]
    return [*lines, ((f" {say('review.finished_hint')}", "dim"),)]


def _value(value: object, say: Words) -> str:
    if isinstance(value, Word):
        return say(value.key)
    if isinstance(value, tuple):
        return say("review.comma").join(_value(part, say) for part in value)
    return flat(value)


def _seconds(state: State) -> list[float]:
    verdicts = (Doing.APPROVE, Doing.REJECT)
    return [done.seconds for done in state.done if done.doing in verdicts and not done.others][-_RECENT:]


def _pace(state: State, say: Words) -> str:
    typical = median(_seconds(state))
    left = max(0, len(state.order) - len(state.verdicts))
    return say("review.pace", seconds=max(1, round(typical)), minutes=max(1, round(typical * left / 60)))


def _always(state: State) -> bool:
    return True


def _has(condition: Callable[[State, Item], bool]) -> Condition:
    return lambda state: state.item is not None and condition(state, state.item)


def _waits(item: Item) -> bool:
    return item.case.review_state is ReviewState.NEEDS_ANSWER


def _can_alternate(state: State, item: Item) -> bool:
    return bool(item.case.evidence) if state.offering else len(item.case.evidence) > 1


_any = _has(lambda state, item: True)
_FOOTER: tuple[tuple[tuple[Act, ...], str, Condition], ...] = (
    ((Act.APPROVE,), "approve", _has(lambda state, item: not lacking(state))),
    ((Act.EDIT,), "fill", _has(lambda state, item: _waits(item))),
    ((Act.PIN,), "pin", _has(lambda state, item: state.offering and bool(state.offers))),
    ((Act.PIN,), "sibling", _has(lambda state, item: not state.offering and bool(item.siblings))),
    ((Act.REJECT,), "reject", _any),
    ((Act.EDIT,), "edit", _has(lambda state, item: not _waits(item))),
    ((Act.SKIP,), "skip", _any),
    ((Act.UNDO,), "undo", _always),
    ((Act.NEXT, Act.PREVIOUS), "move", _always),
    ((Act.UNANSWERABLE,), "unanswerable", _has(lambda state, item: item.case.answerable)),
    ((Act.RIGHT,), "right", _has(lambda state, item: bool(item.case.rejected_output))),
    ((Act.SEARCH,), "search", _any),
    ((Act.UP, Act.DOWN), "scroll", _any),
    ((Act.EVIDENCE_PREVIOUS, Act.EVIDENCE_NEXT), "evidence", _has(lambda state, item: len(item.passages) > 1)),
    ((Act.NOTE,), "note", _any),
    ((Act.ALTERNATIVE,), "alternative", _has(_can_alternate)),
    ((Act.NEGATIVE,), "negative", _has(lambda state, item: bool(state.offers if state.offering else item.siblings))),
    ((Act.DIFFERENCE,), "difference", _has(lambda state, item: item.case.revision > 1)),
    ((Act.REVEAL,), "reveal", _has(lambda state, item: state.blind)),
    ((Act.PICTURE,), "picture", _has(lambda state, item: bool(item.passages))),
    ((Act.FILTER,), "filter", _always),
    ((Act.BATCH,), "batch", lambda state: bool(state.expression)),
    ((Act.JUMP,), "jump", _always),
)
"""Which keys the footer names, in order, under which word of `review.key.`, and when."""


def _entry(acts: Sequence[Act], label: str, say: Words) -> Strip:
    shown = " ".join(caps(BY_ACT[act])[0] for act in acts)
    return ((shown, "key"), (f" {say(f'review.key.{label}')}", ""))


def _packed(entries: list[Strip], always: list[Strip], width: int) -> list[Strip]:
    """Two lines with as many entries as fit beside those that are always there; the first ones matter most."""
    lines: list[list[Strip]] = [[], []]
    rooms = [width - 2, width - 2 - sum(span(entry) + 3 for entry in always)]
    for entry in entries:
        line = 0 if not lines[1] and span(entry) + 3 <= rooms[0] else 1
        if span(entry) + 3 <= rooms[line]:
            rooms[line] -= span(entry) + 3
            lines[line].append(entry)
    lines[1] += always
    return [_line(line, width) for line in lines]


def _line(entries: list[Strip], width: int) -> Strip:
    line: Strip = ((" ", ""),)
    for number, entry in enumerate(entries):
        line += (("   ", ""),) if number else ()
        line += entry
    return fit(line, width)


def _help_cell(place: int, say: Words, width: int) -> Strip:
    key = KEYS[place]
    shown = " ".join(caps(key))
    head = _pad(shown, 13)
    return fit(((head, "key"), (say(f"review.help.{key.act}"), "")), width - 1)


def _pad(text: str, width: int) -> str:
    return text + " " * max(1, width - cells(text))
