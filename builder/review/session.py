"""One review session: paint, read a key, do what it asks, until the user leaves."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from builder.errors import BuilderError, Conflict, InputError
from builder.review import acts, batch, blind, clash, core, filters, outcome, walking
from builder.review.claim_lines import ChecksOf, no_checks
from builder.review.desk import Desk
from builder.review.form import again, form, read
from builder.review.form_fields import Blank, numbered
from builder.review.rows import Row
from builder.review.state import (
    Ask,
    Commit,
    Compare,
    Draft,
    Effect,
    Find,
    Look,
    Message,
    Narrow,
    Open,
    Redo,
    Seek,
    State,
    Step,
    Sweep,
    Tone,
    Undo,
    Write,
)
from builder.review.summary import Summary, summarize
from builder.review.view import render
from builder.review.viewer import view
from builder.words import Words

_HITS = 9
"""Search results: one a digit."""
_WRITING = (Commit, Sweep, Undo, Redo)
"""Effects that write: where one is refused, something was not saved."""


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
    today: Callable[[], datetime] = datetime.now
    """The time of day."""
    view: Callable[[Path], bool] = view
    """The user's viewer of pictures; false where there is none."""
    expression: str = ""
    """The filter to begin with."""
    blind: bool = False
    """Verdicts of models and notes of others are hidden until the decision."""
    risks: tuple[str, ...] = ()
    """High-risk topics that a case may have."""
    checks_of: ChecksOf = no_checks
    """Proposes the checks of a claim that is new in a form."""
    printer: "Callable[[Session, State], State] | None" = None
    """How a state is shown; none: as a screen."""


def run(session: Session, guard: float = core.GUARD) -> Summary:
    """Walk the queue until the user leaves. Every decision is committed before the next painting."""
    begun, lacking, order = session.today(), session.desk.waiting(), session.desk.queue(session.expression)
    step = core.begin(
        session.desk.reviewer, order, session.clock(), guard, expression=session.expression, blind=session.blind
    )
    paint = session.printer or _painted
    session.terminal.open()
    try:
        state = _settled(session, step)
        if session.printer is None and state.item is not None and state.item.unsought:
            state = paint(session, state)  # the first screen waits for nothing that can come a moment later
        while not state.over:
            state = paint(session, _with_siblings(session, state))
            key = session.terminal.read()
            state = _settled(session, core.update(state, key, session.clock()))
    finally:
        session.terminal.close()
    incomplete = (lacking, session.desk.waiting())
    return summarize(state, session.clock(), begun=begun, ended=session.today(), incomplete=incomplete)


def _with_siblings(session: Session, state: State) -> State:
    item = state.item
    if item is None or not item.unsought:
        return state
    return replace(state, item=replace(item, siblings=session.desk.siblings_of(item.case), unsought=False))


def _painted(session: Session, state: State) -> State:
    columns, rows = session.terminal.size()
    frame = render(state, session.say, columns, rows)
    session.terminal.paint(frame.rows)
    state = outcome.painted(
        state, source_top=frame.source_top, fields_top=frame.fields_top, page=frame.page, top=frame.top
    )
    return replace(state, more=frame.more)


def _settled(session: Session, step: Step) -> State:
    """The state after an effect, and after those that it leads to."""
    state, effect = step
    while effect is not None:
        state, effect = _tried(session, state, effect)
    return state


def _tried(session: Session, state: State, effect: Effect) -> Step:
    """Do it; where it is refused, say why and keep what was typed."""
    draft = effect.draft if isinstance(effect, Commit) else None
    try:
        return _do(session, state, effect)
    except BuilderError as error:
        key = "refused" if isinstance(effect, _WRITING) else "cannot"
        refusal = Message(key, {"reason": error.line(session.say)}, Tone.WARN)
        state = outcome.failed(state, refusal, draft)
        if isinstance(error, Conflict) and isinstance(effect, Commit):
            return _clashed(session, state, effect), None
        return state, None


