"""builder score: figures with what they rest on, the layer that broke first, and whether the run may be released."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.app.run_places import Places
from builder.app.score_gates import judged_release
from builder.app.score_parts import (
    MAPPED,
    blind_spots,
    first_ranks,
    flips_between,
    latencies,
    layer_cells,
    measured_on,
    passing,
    uses_so_far,
)
from builder.app.score_run import Asked, ScoredRun, scored_run
from builder.app.score_told import told
from builder.errors import InputError
from builder.model.gate import Release
from builder.report.line import Line
from builder.report.score_answer import Told
from builder.report.score_facts import About, Alike, Behind, Firm, Flips, ScoreFacts, Signal
from builder.report.score_rows import ALL
from builder.score.diagnosis import Blame
from builder.score.layers.finding import Layer
from builder.score.metrics.metric import SHARE, Metric
from builder.score.repeats import alike, stability
from builder.score.signals import Figure, signals

HEADLINE = (
    "group_recall@5",
    "all_groups@5",
    "hit@3",
    "mrr",
    "ref_recall",
    "ref_recall_context",
    "context_sufficiency",
    "answer_correct",
    "claim_recall",
    "refusal_accuracy",
    "answered_unanswerable",
    "refused_answerable",
    "citation_coverage",
    "citation_id_validity",
    "judged@5",
)
"""Shown first; of figures at several k the nearest to this one. Behind them whatever counts harm and is not 0."""


class ScoreAsked(Asked):
    """The options of `builder score`."""

    run: str
    """Name or file of the run."""
    by: tuple[str, ...] = ()
    """Cuts to lay broken layers against, besides the usual ones."""
    gates: Path | None = None
    """The gates file."""
    baseline: str | None = None
    """The approved run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """What a scored run tells."""

    facts: ScoreFacts
    """Everything that reports show, what the gates say among it."""
    layers: Mapping[str, str]
    """By failing case: the layer to blame."""
    no_flips: InputError | None = None
    """Why changes against the baseline cannot be told; they are no part of what gates rest on."""


def score_run(folder: Path, asked: ScoreAsked) -> ScoreReport:
    """Score a run.

    Raises:
        InputError: no such run, snapshot, gates file or baseline; a broken one; or the corpus turned over.
    """
    places = Places.around(folder)
    scored = scored_run(places, asked.run, asked)
    release = judged_release(places, scored.measured, asked.gates, asked.baseline) if asked.gates else None
    no_flips = None
    try:
        flips = _flips(places, scored, asked, release)
    except InputError as error:
        if release is None:
            raise
        flips, no_flips = None, error
    facts = _facts(places, scored, asked, release, flips)
    layers = {blame.case_id: blame.layer.value for blame in reversed(scored.blames)}
    return ScoreReport(facts=facts, layers=layers, no_flips=no_flips)


def case_chain(folder: Path, asked: ScoreAsked, case_id: str) -> tuple[Told, ...]:
    """All answers to one case, failing or not, with every layer's verdict.

    Raises:
        InputError: as `score_run`; or the run has no such case.
    """
    scored = scored_run(Places.around(folder), asked.run, asked)
    found = tuple(_told(scored, [key for key in scored.views if key[0] == case_id]))
    if not found:
        raise InputError("score_no_case", case=case_id, run=scored.run.name)
    return found


