"""What keys do to the review of answers: `update(state, key, now)`, as in `review.core`. No screen, store or clock."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from builder.model.verdict import Judgement, Verdict
from builder.review.answers.desk import Key
from builder.review.answers.keys import BY_NAME, Act
from builder.review.answers.state import NINE, Ask, Judge, Open, Pane, Question, Redo, State, Step, Undo
from builder.review.core import GUARD, HELD, IDLE
from builder.review.keys import cap
from builder.review.state import Message, Times, Tone, Word

_TURN: dict[Judgement, Judgement] = {
    Judgement.UNDECIDED: Judgement.RIGHT,
    Judgement.RIGHT: Judgement.WRONG,
    Judgement.WRONG: Judgement.UNDECIDED,
}
"""What a digit makes of a claim."""


def begin(reviewer: str, run: str, order: tuple[Key, ...], now: float, guard: float = GUARD) -> Step:
    """The state before the first answer, and the wish to see it."""
    times = Times(begun=now, at=now, shown=now)
    state = State(reviewer=reviewer, run=run, order=order, guard=guard, times=times, verdicts={})
    return (state, Open(0)) if order else (state, None)


def update(state: State, key: str, now: float) -> Step:
    """What `key` (a name from `keys.decode`), pressed at `now` (seconds), does."""
    early = _early(state, key, now)
    state = _ticked(state, key, now)
    if key in ("ctrl-c", "hangup"):
        return replace(state, over=True), None
    if early or key == "resize":
        return state, None
    state = replace(state, message=None)
    if state.helping:
        return replace(state, helping=False), None
    return _view(state, key)


def told(state: State, key: str, **values: object) -> Step:
    """Nothing is done but to say something."""
    return replace(state, message=Message(key, values)), None


def onward(state: State) -> Step:
    """To the next answer without a verdict, then to the skipped ones, then to the end."""
    count = len(state.order)
    ring = [(state.index + step) % count for step in range(1, count + 1)] if count else []
    fresh = (at for at in ring if state.order[at] not in state.verdicts and state.order[at] not in state.skipped)
    later = (at for at in ring if state.order[at] in state.skipped)
    target = next(fresh, next(later, None))
    return (state, Open(target)) if target is not None else (replace(state, item=None), None)


def _early(state: State, key: str, now: float) -> bool:
    """A key that decides, typed before the answer could be read, or held down."""
    row, times = BY_NAME.get(key), state.times
    if row is None or not row.decides or state.helping:
        return False
    rest = state.guard * (1 if row.act is Act.CLAIM else HELD)
    held = key == times.pressed and now - times.pressed_at < rest
    return held or now - times.shown < state.guard


def _ticked(state: State, key: str, now: float) -> State:
    times = replace(state.times, at=now, spent=state.times.spent + min(max(0.0, now - state.times.at), IDLE))
    row = BY_NAME.get(key)
    if row is not None and row.decides:
        times = replace(times, pressed=key, pressed_at=now)
    return replace(state, times=times)


def _view(state: State, key: str) -> Step:
    row = BY_NAME.get(key)
    if row is None:
        return replace(state, message=_unknown(key)), None
    if row.act in _ALWAYS:
        return _ALWAYS[row.act](state)
    if state.item is None:
        return told(state, "nothing_here")
    if row.act is Act.CLAIM:
        return _claim(state, int(key))
    return _WITH_ITEM[row.act](state)


def _unknown(key: str) -> Message:
    if key == "paste":
        return Message("paste", tone=Tone.WARN)
    if len(key) == 1 and unicodedata.east_asian_width(key) in "WF":
        return Message("input_method", tone=Tone.WARN)
    return Message("unknown_key", {"key": cap(key)})


def _verdict(verdict: Verdict) -> Callable[[State], Step]:
    def judge(state: State) -> Step:
        values = {"case": _at_hand(state).case_id, "verdict": Word(f"answers.verdict.{verdict}")}
        saying = replace(state.saying, verdict=verdict)
        return state, Judge(saying=saying, said=Message("judged", values), onward=True)

    return judge


def _claim(state: State, digit: int) -> Step:
    """Right, then wrong, then undecided again."""
    place = state.claims_from + digit - 1
    if place >= len(state.claims):
        return told(state, "no_such_claim", count=len(state.claims))
    known = dict(state.saying.claims)
    turned = _TURN[known.pop(place, Judgement.UNDECIDED)]
    if turned is not Judgement.UNDECIDED:
        known[place] = turned
    values = {"number": digit, "judgement": Word(f"answers.judgement.{turned}")}
    return state, Judge(
        saying=replace(state.saying, claims=tuple(sorted(known.items()))), said=Message("claim_judged", values)
    )


def noted(state: State, text: str) -> Step:
    """Write a note; what is empty takes it away."""
    if state.item is None or text == state.saying.note:
        return told(state, "cancelled")
    said = Message("noted" if text else "note_gone")
    return state, Judge(saying=replace(state.saying, note=text), said=said)


def jumped(state: State, text: str) -> Step:
    """To a number of the queue, or to the first answer to the one case whose id begins so."""
    if text.isdecimal() and 1 <= int(text) <= len(state.order):
        return state, Open(int(text) - 1)
    fits = [place for place, key in enumerate(state.order) if key.case_id.startswith(text)]
    if len({state.order[place].case_id for place in fits}) == 1:
        return state, Open(fits[0])
    return replace(state, message=Message("no_such_case", {"text": text}, Tone.WARN)), None


def _more_claims(state: State) -> Step:
    if len(state.claims) <= NINE:
        return told(state, "no_more_claims")
    first = state.claims_from + NINE
    return replace(state, claims_from=first if first < len(state.claims) else 0, fields_top=0), None


def _skip(state: State) -> Step:
    key = _at_hand(state)
    skipped = (*(other for other in state.skipped if other != key), key)
    return onward(replace(state, skipped=skipped, message=Message("skipped", {"case": key.case_id})))


def _move(by: int) -> Callable[[State], Step]:
    def move(state: State) -> Step:
        # Behind the end of the queue "previous" is the answer that was there last.
        index = state.index + by if state.item else state.index if by < 0 else len(state.order)
        if 0 <= index < len(state.order):
            return state, Open(index)
        return told(state, "last" if by > 0 else "first")

    return move


def _scroll(lines: int = 0, pages: int = 0) -> Callable[[State], Step]:
    def scroll(state: State) -> Step:
        by = lines + pages * max(1, state.page - 1)
        if state.pane is Pane.FIELDS:
            return replace(state, fields_top=max(0, state.fields_top + by)), None
        return replace(state, context_top=max(0, (state.context_top or 0) + by)), None

    return scroll


def _mark(by: int) -> Callable[[State], Step]:
    def move(state: State) -> Step:
        count = sum(len(block.marks) for block in state.item.context) if state.item else 0
        if count == 0:
            return told(state, "no_marks")
        first = 0 if by > 0 else count - 1
        focus = (state.focus + by) % count if state.focus >= 0 else first
        return replace(state, focus=focus, context_top=None, pane=Pane.CONTEXT), None

    return move


def _focus(state: State) -> Step:
    other = Pane.FIELDS if state.pane is Pane.CONTEXT else Pane.CONTEXT
    return told(replace(state, pane=other), f"focus_{other}")


def _at_hand(state: State) -> Key:
    return state.order[state.index]


_ALWAYS: dict[Act, Callable[[State], Step]] = {
    Act.UNDO: lambda state: (state, Undo()),
    Act.REDO: lambda state: (state, Redo()),
    Act.NEXT: _move(1),
    Act.PREVIOUS: _move(-1),
    Act.JUMP: lambda state: (state, Ask(Question.JUMP)),
    Act.HELP: lambda state: (replace(state, helping=True), None),
    Act.QUIT: lambda state: (replace(state, over=True), None),
}
_WITH_ITEM: dict[Act, Callable[[State], Step]] = {
    Act.CORRECT: _verdict(Verdict.CORRECT),
    Act.WRONG: _verdict(Verdict.WRONG),
    Act.REFUSED_RIGHTLY: _verdict(Verdict.REFUSED_RIGHTLY),
    Act.REFUSED_WRONGLY: _verdict(Verdict.REFUSED_WRONGLY),
    Act.MORE_CLAIMS: _more_claims,
    Act.NOTE: lambda state: (state, Ask(Question.NOTE)),
    Act.SKIP: _skip,
    Act.DOWN: _scroll(lines=1),
    Act.UP: _scroll(lines=-1),
    Act.PAGE_DOWN: _scroll(pages=1),
    Act.PAGE_UP: _scroll(pages=-1),
    Act.MARK_NEXT: _mark(1),
    Act.MARK_PREVIOUS: _mark(-1),
    Act.FOCUS: _focus,
}