def _do(session: Session, state: State, effect: Effect) -> Step:
    """What writes, and what a person types."""
    match effect:
        case Commit():
            item = session.desk.commit(acts.case_of(state), effect.decisions)
            return outcome.committed(state, item, replace(effect, done=replace(effect.done, length=_length(state))))
        case Undo():
            return walking.undone(state, session.desk.undo())
        case Redo():
            return walking.undone(state, session.desk.redo(), again=True)
        case Sweep(chosen):
            done = session.desk.sweep(state.expression, chosen.case_ids, batch.decision(chosen))
            return batch.swept(state, chosen, done)
        case Ask():
            return _ask(session, state, effect)
        case Write():
            return _write(session, state)
        case _:
            return _fetch(session, state, effect)


def _fetch(session: Session, state: State, effect: Open | Seek | Narrow | Look | Compare | Find) -> Step:
    """What only reads."""
    match effect:
        case Open():
            return _open(session, state, effect)
        case Seek(case_id):
            return _seek(session, state, case_id)
        case Narrow(expression):
            return filters.narrowed(state, expression, session.desk.queue(expression))
        case Look():
            return _look(session, state)
        case Compare():
            return outcome.compared(state, session.desk.original(acts.case_of(state).case_id))
        case Find(query):
            return outcome.found(state, query, session.desk.search(query, _HITS)), None


def _ask(session: Session, state: State, effect: Ask) -> Step:
    begun = session.clock()
    line = session.terminal.ask(f" {session.say(f'review.ask.{effect.question}')}")
    state = outcome.away(state, begun, session.clock())
    if effect.question in walking.ANSWERS:
        return walking.ANSWERS[effect.question](state, (line or "").strip())
    return outcome.answered(state, effect.question, line)


def _open(session: Session, state: State, effect: Open) -> Step:
    """The case at a place of the queue; past it where somebody else looks at it and it is not wanted all the same."""
    case_id = state.order[effect.index]
    item = session.desk.load(case_id)
    if item.held_by and effect.by:
        return walking.passed(state, effect.index, case_id, effect.by)
    return walking.arrived(state, effect.index, item, _held(session, state), session.clock()), None


def _held(session: Session, state: State) -> tuple[str, ...]:
    held = session.desk.held()
    return tuple(set(held).intersection(state.order)) if held else ()


def _seek(session: Session, state: State, case_id: str) -> Step:
    try:
        return walking.sought(state, session.desk.load(case_id))
    except InputError:
        return walking.unknown(state, case_id)


def _look(session: Session, state: State) -> Step:
    """Show the page of the evidence in focus, or of the first offer."""
    passages = state.offers if state.offering or state.item is None else state.item.passages
    passage = passages[min(state.focus, len(passages) - 1)]
    path = session.desk.picture(passage.evidence)
    key = "picture" if session.view(path) else "picture_kept"
    return acts.told(state, Message(key, {"file": path}))


def _length(state: State) -> int:
    """Characters of question, answer, claims and quotes: what must be read at least."""
    case = acts.case_of(state)
    texts = (case.question, case.ground_truth, *(claim.text for claim in case.claims))
    return sum(map(len, (*texts, *(evidence.quote for evidence in case.evidence))))


def _write(session: Session, state: State) -> Step:
    """Let the user edit the form of the case at hand."""
    item = blind.seen(state)
    if item is None:
        return state, None
    draft = state.drafts.get(item.case.case_id)
    live = draft is not None and draft.revision == item.case.revision
    passages = draft.passages if draft and live else numbered(item, state.offers)
    sheet = Blank(item=item, passages=passages, risks=session.risks, checks_of=session.checks_of)
    before = form(sheet, session.say, draft.text if draft and not live else "")
    begun = session.clock()
    with session.terminal.suspended():
        after = session.edit(again(draft.text, session.say) if draft and live else before)
    state = outcome.away(state, begun, session.clock())
    if after is None:
        return outcome.failed(state, Message("editor_failed", tone=Tone.WARN)), None
    changed = read(before, after, sheet, session.say)
    return outcome.written(state, changed, Draft(text=after, revision=item.case.revision, passages=passages))


def _clashed(session: Session, state: State, mine: Commit) -> State:
    """The case as somebody else left it, with both versions; what was typed is kept."""
    case = acts.case_of(state)
    theirs, item = session.desk.since(case), session.desk.load(case.case_id)
    fresh = walking.arrived(state, state.index, item, state.held, session.clock())
    return clash.clashed(replace(fresh, drafts=state.drafts), item, theirs, mine)
