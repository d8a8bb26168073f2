"""Figures, slices and verdicts of a scored run in words, the same on the screen, in HTML and in Markdown.

Two decimals: more of them are not more truth. The exact figures are in the JSON.
"""

from collections.abc import Iterable, Mapping

from builder.report.score_facts import About, Judged, ScoreFacts
from builder.report.score_rows import Between, Row
from builder.words import Words

_MEMBERS = {"source": "review.source", "type": "review.type", "style": "review.style"}
"""Slices whose members have words of their own."""
HALVES = ("manual", "feedback", "generated")
"""The sources, the most telling first."""


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
    return say("score.few") if row.few else ""


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
    if by == "all":
        return say("head.all")
    key = f"{_MEMBERS[by]}.{name}" if by in _MEMBERS else f"score.slice.{by}.{name}"
    return counted(key, name, say)


def layer_name(layer: str, say: Words) -> str:
    """A layer."""
    return counted(f"score.layer.{layer}", layer, say)


def sentence(judged: Judged, say: Words) -> str:
    """Release, or do not release because of what; or that nobody asked any gate."""
    because = say("score.semicolon").join(line.said(say) for line in judged.because)
    key = f"score.release.{judged.outcome}"
    return say(key, because=because) if judged.outcome == "do_not_release" else say(key)


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
    """The headline metrics with their rows: all cases, then each source apart."""
    found = {(row.name, row.by, row.slice): row for row in facts.rows}
    return tuple(
        (name, (found.get((name, "all", "all")), *(found.get((name, "source", half)) for half in HALVES)))
        for name in facts.headline
    )


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
    for same in facts.alike:
        lines.append(say("score.firm.alike", name=same.name, alike=same.alike, families=same.families))
    return tuple(lines)
