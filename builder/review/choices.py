"""What stands in place of the keys while a passage or a reason is being chosen."""

from collections.abc import Callable, Sequence

from builder.review.groups import group_of, numbered
from builder.review.negatives import REASON_KEYS, REASONS
from builder.review.state import Mode, State
from builder.review.strip import Piece, Strip, apart, fit, flat
from builder.text.screen import cells
from builder.words import Words

_SHORT = 24
"""Cells of a title that names a passage."""


def listed(head: str, rows: Sequence[tuple[str, str]], say: Words, width: int) -> list[Strip]:
    """A question, and below it keys and what each means, in columns."""
    column = max((cells(name) for _, name in rows), default=0) + 5
    across = max(1, (width - 1) // column)
    lines = [_head(head, say, width)]
    for start in range(0, len(rows), across):
        line: Strip = ((" ", ""),)
        for key, name in rows[start : start + across]:
            line += ((key, "key"), (f" {name}", ""), (" " * max(0, column - 2 - cells(name)), ""))
        lines.append(line)
    return lines


def _head(text: str, say: Words, width: int) -> Strip:
    cancel: tuple[Piece, ...] = (("Esc ", "key"), (f"{say('review.cancel')} ", ""))
    return apart(((f" {text}", "strong"),), cancel, width)


def _alternative(state: State, say: Words, width: int) -> list[Strip]:
    groups = state.item.case.evidence_groups if state.item else ()
    number = group_of(groups, state.focus) + 1
    return _passages(say("review.choose_alternative", number=number), state, say, width)


def _mark(state: State, say: Words, width: int) -> list[Strip]:
    return _passages(say("review.choose_negative"), state, say, width)


def _passages(head: str, state: State, say: Words, width: int) -> list[Strip]:
    rows = [(str(number), flat(passage.title)) for number, passage in enumerate(numbered(state), 1)]
    short = [(key, "".join(text for text, _ in fit(((title, ""),), _SHORT))) for key, title in rows]
    return listed(head, short, say, width)


def _reason(state: State, say: Words, width: int) -> list[Strip]:
    title = flat(state.picked.title) if state.picked else ""
    rows = [(key, say(f"review.negative.{reason}")) for key, reason in zip(REASON_KEYS, REASONS, strict=True)]
    return listed(say("review.choose_negative_reason", title=title), rows, say, width)


CHOICES: dict[Mode, Callable[[State, Words, int], list[Strip]]] = {
    Mode.ALTERNATIVE: _alternative,
    Mode.MARK: _mark,
    Mode.NEGATIVE: _reason,
}
"""By what is being chosen."""
