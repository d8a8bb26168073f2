"""One case from its question to the verdict of each layer: what `score --case` shows."""

from collections.abc import Iterator

from pydantic import Field

from builder.model.record import Record
from builder.model.verdict import ClaimVerdict
from builder.score.diagnosis import diagnose, failures_of, look_at
from builder.score.layers.finding import Finding
from builder.score.layers.known import Known
from builder.score.layers.looked import Looked
from builder.score.records import AnswerScore
from builder.score.view import Cited, Place, Stage, View
from builder.text.quotes import find_quote
from builder.text.sentences import sentences


class Standing(Record):
    """One piece of evidence and where it stands."""

    group: int
    """Its group, from 0: all groups are needed."""
    doc_id: str
    """Its document."""
    quote: str
    """Its words."""
    counts: bool
    """The case's user may read it."""
    ranks: dict[str, int | None]
    """Its best rank in each stage that is told; none where it does not stand there."""
    missing: tuple[str, ...] = ()
    """What the text that was read has lost of it; empty where nothing is, or no text is told."""


class Link(Record):
    """One passage of a stage, or one citation."""

    id: str
    """The system's id."""
    rank: int | None = None
    """From 1; none for a citation."""
    doc_id: str | None = None
    """Its document, where it is known."""
    holds: tuple[int, ...] = ()
    """The groups of evidence that it holds."""
    marks: tuple[str, ...] = ()
    """unknown, wrong_version, forbidden, or the reason of a hard negative."""


class Verdict(Record):
    """What is said of one layer."""

    layer: str
    """The layer."""
    outcome: str
    """fine, broken, untold, idle."""
    key: str = ""
    """The words for the reason."""
    values: dict[str, str] = Field(default_factory=dict)
    """What they speak of."""


class Chain(Record):
    """The whole of it."""

    case_id: str
    """The case."""
    repeat: int
    """Which time it was asked."""
    question: str
    """What was asked."""
    query: str | None
    """What was searched for, where it is another text."""
    reference: str
    """The reference answer."""
    evidence: tuple[Standing, ...]
    """The evidence, group by group."""
    stages: dict[str, tuple[Link, ...]]
    """What stood in each stage that is told."""
    text: str | None
    """What the model read."""
    marked: tuple[tuple[int, int], ...]
    """Where the evidence stands in that text, in order."""
    answer: str | None
    """What it answered."""
    status: str
    """What it did; empty where that is not known."""
    claims: tuple[ClaimVerdict, ...]
    """What is known of the claims."""
    citations: tuple[Link, ...] | None
    """What it cites; none where that is not told."""
    failures: tuple[str, ...]
    """How it fails; empty where it is not known to."""
    layers: tuple[Verdict, ...]
    """What is said of each layer, in order."""
    blame: Verdict | None
    """The layer to blame."""
    hints: tuple[tuple[str, dict[str, str]], ...] = ()
    """What may have led to it: words and what they speak of."""


def chain(view: View, score: AnswerScore | None = None, known: Known | None = None) -> Chain:
    """One answer, layer by layer."""
    at = Looked(view=view, known=known or Known(), score=score)
    record = view.record
    blame = diagnose(view, score, known)
    query = record.rewritten_query if record else None
    return Chain(
        case_id=view.case.case_id,
        repeat=view.repeat,
        question=view.case.question,
        query=query if query != view.case.question else None,
        reference=view.case.ground_truth,
        evidence=tuple(_evidence(at)),
        stages={stage.value: tuple(map(_place, at.places(stage))) for stage in Stage if at.told(stage)},
        text=at.text,
        marked=_marked(at),
        answer=record.answer if record else None,
        status=at.status.value if at.status else "",
        claims=view.claims,
        citations=None if view.citations is None else tuple(map(_cited, view.citations)),
        failures=tuple(failure.value for failure in failures_of(at)),
        layers=tuple(map(_verdict, look_at(at))),
        blame=_verdict(blame.first) if blame else None,
        hints=tuple((hint.key, dict(hint.values)) for hint in blame.hints) if blame else (),
    )


def _evidence(at: Looked) -> Iterator[Standing]:
    counting = {target for group in at.wanted for target in group}
    numbers = {target: number for number, group in enumerate(at.wanted) for target in group}
    for group, alternatives in enumerate(at.view.case.evidence_groups):
        for place, evidence in enumerate(alternatives):
            target = (group, place)
            loss = at.losses.get(numbers[target]) if target in counting else None
            yield Standing(
                group=group,
                doc_id=evidence.doc_id,
                quote=evidence.quote,
                counts=target in counting,
                ranks={
                    stage.value: min((one.rank for one in at.places(stage) if target in one.hits), default=None)
                    for stage in Stage
                    if at.told(stage)
                },
                missing=loss.words if loss else (),
            )


def _marked(at: Looked) -> tuple[tuple[int, int], ...]:
    """The evidence in the text that was read, sentence by sentence where it is not there as a whole."""
    if not at.text:
        return ()
    found: set[tuple[int, int]] = set()
    for target in (target for group in at.wanted for target in group):
        quote = at.evidence(target).quote
        whole = find_quote(quote, at.text)
        pieces = [quote] if whole else [quote[start:end] for start, end in sentences(quote)]
        found |= {(match.start, match.end) for piece in pieces if (match := find_quote(piece, at.text))}
    return tuple(_joined(sorted(found)))


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans without overlaps."""
    at = -1
    for start, end in spans:
        if end > at:
            yield max(start, at), end
            at = end


def _place(place: Place) -> Link:
    marks = (
        *([] if place.known else ["unknown"]),
        *(["wrong_version"] if place.wrong_version else []),
        *(["forbidden"] if place.may_read is False else []),
        *([place.negative.value] if place.negative else []),
    )
    name = place.item.id or place.doc_id or "-"
    return Link(id=name, rank=place.rank, doc_id=place.doc_id, holds=_groups(place), marks=tuple(dict.fromkeys(marks)))


def _cited(cited: Cited) -> Link:
    marks = (
        *([] if cited.known else ["unknown"]),
        *(["wrong_version"] if cited.wrong_version else []),
        *(["forbidden"] if cited.may_read is False else []),
    )
    return Link(id=cited.citation.id, doc_id=cited.citation.doc_id, holds=_groups(cited), marks=marks)


def _groups(one: Place | Cited) -> tuple[int, ...]:
    return tuple(sorted({group for group, _ in one.hits}))


def _verdict(finding: Finding) -> Verdict:
    reason = finding.key if finding.reason else ""
    return Verdict(layer=finding.layer.value, outcome=finding.outcome.value, key=reason, values=dict(finding.values))
