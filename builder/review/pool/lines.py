"""The session as lines of plain text: the case, the passage, what was said, one prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.review.negatives import REASON_KEYS, REASONS
from builder.review.plain import bracketed, plain
from builder.review.pool.core import KEYS, OTHER
from builder.review.pool.state import Kind, Said, State, Unjudged
from builder.review.source import where
from builder.review.strip import Mark, flat, marked
from builder.text.screen import cells
from builder.words import Words

_WIDEST = 100
_GUTTER = "    "
_BRACKETS = 4


def told(state: State, before: State | None, say: Words, columns: int) -> tuple[str, ...]:
    """What is new since `before`."""
    return tuple(_new(state, before, say, max(20, min(_WIDEST, columns))))


def _new(state: State, before: State | None, say: Words, width: int) -> Iterator[str]:
    yield from (_said(one, say) for one in state.said)
    at, item = state.at, state.item
    if at is None or item is None:
        return
    if before is None or before.item is None or before.item.case.case_id != item.case.case_id:
        yield from ("", *plain(item, say, width))
    if before is None or before.item != item or before.place != state.place:
        yield from ("", *_passage(state, at, say, width))
    if state.reason:
        pairs = zip(REASON_KEYS, REASONS, strict=True)
        yield say("pool.why", keys="  ".join(f"{key} {say(f'review.negative.{reason}')}" for key, reason in pairs))


def _passage(state: State, at: Unjudged, say: Words, width: int) -> Iterator[str]:
    passage = at.passage
    yield f" {say('pool.passage', number=state.place + 1, count=len(state.order))}   {where(passage, say)}"
    whole = passage.marks == ((0, len(passage.text)),)
    marks = [] if whole else [Mark(start, end, "evidence") for start, end in passage.marks]
    body = marked(passage.text, marks, width - len(_GUTTER) - _BRACKETS)
    yield from bracketed([((_GUTTER, ""), *line.strip) for line in body])
    groups = len(state.item.case.evidence_groups) if state.item else 0
    if groups > 1:
        yield f" {say('pool.joins', group=state.group + 1, count=groups)}"


def _said(one: Said, say: Words) -> str:
    if one.key == "keys":
        return "\n".join(f"  {key:<4}{say(f'pool.key.{_NAMES[key]}')}" for key in (*KEYS[:3], "1-9", *KEYS[3:]))
    return say(f"pool.said.{one.key}", **{name: flat(str(value)) for name, value in one.values.items()})


_NAMES = {
    "a": "also",
    "n": "needed",
    "x": "wrong",
    "1-9": "group",
    "s": "skip",
    "u": "undo",
    "?": "help",
    "q": "quit",
}


def prompt(state: State, say: Words) -> tuple[str, str]:
    """The keys that hold now, and the key that an empty line is."""
    if state.reason:
        return f"{say('pool.why_prompt')}> ", OTHER
    if state.at is None or state.item is None:
        return f"{say('pool.title')} [u,q]> ", ""
    digits = ["1-9"] if len(state.item.case.evidence_groups) > 1 else []
    return f"{say('pool.title')} {flat(state.at.case_id)} [{','.join((*KEYS[:3], *digits, *KEYS[3:]))}]> ", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of a run, before and after."""

    run: str
    """The run."""
    name: str
    """The metric."""
    before: float | None
    """None: nothing could be measured."""
    after: float | None
    n_before: int
    """Cases that it rested on."""
    n_after: int
    """Cases that it rests on."""


def summary(
    state: State, figures: Sequence[Figure], notes: Mapping[str, int], reviewer: str, say: Words
) -> tuple[str, ...]:
    """What was judged, what is to be known (`notes`: keys below `pool.note.` with counts), and the figures."""
    rows = [(say(f"pool.kind.{kind}"), sum(one.kind is kind for one in state.done)) for kind in Kind]
    rows.append((say("pool.left"), len(state.order) - len({one.place for one in state.done})))
    column = max(cells(label) for label, _ in rows) + 2
    shown = [f"   {label}{' ' * (column - cells(label))}{count:>4}" for label, count in rows]
    told_notes = [f" {say(f'pool.note.{key}', count=count)}" for key, count in notes.items() if count]
    return (
        f" {say('pool.head', reviewer=flat(reviewer))}",
        "",
        *shown,
        "",
        *_table(figures, say),
        "",
        *told_notes,
        f" {say('pool.measured')}",
        f" {say('pool.saved')}",
    )


def _table(figures: Sequence[Figure], say: Words) -> Iterator[str]:
    wide = max((cells(flat(one.run)) for one in figures), default=0)
    for one in figures:
        run = flat(one.run)
        n = str(one.n_after) if one.n_before == one.n_after else f"{one.n_before} → {one.n_after}"
        change = f"{_number(one.before):>6} → {_number(one.after):<6}"
        yield f"   {run}{' ' * (wide - cells(run))}  {one.name:<18}{change}  n {n}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
