"""A narrower queue: what is typed on the bottom line, and the state that follows."""

from dataclasses import replace

from builder.review.acts import told
from builder.review.state import Message, Narrow, Open, State, Step, Tone


def asked(state: State, line: str) -> Step:
    """What was typed: an expression, or nothing, which clears the filter."""
    if not line and not state.expression:
        return told(state, Message("cancelled"))
    return state, Narrow(line)


def narrowed(state: State, expression: str, order: tuple[str, ...]) -> Step:
    """The state with the queue of a filter; the case at hand stays where it is one of it."""
    if expression and not order:
        return told(state, Message("filter_empty", {"text": expression}, Tone.WARN))
    said = (
        Message("filtered", {"count": len(order)}) if expression else Message("filter_cleared", {"count": len(order)})
    )
    case_id = state.item.case.case_id if state.item else ""
    state = replace(state, order=order, expression=expression, message=said)
    if case_id in order:
        return replace(state, index=order.index(case_id)), None
    if not order:
        return replace(state, item=None, index=0), None
    decided, skipped = state.verdicts, set(state.skipped)
    fresh = (place for place, one in enumerate(order) if one not in decided and one not in skipped)
    return state, Open(next(fresh, 0), by=1)
