"""One session: print, read a key, do what it asks, until the person leaves. Line by line, on every terminal."""

from dataclasses import dataclass, replace
from typing import Protocol

from builder.errors import BuilderError, Conflict, InputError
from builder.model.case import ReviewState
from builder.review.desk import Desk
from builder.review.pool.core import update
from builder.review.pool.lines import prompt, told
from builder.review.pool.state import Arrive, Commit, Effect, Judged, Said, State, Undo, Unjudged, is_judged
from builder.words import Words


class Lines(Protocol):
    """Where keys come from and lines go: `line_mode.LineTerminal`."""

    prompt: str
    """What stands before the next line."""
    bare: str
    """The key that an empty line is."""

    def size(self) -> tuple[int, int]:
        """Columns and rows."""

    def write(self, lines: tuple[str, ...]) -> None:
        """Print lines."""

    def read(self) -> str:
        """The key that a line names; `hangup` at the end of input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session works with."""

    desk: Desk
    """Cases in, decisions out."""
    terminal: Lines
    """Keys in, lines out."""
    say: Words
    """The user's language."""


def run(session: Session, order: tuple[Unjudged, ...]) -> State:
    """Show the passages until the person leaves. Every judgement is committed before the next line is printed."""
    state = _settled(session, State(order=order), Arrive(0)) if order else State(order=(), over=True)
    before: State | None = None
    while not state.over:
        session.terminal.write(told(state, before, session.say, session.terminal.size()[0]))
        session.terminal.prompt, session.terminal.bare = prompt(state, session.say)
        before = state
        state = _settled(session, *update(state, session.terminal.read()))
    return state


def _settled(session: Session, state: State, effect: Effect) -> State:
    try:
        match effect:
            case Commit():
                return _committed(session, state, effect)
            case Undo():
                return _undone(session, state)
            case Arrive():
                return _arrived(session, state, effect.place)
    except Conflict:
        return _arrived(session, replace(state, said=(Said("conflict"),)), state.place)
    except BuilderError as error:
        return replace(state, said=(Said("refused", {"reason": error.line(session.say)}),))
    return state


def _committed(session: Session, state: State, wish: Commit) -> State:
    if state.item is None:
        return state
    case = state.item.case
    after = session.desk.commit(case, (wish.decision,)).case
    said = [Said(wish.kind.value, {"case": case.case_id})]
    if case.review_state is ReviewState.APPROVED and after.review_state is ReviewState.UNREVIEWED:
        said.append(Said("reopened"))
    state = replace(state, done=(*state.done, Judged(state.place, wish.kind)), said=tuple(said))
    return _arrived(session, state, state.place + 1)


def _undone(session: Session, state: State) -> State:
    """The reviewer's last act is taken back; it may be one that was done elsewhere meanwhile."""
    cases = session.desk.undo()
    if not cases:
        return replace(state, said=(Said("nothing_to_undo"),))
    said = (Said("undone", {"case": cases[0]}),)
    last = state.done[-1]
    if state.order[last.place].case_id not in cases:
        return _arrived(session, replace(state, said=said), state.place)
    return _arrived(session, replace(state, said=said, done=state.done[:-1]), last.place)


def _arrived(session: Session, state: State, place: int) -> State:
    """At the first passage from `place` on that still waits; cases that others look at are passed by."""
    said = state.said
    passed: set[str] = set()
    while place < len(state.order):
        case_id = state.order[place].case_id
        if case_id not in passed:
            try:
                item = session.desk.load(case_id)
            except InputError:
                passed.add(case_id)
                continue
            if item.held_by:
                passed.add(case_id)
                said = (*said, Said("held", {"case": case_id, "who": item.held_by}))
            elif item.case.review_state is not ReviewState.REJECTED and not is_judged(
                item.case, state.order[place].passage
            ):
                same = state.item is not None and state.item.case.case_id == case_id
                group = state.group if same and state.group < len(item.case.evidence_groups) else 0
                return replace(state, place=place, item=item, group=group, said=said)
        place += 1
    return replace(state, place=len(state.order), item=None, group=0, said=(*said, Said("finished")))
