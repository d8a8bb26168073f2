"""Views of a run's answers, and their figures."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from builder.model.bulk import no_collection
from builder.model.case import Case
from builder.model.verdict import AnswerVerdict
from builder.score.gold import Level
from builder.score.judged import by_answer, holding
from builder.score.map_file import Map
from builder.score.matching import Matcher
from builder.score.metrics.metric import FINAL, Family, Metric
from builder.score.metrics.registry import KS, registry
from builder.score.passages import Corpus
from builder.score.records import AnswerScore, Value
from builder.score.run_file import Run
from builder.score.view import Stage, View


class ScoredAnswers(NamedTuple):
    """The answers of a run, one also for every answer that is missing, in the order of case id and repeat."""

    scores: tuple[AnswerScore, ...]
    """Their figures."""
    views: tuple[View, ...]
    """What the figures were counted from, in the same order."""
    metrics: Mapping[str, Metric]
    """The metrics, by name."""


def score_answers(
    cases: Iterable[Case],
    run: Run,
    corpus: Corpus,
    *,
    ks: Sequence[int] = KS,
    level: Level = "passage",
    map: Map | None = None,
    departments: Mapping[str, str] | None = None,
    verdicts: Iterable[AnswerVerdict] = (),
    today: date | None = None,
    metrics: Mapping[str, Metric] | None = None,
) -> ScoredAnswers:
    """All figures of all answers of a run.

    `departments` maps a department to the one above it. `verdicts` are those that hold (`verdict_file.current`); one
    about another answer or reference counts nothing. `today` is the day of questions without one. `metrics` are those
    of `registry` that are wanted.
    """
    with no_collection():
        matcher = Matcher(corpus, run.records, level=level, entries=map, departments=departments, today=today)
        wanted = registry(ks, run.records) if metrics is None else metrics
        families = tuple(dict.fromkeys(metric.family for metric in wanted.values()))
        views = views_of(cases, run, matcher, verdicts)
        return ScoredAnswers(tuple(figures(view, families) for view in views), views, wanted)


def views_of(
    cases: Iterable[Case], run: Run, matcher: Matcher, verdicts: Iterable[AnswerVerdict] = ()
) -> tuple[View, ...]:
    """The answers as metrics see them; every case as often as it was to be asked, or any was."""
    said = by_answer(verdicts)
    asked = max((record.repeat for record in run.records), default=1)
    # A run that was broken off has no record of its last rounds: their answers are missing.
    repeats = range(1, max(asked, run.header.repeats) + 1)
    records = run.by_key
    found: list[View] = []
    for case in sorted(cases, key=lambda case: case.case_id):
        gold = matcher.gold(case)
        for repeat in repeats:
            record = records.get((case.case_id, repeat))
            lines = said.get((case.case_id, repeat), ())
            holding_ = holding(lines, record, case) if lines and record else ()
            found.append(matcher.view(case, gold, record, repeat, holding_))
    return tuple(found)


def figures(view: View, families: Sequence[Family]) -> AnswerScore:
    """The figures of one answer."""
    values: dict[str, Value] = {}
    for family in families:
        values.update(family(view))
    return AnswerScore(case_id=view.case.case_id, repeat=view.repeat, values=values, flags=_flags(view))


def _flags(view: View) -> frozenset[str]:
    """What is to be known of an answer besides its figures."""
    if Stage.CONTEXT in view.stages and not any(stage in view.stages for stage in FINAL[:2]):
        return view.flags | {"ranking_from_context"}
    return view.flags
