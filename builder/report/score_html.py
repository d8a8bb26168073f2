"""The report of a scored run as one HTML file: may it be released, on what that rests, and what to repair first."""

from collections.abc import Iterable, Sequence

from builder.report.gate_lines import (
    because,
    held_against,
    kind_name,
    named,
    ordered,
    outcome_name,
    reason,
    standing,
    verdict,
)
from builder.report.score_cases import case_sections
from builder.report.score_facts import ScoreFacts, cuts, rows_of
from builder.report.score_figures import charts, ids, layer_sections
from builder.report.score_ground import ground
from builder.report.score_rows import Row
from builder.report.score_wording import (
    HALVES,
    asked_line,
    beneath,
    by_source,
    cut_name,
    excluded,
    few,
    figure,
    firm_lines,
    interval,
    judged_share,
    judged_told,
    signal_line,
    slice_name,
)
from builder.report.shell import Html, joined, page, tag, text
from builder.words import Words

_NONE = Html("")
_WORDS = frozenset({"outcome", "gate", "gate_kind", "found", "cases", "metric", "excluded", "does_not_tell"})
"""Columns of words."""


def score_html(facts: ScoreFacts, say: Words) -> str:
    """One HTML file that stands alone and runs nothing."""
    title = say("score.html.title", run=facts.run, snapshot=facts.snapshot)
    body = joined(
        [
            tag("h1", text(title)),
            tag("p", text(asked_line(facts, say)), css="faint"),
            _banner(facts, say),
            tag("p", text(say("score.fixture")), css="note"),
            _headline(facts, say),
            _gates(facts, say),
            _part("score.html.by_source", say, _sources(facts, say)),
            _part("score.html.layers", say, *layer_sections(facts, say)),
            _part("score.html.signals", say, _signals(facts, say)),
            *charts(facts, say),
            _part("score.html.firm", say, *(tag("p", text(line)) for line in firm_lines(facts, say))),
            _part("score.html.slices", say, *_slices(facts, say)),
            _part("score.html.metrics", say, _metrics(rows_of(facts), facts, say)),
            _part("score.html.failing", say, *case_sections(facts, say)),
            _part("score.html.ground", say, *ground(facts, say)),
        ]
    )
    return page(title, body, language=say.language, sheets=("style.css", "score.css"))


def _part(key: str, say: Words, *inside: Html) -> Html:
    """A part with its title; nothing where it is empty."""
    return joined([tag("h2", text(say(key)), css="part"), *inside]) if any(inside) else _NONE


def _banner(facts: ScoreFacts, say: Words) -> Html:
    """The sentence; several reasons one below the other."""
    reasons = because(facts.release, say) if facts.release and not facts.release.released else ()
    css = f"banner {standing(facts.release)}"
    if len(reasons) < 2:
        return tag("div", text(verdict(facts.release, say)), css=css)
    listed = tag("ul", *(tag("li", text(line)) for line in reasons))
    return tag("div", text(say("score.release.do_not_release", because="")), listed, css=css)


def _headline(facts: ScoreFacts, say: Words) -> Html:
    rows = {row.name: row for row in rows_of(facts)}
    shown = [rows[name] for name in facts.headline if name in rows]
    return tag("div", *(_tile(row, facts, say) for row in shown), css="figures")


def _tile(row: Row, facts: ScoreFacts, say: Words) -> Html:
    about = facts.about.get(row.name)
    hint = about.does_not_tell.said(say) if about else ""
    told = tag("span", text(beneath(row, facts, say, judged_told(row, facts, say))))
    harm = "bad" if about and about.harm and row.value else ""
    value = tag("b", text(figure(row.value, about, say)), css=harm)
    return tag("div", value, tag("div", text(row.name)), told, css="figure", title=hint)


