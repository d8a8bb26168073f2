"""What one layer has to say of one answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Layer(StrEnum):
    """The layers of a system, in the order in which they can spoil an answer."""

    GOLDEN = "golden"
    """The case itself: the ruler is wrong."""
    ENGINEERING = "engineering"
    """The call failed; no other layer can be looked at."""
    INGESTION = "ingestion"
    RETRIEVAL = "retrieval"
    RANKING = "ranking"
    CONTEXT = "context"
    PERMISSION = "permission"
    """Between context and answer: what the user may not read stood there."""
    GENERATION = "generation"
    REFUSAL = "refusal"
    CITATION = "citation"
    UNKNOWN = "unknown"
    """The case fails, and no layer can be proven wrong."""


class Outcome(StrEnum):
    """What is said of a layer."""

    FINE = "fine"
    BROKEN = "broken"
    """Proven wrong."""
    UNTOLD = "untold"
    """The run does not tell enough."""
    IDLE = "idle"
    """Nothing to look at: the case asks nothing of this layer, or an earlier one left it nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One layer of one answer."""

    layer: Layer
    """The layer."""
    outcome: Outcome
    """What is said of it."""
    reason: str = ""
    """Why: a key below `score.blame.`; empty where it is fine or idle."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What the reason speaks of, for its words."""

    @property
    def key(self) -> str:
        """The words for its reason."""
        return f"score.blame.{self.reason}"


def fine(layer: Layer) -> Finding:
    """Nothing is wrong with a layer."""
    return Finding(layer=layer, outcome=Outcome.FINE)


def idle(layer: Layer) -> Finding:
    """Nothing is asked of a layer."""
    return Finding(layer=layer, outcome=Outcome.IDLE)


def broken(layer: Layer, reason: str, **values: object) -> Finding:
    """A layer is proven wrong."""
    return Finding(layer=layer, outcome=Outcome.BROKEN, reason=reason, values=_texts(values))


def untold(layer: Layer, reason: str, **values: object) -> Finding:
    """A layer cannot be judged, since something is not told."""
    return Finding(layer=layer, outcome=Outcome.UNTOLD, reason=reason, values=_texts(values))


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
