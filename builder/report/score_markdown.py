"""The report of a scored run as Markdown: the same facts, for a repository or a pull request."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from builder.report.gate_lines import held_against, kind_name, named, ordered, outcome_name, reason, verdict
from builder.report.score_answer import Piece, Told
from builder.report.score_cases import circumstances, claim_line, mark
from builder.report.score_facts import ScoreFacts, cuts, rows_of
from builder.report.score_ground import blind_lines, measured_lines, roll_back, use_lines
from builder.report.score_rows import ALL, Row
from builder.report.score_wording import (
    HALVES,
    asked_line,
    beneath,
    by_source,
    cut_name,
    excluded,
    figure,
    firm_lines,
    flip_lines,
    judged_told,
    layer_name,
    signal_line,
    slice_name,
)
from builder.text.screen import inert
from builder.words import Words

_SIGNS = re.compile(r"([\\`*_\[\]|~#@!])")


def score_markdown(facts: ScoreFacts, say: Words) -> str:
    """The whole file."""
    parts = [
        f"# {plain(say('score.html.title', run=facts.run, snapshot=facts.snapshot))}",
        plain(asked_line(facts, say)),
        f"**{plain(verdict(facts.release, say))}**",
        plain(say("score.fixture")),
        *_part("gates", _gates(facts, say), say, plain(held_against(facts.release, say))),
        *_part("by_source", _sources(facts, say), say, say("score.generated_high")),
        *_part("layers", _layers(facts, say), say),
        *_part("signals", [f"- {plain(signal_line(one, say))}" for one in facts.signals], say),
        *_flips(facts, say),
        *_part("firm", [f"- {plain(line)}" for line in firm_lines(facts, say)], say),
        *_part("metrics", _metrics(facts, say), say),
        *_slices(facts, say),
        *_part("failing", [], say, *(line for told in facts.failing for line in _case(told, say))),
        *_ground(facts, say),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(value: object) -> str:
    """A text as one line that Markdown and HTML leave as it is."""
    line = " ".join(inert(str(value)).split())
    return _SIGNS.sub(r"\\\1", escape(line, quote=False))


def _part(name: str, lines: Sequence[str], say: Words, *paragraphs: str) -> list[str]:
    """A part with its title; nothing where it is empty."""
    if not lines and (name != "failing" or not paragraphs):
        return []
    return [f"## {plain(say(f'score.html.{name}'))}", *paragraphs, "\n".join(lines)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table; empty without rows. What is in the cells is plain already."""
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *lines] if lines else []


def _heads(say: Words, *names: str) -> list[str]:
    return [plain(say(f"head.{name}")) for name in names]


def _gates(facts: ScoreFacts, say: Words) -> list[str]:
    rows = [
        (
            say(f"score.gate.{outcome_name(gate)}"),
            plain(gate.gate),
            plain(kind_name(gate, say)),
            plain(reason(gate, say)),
            plain(" ".join(named(gate))),
        )
        for gate in ordered(facts.release)
    ]
    return _table(_heads(say, "outcome", "gate", "gate_kind", "found", "cases"), rows)


def _sources(facts: ScoreFacts, say: Words) -> list[str]:
    rows = [(plain(name), *(_cell(row, facts, say) for row in found)) for name, found in by_source(facts)]
    return _table(_heads(say, "metric", ALL, *HALVES), rows)


def _cell(row: Row | None, facts: ScoreFacts, say: Words, *more: str) -> str:
    if row is None or row.n == 0:
        return say("score.no_figure")
    return f"{figure(row.value, facts.about.get(row.name), say)} ({beneath(row, facts, say, *more)})"


def _metrics(facts: ScoreFacts, say: Words) -> list[str]:
    heads = _heads(say, "metric", "value", "excluded", "does_not_tell")
    rows = []
    for row in rows_of(facts):
        about = facts.about.get(row.name)
        tells = plain(about.does_not_tell.said(say)) if about else ""
        shown = _cell(row, facts, say, judged_told(row, facts, say))
        rows.append((plain(row.name), shown, excluded(row.excluded, say), tells))
    return _table(heads, rows)


def _slices(facts: ScoreFacts, say: Words) -> Iterable[str]:
    for by, slices in cuts(facts).items():
        found = {(row.name, row.slice): row for row in facts.rows if row.by == by}
        names = [name for name in facts.headline if any((name, one) in found for one in slices)]
        rows = [
            (plain(slice_name(by, one, say)), *(_cell(found.get((name, one)), facts, say) for name in names))
            for one in slices
        ]
        yield f"## {plain(cut_name(by, say))}"
        yield "\n".join(_table([plain(cut_name(by, say)), *map(plain, names)], rows))


def _layers(facts: ScoreFacts, say: Words) -> list[str]:
    rows = [
        (
            plain(layer_name(cell.layer, say)),
            plain(cut_name(cell.by, say)),
            plain(slice_name(cell.by, cell.slice, say)),
            len(cell.case_ids),
            plain(" ".join(cell.case_ids)),
        )
        for cell in facts.layers
    ]
    return _table(_heads(say, "layer", "cut", "slice", "failing", "cases"), rows)


def _flips(facts: ScoreFacts, say: Words) -> list[str]:
    lines = [f"- {plain(line)}" for line in flip_lines(facts.flips, say)]
    return [f"## {plain(say('score.chart.flips'))}", "\n".join(lines)] if lines else []


def _case(told: Told, say: Words) -> Iterable[str]:
    layer = f"{plain(layer_name(told.layer, say))}: " if told.layer else ""
    yield f"### {layer}{plain(told.case_id)}"
    yield "\n".join(f"- {plain(line.said(say))}" for line in told.why)
    sides = [
        ("question", " / ".join([*told.turns, told.question, *circumstances(told, say)])),
        ("reference", told.reference),
        ("answer", told.problem or told.answer or say("score.html.no_answer")),
        ("claims", " / ".join(claim_line(one, say) for one in told.claims)),
        ("evidence", " / ".join(piece.text for piece in told.evidence)),
        *((f"stage.{stage}", _pieces(pieces, say)) for stage, pieces in told.stages.items()),
        ("context_text", told.context_text or ""),
        ("citations", _pieces(told.citations or (), say)),
    ]
    yield "\n".join(f"- {plain(say(f'score.side.{name}'))}: {plain(value)}" for name, value in sides if value)


def _pieces(pieces: Sequence[Piece], say: Words) -> str:
    def one(piece: Piece) -> str:
        marks = say("review.comma").join(mark(name, say) for name in piece.marks)
        return f"{piece.name} ({marks})" if marks else piece.name

    return " / ".join(one(piece) for piece in pieces)


def _ground(facts: ScoreFacts, say: Words) -> Iterable[str]:
    yield f"## {plain(say('score.html.ground'))}"
    yield "\n".join(f"- {plain(name)}: {plain(told)}" for name, told in measured_lines(facts, say))
    yield f"### {plain(say('score.ground.test_split'))}"
    yield from map(plain, use_lines(facts, say))
    yield f"### {plain(say('score.blind.title'))}"
    blind = [f"- {plain(name)}: {plain(told)}" for name, told in blind_lines(facts, say)]
    yield "\n".join(blind) or plain(say("score.blind.none"))
    yield f"### {plain(say('score.ground.roll_back'))}"
    yield "\n".join(f"- {plain(line)}" for line in roll_back(facts)) or plain(say("score.ground.no_roll_back"))
