"""Figures, slices and layers of a scored run in words, the same on the screen, in HTML and in Markdown.

Two decimals: more of them are not more truth. The exact figures are in the JSON.
"""

from collections.abc import Iterable, Mapping

from builder.report.score_facts import About, Alike, Flips, ScoreFacts, Signal, rows_of
from builder.report.score_rows import ALL, Between, Row
from builder.words import Words

_MEMBERS = {"source": "review.source", "type": "review.type", "style": "review.style"}
"""Slices whose members have words of their own."""
HALVES = ("manual", "feedback", "generated")
"""The sources, the most telling first."""
_ORDERED = ("mrr", "map")
"""Ranking figures without a k: what is judged of the longest measured top stands beside them."""
_NAMED = 12
"""Case ids that a line of the text names."""


def figure(value: float | None, about: About | None, say: Words) -> str:
    """A figure; what is no share is told with four digits."""
    if value is None:
        return say("score.no_figure")
    return f"{value:.2f}" if about is None or about.share else f"{value:,.4g}"


def interval(between: Between | None, about: About | None, say: Words) -> str:
    """Where the true figure may lie; empty where that is not known."""
    if between is None:
        return ""
    return f"{figure(between.low, about, say)}–{figure(between.high, about, say)}"


def few(row: Row, say: Words) -> str:
    """That a row rests on too few cases; empty where it does not."""
    return say("score.few") if row.few and row.n else ""


def judged_share(row: Row, facts: ScoreFacts) -> float | None:
    """The share of the top k that somebody judged, beside a ranking figure: low, and the figure may be too low.

    None beside figures that look at no ranking.
    """
    name, at, k = row.name.partition("@")
    if name == "judged" or not (at or name in _ORDERED):
        return None
    found = [one for one in rows_of(facts, row.by, row.slice) if one.name.partition("@")[0] == "judged"]
    shares = {int(one.name.partition("@")[2]): one.value for one in found}
    return shares.get(int(k) if at else max(shares, default=0))


def judged_told(row: Row, facts: ScoreFacts, say: Words) -> str:
    """The same in words; empty where there is none."""
    share = judged_share(row, facts)
    return "" if share is None else say("score.judged", share=figure(share, None, say))


def beneath(row: Row, facts: ScoreFacts, say: Words, *more: str) -> str:
    """What a figure rests on, in one line: cases, interval, `more`, how small a drop they show, whether too few."""
    about = facts.about.get(row.name)
    drop = "" if row.smallest_drop is None else say("score.least_drop", drop=figure(row.smallest_drop, about, say))
    pieces = (f"n = {row.n}", interval(row.interval, about, say), *more, drop, few(row, say))
    return " · ".join(piece for piece in pieces if piece)


