"""What stands above and below an answer: header, progress, messages, keys, help."""

from collections import Counter
from collections.abc import Callable, Sequence

from builder.model.verdict import Verdict
from builder.review.answers.keys import BY_ACT, KEYS, Act, Key, caps
from builder.review.answers.state import NINE, State
from builder.review.state import Message, Word
from builder.review.strip import EMPTY, Strip, apart, fit, flat, span
from builder.text.screen import cells
from builder.words import Words


def header(state: State, say: Words, width: int) -> Strip:
    """Where one is and what was done."""
    counts = Counter(state.verdicts.values())
    left: Strip = (
        (f" {say('answers.title')}", "title"),
        (f"  {flat(state.run)}", ""),
        (f"  {flat(state.reviewer)}", "dim"),
    )
    shown = [verdict for verdict in Verdict if counts[verdict] or width >= 96]
    numbers = [f"{say(f'answers.verdict.{verdict}')} {counts[verdict]}" for verdict in shown]
    place = f"{min(state.index + 1, len(state.order)) if state.item else len(state.order)}/{len(state.order)}"
    return apart(left, (("  ".join(numbers), "dim"), (f"   {place} ", "strong")), width)


def progress(state: State, width: int) -> Strip:
    """A rule whose done part is drawn strong."""
    share = len(state.verdicts) / len(state.order) if state.order else 1.0
    done = min(width, round(share * width))
    return ((" " * done, "bar_done"), (" " * (width - done), "rule"))


def message(state: State, say: Words) -> Strip:
    """What was said last."""
    if state.message is None:
        return EMPTY
    return ((f" {spoken(state.message, say)}", str(state.message.tone)),)


def spoken(said: Message, say: Words) -> str:
    """A message in words."""
    values = {name: say(value.key) if isinstance(value, Word) else flat(value) for name, value in said.values.items()}
    return say(f"answers.said.{said.key}", **values)


def footer(state: State, say: Words, width: int) -> list[Strip]:
    """The keys that hold now, in two lines; help and quit are always there."""
    entries = [_entry(acts, label, say) for acts, label, holds in _FOOTER if holds(state)]
    always = [_entry((act,), str(act), say) for act in (Act.HELP, Act.QUIT)]
    rooms = [width - 2, width - 2 - sum(span(entry) + 3 for entry in always)]
    lines: list[list[Strip]] = [[], []]
    for entry in entries:
        line = 0 if not lines[1] and span(entry) + 3 <= rooms[0] else 1
        if span(entry) + 3 <= rooms[line]:
            rooms[line] -= span(entry) + 3
            lines[line].append(entry)
    return [_joined(lines[0], width), _joined(lines[1] + always, width)]


def help_lines(say: Words, width: int) -> list[Strip]:
    """All keys, in two columns."""
    column = (width - 2) // 2
    rows = [_help(key, say, column) for key in KEYS]
    half = (len(rows) + 1) // 2
    lines: list[Strip] = [((f" {say('review.help_title')}", "title"),), EMPTY]
    for number in range(half):
        right = rows[number + half] if number + half < len(rows) else EMPTY
        lines.append(((" ", ""), *rows[number], (" " * (column - span(rows[number])), ""), *right))
    return lines


def finished(state: State, say: Words) -> list[Strip]:
    """What is shown where nothing is left."""
    key = "finished" if state.order else "nothing_waits"
    return [EMPTY, ((f" {say(f'answers.{key}')}", "strong"),), EMPTY, ((f" {say('answers.finished_hint')}", "dim"),)]


def _any(state: State) -> bool:
    return state.item is not None


def _always(state: State) -> bool:
    return True


_FOOTER: tuple[tuple[tuple[Act, ...], str, Callable[[State], bool]], ...] = (
    ((Act.CORRECT,), "correct", _any),
    ((Act.WRONG,), "wrong", _any),
    ((Act.REFUSED_RIGHTLY,), "refused_rightly", _any),
    ((Act.REFUSED_WRONGLY,), "refused_wrongly", _any),
    ((Act.CLAIM,), "claim", lambda state: bool(state.claims)),
    ((Act.MORE_CLAIMS,), "more_claims", lambda state: len(state.claims) > NINE),
    ((Act.NOTE,), "note", _any),
    ((Act.SKIP,), "skip", _any),
    ((Act.UNDO,), "undo", _always),
    ((Act.NEXT, Act.PREVIOUS), "move", _always),
    ((Act.UP, Act.DOWN), "scroll", _any),
    ((Act.MARK_PREVIOUS, Act.MARK_NEXT), "mark", _any),
    ((Act.FOCUS,), "focus", _any),
    ((Act.JUMP,), "jump", _always),
)
"""Which keys the footer names, in order, under which word of `answers.key.`, and when."""


def _entry(acts: Sequence[Act], label: str, say: Words) -> Strip:
    shown = " ".join(caps(BY_ACT[act])[0] for act in acts)
    return ((shown, "key"), (f" {say(f'answers.key.{label}')}", ""))


def _joined(entries: list[Strip], width: int) -> Strip:
    line: Strip = ((" ", ""),)
    for number, entry in enumerate(entries):
        line += (("   ", ""),) if number else ()
        line += entry
    return fit(line, width)


def _help(key: Key, say: Words, width: int) -> Strip:
    shown = " ".join(caps(key))
    head = shown + " " * max(1, 13 - cells(shown))
    return fit(((head, "key"), (say(f"answers.help.{key.act}"), "")), width - 1)
