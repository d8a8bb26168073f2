"""One session of the review of answers: paint, read a key, do what it asks, until the user leaves."""

from collections.abc import Callable
from dataclasses import dataclass

from builder.errors import BuilderError
from builder.review.answers import core, outcome
from builder.review.answers.desk import AnswerDesk
from builder.review.answers.state import Ask, Effect, Judge, Open, Redo, State, Step, Undo
from builder.review.answers.summary import Summary, summarize
from builder.review.answers.view import render
from builder.review.core import GUARD
from builder.review.session import Terminal
from builder.review.state import Message, Tone
from builder.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session works with."""

    desk: AnswerDesk
    """Answers in, verdicts out."""
    terminal: Terminal
    """Keys in, rows out."""
    say: Words
    """The user's language."""
    clock: Callable[[], float]
    """Seconds, never going back."""


def run(session: Session, guard: float = GUARD) -> Summary:
    """Walk the queue until the user leaves. Every act is committed before the next painting."""
    desk = session.desk
    step = core.begin(desk.reviewer, desk.run, desk.queue(), session.clock(), guard)
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
    return outcome.painted(state, context_top=frame.context_top, fields_top=frame.fields_top, page=frame.page)


def _settled(session: Session, step: Step) -> State:
    """The state after an effect, and after those that it leads to."""
    state, effect = step
    while effect is not None:
        state, effect = _tried(session, state, effect)
    return state


def _tried(session: Session, state: State, effect: Effect) -> Step:
    """Do it; where it is refused, say why."""
    try:
        return _do(session, state, effect)
    except BuilderError as error:
        return outcome.failed(state, Message("refused", {"reason": error.line(session.say)}, Tone.WARN)), None


def _do(session: Session, state: State, effect: Effect) -> Step:
    match effect:
        case Open(index):
            item = session.desk.load(state.order[index])
            return outcome.opened(state, index, item, session.clock()), None
        case Judge() if state.item is not None:
            return outcome.judged(state, session.desk.judge(state.item, effect.saying), effect)
        case Undo():
            return outcome.undone(state, session.desk.undo())
        case Redo():
            return outcome.undone(state, session.desk.redo(), again=True)
        case Ask(question):
            line = session.terminal.ask(f" {session.say(f'answers.ask.{question}')}")
            return outcome.answered(outcome.away(state, session.clock()), question, line)
        case _:
            return state, None