def left_out(rows: Iterable[Row], say: Words) -> Mapping[str, list[str]]:
    """Metrics by what they leave out: most leave out the same cases."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if told := excluded(row.excluded, say):
            found.setdefault(told, []).append(row.name)
    return found


def excluded(counts: Mapping[str, int], say: Words) -> str:
    """Cases left out, by reason."""
    told = (f"{counted(f'score.excluded.{reason}', reason, say)} {count}" for reason, count in counts.items() if count)
    return say("review.comma").join(told)


def counted(key: str, name: str, say: Words) -> str:
    """The word for a name, else the name itself: what a user or a later version added has no word."""
    return say(key) if key in say else name


def cut_name(by: str, say: Words) -> str:
    """What slices are cut by."""
    return counted(f"score.by.{by}", by, say)


def slice_name(by: str, name: str, say: Words) -> str:
    """A slice."""
    if name in ("", "none"):
        return say("score.no_slice")
    if by == ALL:
        return say("head.all")
    key = f"{_MEMBERS[by]}.{name}" if by in _MEMBERS else f"score.slice.{by}.{name}"
    return counted(key, name, say)


def layer_name(layer: str, say: Words) -> str:
    """A layer."""
    return counted(f"score.layer.{layer}", layer, say)


def tally(counts: Mapping[str, int], by: str, say: Words) -> str:
    """Counts by slice in one line."""
    told = (f"{slice_name(by, name, say)} {count:,}" for name, count in counts.items())
    return say("review.comma").join(told) or say("score.none")


def listed(items: Iterable[str], say: Words, most: int = 0) -> str:
    """Items in one line, the first ones where there are more than `most` (0: all)."""
    found = [" ".join(item.split()) for item in items]
    shown = found[:most] if most else found
    line = say("review.comma").join(shown) or say("score.none")
    return say("score.more", items=line, count=len(found) - len(shown)) if len(shown) < len(found) else line


def by_source(facts: ScoreFacts) -> tuple[tuple[str, tuple[Row | None, ...]], ...]:
    """The headline metrics that have a figure, with their rows: all cases, then each source apart."""
    found = {(row.name, row.by, row.slice): row for row in facts.rows}
    whole = {name: row for name in facts.headline if (row := found.get((name, ALL, ALL))) and row.n}
    return tuple((name, (row, *(found.get((name, "source", half)) for half in HALVES))) for name, row in whole.items())


def signal_line(signal: Signal, say: Words) -> str:
    """A hint with the figures that it rests on."""
    shown = (
        say(
            "score.behind",
            name=one.name if one.by == ALL else f"{one.name} {one.by}={one.slice}",
            value=one.value,
            n=one.n,
        )
        for one in signal.figures
    )
    return " · ".join([signal.line.said(say), *shown])


def asked_line(facts: ScoreFacts, say: Words) -> str:
    """How much was asked of what, and what else is to be known of the answers."""
    values = {"cases": facts.cases, "repeats": facts.repeats, "hash": facts.snapshot_hash[:12]}
    flags = (f"{counted(f'score.flag.{flag}', flag, say)} {count}" for flag, count in facts.flags.items())
    return " · ".join([say("score.html.asked", **values), *flags])


def flip_lines(flips: Flips | None, say: Words, most: int = 0) -> tuple[str, ...]:
    """How cases changed against the baseline, with the ids of those that did (the first ones; 0: all)."""
    if flips is None:
        return ()
    counts = {"passing": flips.passing, "better": len(flips.better), "worse": len(flips.worse)}
    counts["failing"] = flips.failing
    line = say("review.comma").join(say(f"score.chart.flip.{name}", count=count) for name, count in counts.items())
    changed = (("worse", flips.worse), ("better", flips.better))
    flipped = (say(f"score.chart.flipped.{name}", cases=listed(ids, say, most)) for name, ids in changed if ids)
    return (line, *flipped)


def firm_lines(facts: ScoreFacts, say: Words) -> tuple[str, ...]:
    """What repeats and rewordings tell."""
    lines = []
    for one in facts.firm:
        about = facts.about.get(one.name)
        values = {"name": one.name, "n": one.n, "floor": figure(one.noise_floor, about, say)}
        counts = {"passing": one.stable_pass, "flaky": one.flaky, "failing": one.stable_fail}
        lines.append(
            say("score.firm.floor", **values) if one.flaky is None else say("score.firm.repeats", **values | counts)
        )
        if one.flaky:
            lines.append(say("score.firm.flaky", cases=listed(one.flaky_cases, say, _NAMED)))
    return (*lines, *_alike_lines(facts.alike, say))


def _alike_lines(figures: Iterable[Alike], say: Words) -> Iterable[str]:
    """One line for all metrics that say the same."""
    same: dict[tuple[int, tuple[str, ...]], list[Alike]] = {}
    for one in figures:
        same.setdefault((one.families, one.different), []).append(one)
    for some in same.values():
        one = some[0]
        values = {"alike": one.alike, "families": one.families, "share": one.share, "low": one.low, "high": one.high}
        yield say("score.firm.alike", name=listed((each.name for each in some), say), **values)
        if one.different:
            yield say("score.firm.different", cases=listed(one.different, say, _NAMED))
