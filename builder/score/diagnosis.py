"""Which layer broke: per failing case the earliest one that can be proven wrong.

Every layer looks at the same answer and says fine, broken, or not told. A passing case is never blamed. What nobody can
prove is `unknown`, with what is missing. A leak is named beside whatever else broke.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from builder.model.case import Case
from builder.model.record import Record
from builder.score.layers import LAYERS
from builder.score.layers.finding import Finding, Layer, Outcome, untold
from builder.score.layers.generation import obeyed
from builder.score.layers.hints import Hint, hints_for
from builder.score.layers.known import Known
from builder.score.layers.looked import Looked
from builder.score.layers.permission import leaked
from builder.score.records import AnswerScore
from builder.score.view import Stage, View


class Failure(StrEnum):
    """How an answer fails."""

    CALL = "call"
    """Nothing came back."""
    STATUS = "status"
    """Answered or refused where it may not."""
    ANSWER = "answer"
    """A claim is wrong, or not in the answer."""
    EVIDENCE = "evidence"
    """The evidence was not read, or not found, and nothing shows the answer to be right."""
    OBEYED = "obeyed"
    """An instruction that stands in a document was carried out."""
    CITATION = "citation"
    """The answer is not known to be wrong, its citations are."""
    ACCESS = "access"
    """Something came up that the user may not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Why one answer fails."""

    case_id: str
    """The case."""
    repeat: int
    """Which time it was asked."""
    failures: tuple[Failure, ...]
    """How it fails."""
    first: Finding
    """The earliest layer that is proven wrong; unknown where none is."""
    leak: Finding | None = None
    """What came up that the user may not read; stands beside `first`, and nothing makes up for it."""
    also: tuple[Finding, ...] = ()
    """Later layers that are proven wrong too."""
    hints: tuple[Hint, ...] = ()
    """What may have led to it."""

    @property
    def layer(self) -> Layer:
        """The layer to blame."""
        return self.first.layer

    @property
    def reason(self) -> str:
        """Why: a key below `score.blame.`."""
        return self.first.reason


class LayerCell(Record):
    """Cases that one layer is to blame for in one slice."""

    layer: Layer
    """The layer."""
    slice: str
    """The slice."""
    case_ids: tuple[str, ...]
    """The cases, by id."""


class LayerTable(Record):
    """Layers against slices."""

    by: str
    """What the slices are cut by."""
    failing: dict[str, int]
    """Failing cases by slice."""
    cells: tuple[LayerCell, ...]
    """By layer in their order, then by slice; empty ones are left out."""


def diagnose(view: View, score: AnswerScore | None = None, known: Known | None = None) -> Blame | None:
    """The blame for one answer; none where it is not known to fail.

    `known` is what stands beside the answer: the snapshot's documents, the map file of the system's chunks.
    """
    at = Looked(view=view, known=known or Known(), score=score)
    failures = failures_of(at)
    if not failures:
        return None
    findings = look_at(at)
    proven = [one for one in findings if one.outcome is Outcome.BROKEN and _may_cause(one.layer, failures)]
    first = proven[0] if proven else _unknown(findings)
    leak = next(filter(leaked, findings), None)
    return Blame(
        case_id=view.case.case_id,
        repeat=view.repeat,
        failures=failures,
        first=first,
        leak=leak,
        also=tuple(one for one in findings if one.outcome is Outcome.BROKEN and one is not first and one is not leak),
        hints=hints_for(at, first),
    )


def look_at(at: Looked) -> tuple[Finding, ...]:
    """What every layer says of one answer, failing or not. After a failed call nothing behind it can be looked at."""
    found: list[Finding] = []
    for look in LAYERS.values():
        found.append(look(at))
        if found[-1].layer is Layer.ENGINEERING and found[-1].outcome is Outcome.BROKEN:
            break
    return tuple(found)


def failures_of(at: Looked) -> tuple[Failure, ...]:
    """How an answer fails, as far as it is known."""
    return tuple(failure for failure, fails in _FAILS.items() if fails(at))


def _call(at: Looked) -> bool:
    return LAYERS[Layer.ENGINEERING](at).outcome is Outcome.BROKEN


def _status(at: Looked) -> bool:
    return at.misbehaved


def _answer(at: Looked) -> bool:
    return at.fails and not at.misbehaved


def _evidence(at: Looked) -> bool:
    """Where all claims are shown to be right, or it rightly did something else than answer, none was needed."""
    record = at.view.record
    if record is None or record.error is not None or at.shown_right or not at.wanted:
        return False
    if at.status is not None and at.status.value != "answer":
        return False
    if at.unread is not None:
        return bool(at.unread)
    last = next((stage for stage in reversed(Stage) if at.told(stage)), None)
    return last is not None and bool(at.absent(last))


def _obeyed(at: Looked) -> bool:
    return obeyed(at) is not None


def _citation(at: Looked) -> bool:
    return LAYERS[Layer.CITATION](at).outcome is Outcome.BROKEN


def _access(at: Looked) -> bool:
    return LAYERS[Layer.PERMISSION](at).outcome is Outcome.BROKEN


_FAILS: Mapping[Failure, Callable[[Looked], bool]] = {
    Failure.CALL: _call,
    Failure.STATUS: _status,
    Failure.ANSWER: _answer,
    Failure.EVIDENCE: _evidence,
    Failure.OBEYED: _obeyed,
    Failure.CITATION: _citation,
    Failure.ACCESS: _access,
}

_ANSWERING = frozenset({Failure.STATUS, Failure.ANSWER, Failure.EVIDENCE})
_BEFORE_ANSWER = frozenset({Layer.INGESTION, Layer.RETRIEVAL, Layer.RANKING, Layer.CONTEXT})


def _may_cause(layer: Layer, failures: Sequence[Failure]) -> bool:
    """Whether a broken layer explains how the answer fails: lost evidence explains no leak, a citation no claim."""
    if layer is Layer.CITATION:
        return not _ANSWERING & set(failures)
    if layer in _BEFORE_ANSWER:
        return bool(_ANSWERING & set(failures)) or Failure.CITATION in failures
    return True


def _unknown(findings: Sequence[Finding]) -> Finding:
    """Nothing is proven: what the first layer misses that could have been."""
    idle = (Layer.INGESTION, Layer.PERMISSION)
    missing = next((one for one in findings if one.outcome is Outcome.UNTOLD and one.layer not in idle), None)
    if missing is None:
        return untold(Layer.UNKNOWN, "nothing_proven")
    return replace(missing, layer=Layer.UNKNOWN)


def layer_table(
    blames: Iterable[Blame], cases: Mapping[str, Case], by: str, slices: Callable[[Case], Iterable[str]]
) -> LayerTable:
    """Layers against the slices that `slices` puts a case in. A case that fails in two repeats counts once a layer."""
    found: dict[tuple[Layer, str], set[str]] = {}
    failing: dict[str, set[str]] = {}
    for blame in blames:
        for name in slices(cases[blame.case_id]):
            found.setdefault((blame.layer, name), set()).add(blame.case_id)
            failing.setdefault(name, set()).add(blame.case_id)
    order = list(Layer)
    keys = sorted(found, key=lambda key: (order.index(key[0]), key[1]))
    cells = tuple(LayerCell(layer=key[0], slice=key[1], case_ids=tuple(sorted(found[key]))) for key in keys)
    return LayerTable(by=by, failing={name: len(failing[name]) for name in sorted(failing)}, cells=cells)
