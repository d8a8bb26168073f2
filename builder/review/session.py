"""One review session: paint, read a key, do what it asks, until the user leaves."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from builder.errors import BuilderError, Conflict
from builder.review import acts, core, outcome
from builder.review.desk import Desk
from builder.review.form import form, read
from builder.review.state import Ask, Commit, Effect, Find, Message, Open, Redo, State, Step, Tone, Undo
from builder.review.summary import Summary, summarize
from builder.review.view import Row, render
from builder.words import Words

_HITS = 9
"""Search results: one a digit."""


class Terminal(Protocol):
    """Where keys come from and rows go."""

    def open(self) -> None:
        """Take the screen."""

    def close(self) -> None:
        """Give it back."""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""

    def paint(self, rows: tuple[Row, ...]) -> None:
        """Draw these rows from the top."""

    def read(self) -> str:
        """Wait for a key and give its name; `resize` asks for a new painting."""

    def ask(self, prompt: str) -> str | None:
        """One line of text; none where it was cancelled."""

    def suspended(self) -> AbstractContextManager[None]:
        """The normal screen for another program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session works with."""

    desk: Desk
    """Cases in, decisions out."""
    terminal: Terminal
    """Keys in, rows out."""
    say: Words
    """The user's language."""
    edit: Callable[[str], str | None]
    """The user's editor: text in, text out, none where it failed."""
    clock: Callable[[], float]
    """Seconds, never going back."""


def run(session: Session, guard: float = core.GUARD) -> Summary:
    """Walk the queue until the user leaves. Every decision is committed before the next painting."""
    step = core.begin(session.desk.reviewer, session.desk.queue(), session.clock(), guard)
    session.terminal.open()
    try:
        state = _settled(session, step)
        while not state.over:
            state = _painted(session, state)
            key = session.terminal.read()
            state = _settled(session, core.update(state, key, session.clock()))
    finally:
        session.terminal.close()
    return summarize(state, session.clock())


def _painted(session: Session, state: State) -> State:
    columns, rows = session.terminal.size()
    frame = render(state, session.say, columns, rows)
    session.terminal.paint(frame.rows)
    return outcome.painted(state, source_top=frame.source_top, fields_top=frame.fields_top, page=frame.page)


def _settled(session: Session, step: Step) -> State:
    """The state after an effect, and after those that it leads to."""
    state, effect = step
    while effect is not None:
        state, effect = _tried(session, state, effect)
    return state


def _tried(session: Session, state: State, effect: Effect) -> Step:
    """Do it; where it is refused, say why and keep what was typed."""
    draft = effect.draft if isinstance(effect, Commit) else ""
    try:
        return _do(session, state, effect)
    except BuilderError as error:
        refusal = Message("refused", {"reason": error.line(session.say)}, Tone.WARN)
        state = outcome.failed(state, refusal, draft)
        if isinstance(error, Conflict) and isinstance(effect, Commit):
            return _reloaded(session, state), None
        return state, None


def _do(session: Session, state: State, effect: Effect) -> Step:
    match effect:
        case Open(index):
            item = session.desk.load(state.order[index])
            return outcome.opened(state, index, item, session.clock()), None
        case Commit():
            item = session.desk.commit(acts.case_of(state), effect.decisions)
            return outcome.committed(state, item, effect)
        case Undo():
            return outcome.undone(state, session.desk.undo())
        case Redo():
            return outcome.undone(state, session.desk.redo(), again=True)
        case Find(query):
            return outcome.found(state, query, session.desk.search(query, _HITS)), None
        case Ask():
            return _ask(session, state, effect)
        case _:
            return _write(session, state)


def _ask(session: Session, state: State, effect: Ask) -> Step:
    begun = session.clock()
    line = session.terminal.ask(f" {session.say(f'review.ask.{effect.question}')}")
    return outcome.answered(outcome.away(state, begun, session.clock()), effect.question, line)


def _write(session: Session, state: State) -> Step:
    """Let the user edit the form of the case at hand."""
    item = state.item
    if item is None:
        return state, None
    before = form(item, session.say, state.draft)
    begun = session.clock()
    with session.terminal.suspended():
        after = session.edit(before)
    state = outcome.away(state, begun, session.clock())
    if after is None:
        return outcome.failed(state, Message("editor_failed", tone=Tone.WARN)), None
    changed = read(before, after, item.case, session.say)
    return outcome.written(state, changed.changes, changed.emptied, after)


def _reloaded(session: Session, state: State) -> State:
    """The case as somebody else left it, with the message and the draft."""
    if state.item is None:
        return state
    item = session.desk.load(state.item.case.case_id)
    draft = state.draft
    state = outcome.opened(state, state.index, item, session.clock())
    return outcome.failed(state, Message("conflict", tone=Tone.WARN), draft)
