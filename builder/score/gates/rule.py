"""What a rule over single answers is: it looks at one of them and says what it sees."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from builder.model.case import Status
from builder.model.gate import GateKind
from builder.model.verdict import Verdict
from builder.score.gates.settings import CaseGate
from builder.score.view import View


class Sight(StrEnum):
    """What a rule sees in an answer."""

    FINE = "fine"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    """Nobody can tell: never fine."""
    ASIDE = "aside"
    """The rule does not speak of such cases."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen, and why; `why` is a key of the word lists below `gates.case.`."""

    sight: Sight
    why: str = ""


FINE, ASIDE = Seen(Sight.FINE), Seen(Sight.ASIDE)


def broken(why: str) -> Seen:
    """The rule is broken."""
    return Seen(Sight.BROKEN, why)


def unknown(why: str) -> Seen:
    """Nobody can tell."""
    return Seen(Sight.UNKNOWN, why)


@dataclass(frozen=True, slots=True)
class Ask:
    """How a rule is asked."""

    gate: CaseGate
    """The gate as the workspace set it."""
    verdicts: Mapping[tuple[str, int], Verdict] = field(default_factory=dict)
    """What people say of whole answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule over single answers."""

    name: str
    """As gates files name it."""
    kind: GateKind
    """hard or manual."""
    look: Callable[[View, Ask], Seen]
    """What it sees in one answer."""


def status_of(view: View) -> Status | None:
    """What the system did: as told, else told from the words of the answer."""
    return view.status or (view.record.status if view.record else None)


def verdict_of(view: View, ask: Ask) -> Verdict | None:
    """What a person says of the whole answer."""
    return view.verdict or ask.verdicts.get((view.case.case_id, view.repeat))


def answered(view: View) -> bool:
    """The call gave an answer, whatever it is."""
    return view.record is not None and view.record.error is None and view.record.answer is not None
