"""One answer beside everything that it is judged by: texts of evidence, stages and citations, marks, claims, layers."""

from collections.abc import Iterable, Mapping

from builder.model.case import Case, NegativeReason, Status
from builder.model.claim import Claim
from builder.model.verdict import ClaimVerdict
from builder.report.line import Line
from builder.report.score_answer import ClaimFact, Piece, Told
from builder.score.chain import Chain, Link, Standing, Verdict, chain
from builder.score.diagnosis import Blame
from builder.score.layers.finding import Finding, Outcome
from builder.score.layers.known import Known
from builder.score.records import AnswerScore
from builder.score.view import Stage, View


def told(view: View, blame: Blame | None, score: AnswerScore | None, known: Known, texts: Mapping[str, str]) -> Told:
    """All that is known of an answer; `texts` are those of the snapshot's passages, by id."""
    case, record = view.case, view.record
    links = chain(view, score, known)
    return Told(
        case_id=case.case_id,
        repeat=view.repeat,
        layer=blame.layer.value if blame else "",
        why=tuple(_why(blame)) if blame else (),
        looked=tuple(map(_looked, links.layers)),
        question=case.question,
        query=links.query or "",
        turns=tuple(f"{turn.role}: {turn.text}" for turn in case.conversation),
        asked_by=_user(case),
        as_of=case.as_of,
        labels=_labels(case),
        reference=case.ground_truth,
        answer=record.answer if record else None,
        status=links.status,
        problem=(record.error or "") if record else "",
        claims=tuple(_claim(verdict, case) for verdict in view.claims),
        evidence=tuple(map(_evidence, links.evidence)),
        stages={stage.value: tuple(_places(view, stage, links, texts)) for stage in view.stages},
        context_text=links.text,
        marked=links.marked,
        citations=_citations(view, links, texts),
        values={name: value.number for name, value in score.values.items()} if score else {},
        flags=tuple(sorted(score.flags)) if score else (),
    )


def _why(blame: Blame) -> Iterable[Line]:
    """The earliest layer that is proven wrong, a leak beside it, what broke later, and hints."""
    leak = [blame.leak] if blame.leak and blame.leak is not blame.first else []
    yield from (_line(finding) for finding in (blame.first, *leak, *blame.also) if finding.reason)
    yield from (Line(hint.key, _worded(hint.values)) for hint in blame.hints)


def _line(finding: Finding) -> Line:
    why = Line(finding.key, _worded(finding.values))
    return Line("score.html.why", {"layer": Line(f"score.layer.{finding.layer.value}"), "why": why})


def _looked(verdict: Verdict) -> Line:
    named = verdict.outcome in (Outcome.FINE, Outcome.IDLE) or not verdict.key
    why = Line(f"score.looked.{verdict.outcome}") if named else Line(verdict.key, _worded(verdict.values))
    return Line("score.html.why", {"layer": Line(f"score.layer.{verdict.layer}"), "why": why})


def _worded(values: Mapping[str, str]) -> dict[str, object]:
    """Values of which some are names with words of their own."""
    found: dict[str, object] = dict(values)
    if (reason := values.get("reason")) in set(NegativeReason):
        found["reason"] = Line(f"review.negative.{reason}")
    if (status := values.get("status")) in set(Status):
        found["status"] = Line(f"review.status.{status}")
    return found


def _user(case: Case) -> str:
    found = case.user_context.model_dump(mode="json", exclude_defaults=True)
    shown = (", ".join(value) if isinstance(value, list) else str(value) for value in found.values())
    return " · ".join(f"{name} {value}" for name, value in zip(found, shown, strict=True))


def _labels(case: Case) -> dict[str, str]:
    found = {"source": case.source, "type": case.question_type, "style": case.style}
    return {name: value.value for name, value in found.items()} | {
        "risk": case.risk or "",
        "split": case.split.value if case.split else "",
    }


def _claim(verdict: ClaimVerdict, case: Case) -> ClaimFact:
    claims: tuple[Claim, ...] = case.must_not_claims if verdict.must_not else case.claims
    critical = verdict.index < len(claims) and claims[verdict.index].critical
    return ClaimFact(text=verdict.text, verdict=verdict.verdict.value, critical=critical, must_not=verdict.must_not)


def _evidence(one: Standing) -> Piece:
    """A piece of evidence, where it stood, and what the text that was read has lost of it."""
    notes = [
        Line("score.html.missed", {"stage": Line(f"score.side.stage.{stage}")})
        if rank is None
        else Line("score.html.at_rank", {"stage": Line(f"score.side.stage.{stage}"), "rank": rank})
        for stage, rank in one.ranks.items()
    ]
    notes += [Line("score.html.lost", {"words": " ".join(one.missing)})] if one.missing else []
    marks = () if one.counts else ("not_counted",)
    return Piece(name=one.doc_id, text=one.quote, rank=one.group + 1, marks=marks, notes=tuple(notes))


def _places(view: View, stage: Stage, links: Chain, texts: Mapping[str, str]) -> Iterable[Piece]:
    for place, link in zip(view.stages[stage], links.stages[stage.value], strict=True):
        yield _piece(link, place.item.text or texts.get(place.item.id, ""))


def _piece(link: Link, text: str) -> Piece:
    marks = ("evidence",) if link.holds else ()
    named = (f"negative:{name}" if name in _NEGATIVES else name for name in link.marks)
    return Piece(name=link.id, text=text, rank=link.rank, marks=(*marks, *named))


_NEGATIVES = frozenset(reason.value for reason in NegativeReason) - {"wrong_version"}
"""Reasons of hard negatives that no other mark is named like."""


def _citations(view: View, links: Chain, texts: Mapping[str, str]) -> tuple[Piece, ...] | None:
    if view.citations is None or links.citations is None:
        return None
    pairs = zip(view.citations, links.citations, strict=True)
    return tuple(_piece(link, one.citation.quote or texts.get(one.citation.id, "")) for one, link in pairs)