def _facts(
    places: Places, scored: ScoredRun, asked: ScoreAsked, release: Release | None, flips: Flips | None
) -> ScoreFacts:
    measured, snapshot = scored.measured, scored.snapshot
    scores, cases = measured.scores, tuple(measured.cases.values())
    headline = tuple(dict.fromkeys((*headline_of(measured.metrics), *_harm(scored))))
    return ScoreFacts(
        run=scores.run,
        snapshot=scores.snapshot,
        snapshot_hash=scores.snapshot_hash,
        cases=scores.cases,
        repeats=scores.repeats,
        rows=scores.metrics,
        headline=headline,
        about={name: _about(metric) for name, metric in scored.metrics.items()},
        flags=scores.flags,
        release=release,
        layers=layer_cells(scored.blames, measured.cases, measured.cuts, (*MAPPED, *asked.by)),
        signals=tuple(Signal(line=Line(one.key), figures=_behind(one.figures)) for one in signals(scores)),
        failing=tuple(_told(scored, _worst_first(scored.blames))),
        ranks=first_ranks(measured.views),
        latency=latencies(measured.views),
        firm=tuple(_firm(scored, headline)),
        alike=tuple(_alike(scored, headline)),
        flips=flips,
        measured=measured_on(cases, scored.run.header, snapshot),
        uses=uses_so_far(scored.uses, scores.snapshot_hash),
        blind=blind_spots(cases, snapshot, places.risks),
    )


def headline_of(names: Iterable[str]) -> tuple[str, ...]:
    """The metrics of `HEADLINE` that were measured; at another k where not at that one."""
    at: dict[str, list[int]] = {}
    plain = set(names)
    for name in plain:
        base, mark, k = name.partition("@")
        if mark and k.isdigit():
            at.setdefault(base, []).append(int(k))
    found = []
    for name in HEADLINE:
        base, _, k = name.partition("@")
        if name in plain:
            found.append(name)
        elif base in at:
            found.append(f"{base}@{min(at[base], key=lambda one: (abs(one - int(k)), one))}")
    return tuple(dict.fromkeys(found))


def _harm(scored: ScoredRun) -> Iterable[str]:
    """Metrics of harm that was done: no average of others may hide it."""
    for row in scored.measured.scores.metrics:
        if row.by == ALL and scored.metrics[row.name].safety and row.value:
            yield row.name


def _about(metric: Metric) -> About:
    """What a metric says of itself."""
    return About(
        name=metric.name,
        definition=Line(f"score.measures.{metric.key}"),
        does_not_tell=Line(f"score.blind_to.{metric.key}"),
        better=metric.better,
        share=metric.range == SHARE,
        harm=metric.safety,
    )


def _behind(found: Iterable[Figure]) -> tuple[Behind, ...]:
    return tuple(Behind(**one.model_dump()) for one in found)


def _worst_first(blames: Iterable[Blame]) -> list[tuple[str, int]]:
    """Failing answers: leaks first, then by layer, the earliest first."""
    order = list(Layer)
    ranked = sorted(blames, key=lambda one: (one.leak is None, order.index(one.layer), one.case_id, one.repeat))
    return [(blame.case_id, blame.repeat) for blame in ranked]


def _told(scored: ScoredRun, keys: Iterable[tuple[str, int]]) -> Iterable[Told]:
    for key in keys:
        yield told(scored.views[key], scored.blame_of.get(key), scored.answer_of.get(key), scored.known, scored.texts)


def _firm(scored: ScoredRun, headline: Sequence[str]) -> Iterable[Firm]:
    measured = scored.measured
    metrics = {name: measured.metrics[name] for name in headline}
    for one in stability(measured.answers, metrics):
        yield Firm(**one.model_dump())


def _alike(scored: ScoredRun, headline: Sequence[str]) -> Iterable[Alike]:
    measured = scored.measured
    metrics = {name: measured.metrics[name] for name in headline}
    for one in alike(measured.answers, measured.cases, metrics):
        yield Alike(**one.model_dump())


def _flips(places: Places, scored: ScoredRun, asked: ScoreAsked, release: Release | None) -> Flips | None:
    """Against the baseline's run, over the cases that are the same in both; none without a baseline.

    Raises:
        InputError: that run is not here, or cannot be scored as this one.
    """
    name = release.baseline if release else asked.baseline
    if name is None:
        return None
    before = scored_run(places, name, asked.replace(snapshot=None))
    then, now = before.measured, scored.measured
    same = {case_id for case_id, found in now.hashes.items() if then.hashes.get(case_id) == found}
    return flips_between(passing(same, before.blames), passing(same, scored.blames))
