"""Two versions of a decision: what somebody else did meanwhile, and what was about to be done. Nothing is lost."""

from dataclasses import replace

from builder.model.decision import Action, Decision
from builder.review.desk import Deed, Item
from builder.review.state import Clash, Commit, Message, Mode, State, Tone
from builder.review.strip import EMPTY, Strip, flat, paragraph
from builder.words import Words

_LINES = 4
"""Lines that a value may take."""
_QUIET = frozenset({"review_state", "reject_reason", "disabled_reason", "checks"})
"""Fields that say nothing beside the action."""


def clashed(state: State, item: Item, theirs: tuple[Deed, ...], mine: Commit) -> State:
    """The case as the others left it, with both versions before it."""
    state = replace(state, item=item, mode=Mode.CLASH, top=0, clash=Clash(theirs=theirs, mine=mine))
    return replace(state, message=Message("conflict", tone=Tone.WARN))


def closed(state: State) -> State:
    """Back to the case."""
    return replace(state, mode=Mode.VIEW, clash=None)


def lines(state: State, say: Words, width: int) -> list[Strip]:
    """Both versions, below each other."""
    if state.clash is None or state.item is None:
        return []
    found: list[Strip] = [((f" {say('review.clash.title', case=flat(state.item.case.case_id))}", "warn"),), EMPTY]
    found.append(((f" {say('review.clash.theirs')}", "dim"),))
    for deed in state.clash.theirs:
        head = f"{deed.at.astimezone():%H:%M}  {flat(deed.who)}  {_action(deed.action, say)}"
        found += paragraph(
            f"{head}  {_why(deed.reason, say)}".rstrip(), width - 2, "strong", first=(("  ", ""),), indent=2
        )
        found += _fields(dict(deed.after), say, width)
    found += [EMPTY, ((f" {say('review.clash.mine')}", "dim"),)]
    for decision in state.clash.mine.decisions:
        head = f"{flat(state.reviewer)}  {_action(decision.action, say)}  {_reason(decision, say)}".rstrip()
        found += paragraph(head, width - 2, "strong", first=(("  ", ""),), indent=2)
        found += _fields(decision.changes, say, width)
    kept = any(decision.action is Action.EDIT for decision in state.clash.mine.decisions)
    note = say("review.clash.kept") if kept else say("review.clash.again")
    return [*found, EMPTY, *paragraph(note, width - 2, "todo", first=((" ", ""),), indent=1)]


def _fields(values: dict[str, object], say: Words, width: int) -> list[Strip]:
    found: list[Strip] = []
    for name, value in values.items():
        if name not in _QUIET:
            label: Strip = ((f"    {_field(name, say)}  ", "dim"),)
            found += paragraph(_value(value, say), width - 2, first=label, indent=6)[:_LINES]
    return found


def _field(name: str, say: Words) -> str:
    key = f"review.field.{name}"
    return say(key) if key in say else name


def _value(value: object, say: Words) -> str:
    """Text as it is; of records that hold texts, those."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return str(value).lower() if value is not None else "-"
    if isinstance(value, list | tuple):
        return say("review.comma").join(_value(one, say) for one in value) or "-"
    told = value if isinstance(value, dict) else getattr(value, "model_dump", dict)()
    return str(next((told[name] for name in ("text", "quote") if name in told), value))


def _action(action: str, say: Words) -> str:
    key = f"review.action.{action}"
    return say(key) if key in say else action


def _reason(decision: Decision, say: Words) -> str:
    return _why(": ".join(part for part in (decision.reason or "", decision.text) if part), say)


def _why(reason: str, say: Words) -> str:
    """A reason code in words, and what was written behind it."""
    code, _, text = reason.partition(": ")
    key = f"reject.{code}"
    return " ".join(part for part in (say(key) if code and key in say else code, text) if part)