def _gates(facts: ScoreFacts, say: Words) -> Html:
    rows = [
        [
            tag("td", tag("span", text(say(f"score.gate.{name}")), css=f"mark {name}"), css="word"),
            tag("td", text(gate.gate), css="word"),
            tag("td", text(kind_name(gate, say)), css="word"),
            tag("td", text(reason(gate, say)), css="wrap"),
            tag("td", ids(named(gate)), css="ids"),
        ]
        for gate in ordered(facts.release)
        for name in (outcome_name(gate),)
    ]
    if not rows:
        return _NONE
    held = held_against(facts.release, say)
    baseline = tag("p", text(held), css="faint") if held else _NONE
    heads = ("outcome", "gate", "gate_kind", "found", "cases")
    return _part("score.html.gates", say, baseline, _table(heads, rows, say))


def _sources(facts: ScoreFacts, say: Words) -> Html:
    """All cases beside manual, feedback and generated ones, with the sentence that these run high."""
    heads = ["metric", "all", *HALVES]
    rows = [
        [tag("td", text(name), css="word"), *(_cell(row, facts, say) for row in found)]
        for name, found in by_source(facts)
    ]
    if not rows:
        return _NONE
    return joined([tag("p", text(say("score.generated_high")), css="note"), _table(heads, rows, say)])


def _slices(facts: ScoreFacts, say: Words) -> Iterable[Html]:
    for by, slices in cuts(facts).items():
        table = _slice_table(facts, by, slices, say)
        yield tag("details", tag("summary", text(f"{cut_name(by, say)} ({len(slices)})")), table)


def _slice_table(facts: ScoreFacts, by: str, slices: Sequence[str], say: Words) -> Html:
    names = [name for name in facts.headline if any(row.name == name for row in rows_of(facts, by, slices[0]))]
    rows = []
    for name in slices:
        found = {row.name: row for row in rows_of(facts, by, name)}
        first = tag("td", text(slice_name(by, name, say)), css="word")
        rows.append([first, *(_cell(found.get(metric), facts, say) for metric in names)])
    return _filled([tag("th", text(cut_name(by, say))), *(tag("th", text(name)) for name in names)], rows)


def _cell(row: Row | None, facts: ScoreFacts, say: Words) -> Html:
    """A figure with what it rests on."""
    if row is None or row.n == 0:
        return tag("td", text(say("score.no_figure")), css="few")
    told = tag("div", text(beneath(row, facts, say)), css="faint")
    return tag("td", text(figure(row.value, facts.about.get(row.name), say)), told, css="few" if row.few else "")


def _metrics(rows: Sequence[Row], facts: ScoreFacts, say: Words) -> Html:
    """Every metric on all cases, with what it does not tell."""
    return _table(
        ("metric", "value", "judged", "n", "interval", "smallest_drop", "excluded", "does_not_tell"),
        [_metric(row, facts, say) for row in rows],
        say,
    )


def _metric(row: Row, facts: ScoreFacts, say: Words) -> list[Html]:
    about, judged = facts.about.get(row.name), judged_share(row, facts)
    return [
        tag("td", text(row.name), css="word", title=about.definition.said(say) if about else ""),
        tag("td", text(figure(row.value, about, say))),
        tag("td", text("" if judged is None else figure(judged, None, say)), css="faint"),
        tag("td", text(row.n), text(f" {few(row, say)}")),
        tag("td", text(interval(row.interval, about, say))),
        tag("td", text("" if row.smallest_drop is None else figure(row.smallest_drop, about, say))),
        tag("td", text(excluded(row.excluded, say)), css="wrap"),
        tag("td", text(about.does_not_tell.said(say) if about else ""), css="wrap faint"),
    ]


def _signals(facts: ScoreFacts, say: Words) -> Html:
    items = [tag("li", text(signal_line(signal, say))) for signal in facts.signals]
    return tag("ul", *items, css="rules") if items else _NONE


def _table(heads: Sequence[str], rows: Sequence[Sequence[Html]], say: Words) -> Html:
    named = [tag("th", text(say(f"head.{head}")), css="word" if head in _WORDS else "") for head in heads]
    return _filled(named, rows)


def _filled(heads: Sequence[Html], rows: Sequence[Sequence[Html]]) -> Html:
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *(tag("tr", *row) for row in rows)))
    return tag("div", table, css="scroll")
