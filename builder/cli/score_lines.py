"""What builder score prints: the verdict, figures with what they rest on, broken layers, signals; failures last."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from builder.cli.console import Console

if TYPE_CHECKING:
    from builder.report.score_answer import Piece, Told
    from builder.report.score_facts import ScoreFacts
    from builder.report.score_rows import Row

_FIRST = 20
"""Failing answers that are listed; all are in the reports."""
_CORE = frozenset({"group_recall", "answer_correct", "refusal_accuracy", "citation_coverage"})
"""Of the headline: what slices show."""
_IDS = 8
"""Case ids that a line shows."""


def show_score(console: Console, facts: "ScoreFacts", *, by: Sequence[str], verbose: bool, again: str) -> None:
    """The whole report on the screen; `again` is the command that scores the same run alike."""
    _head(console, facts)
    _gates(console, facts)
    _metrics(console, facts, verbose)
    _sources(console, facts)
    _slices(console, facts, by, verbose)
    _layers(console, facts, by)
    _more(console, facts)
    _failing(console, facts, again)


def _head(console: Console, facts: "ScoreFacts") -> None:
    from builder.report.gate_lines import held_against, verdict
    from builder.report.score_wording import asked_line

    console.out("score.html.title", run=facts.run, snapshot=facts.snapshot)
    console.text(asked_line(facts, console.say))
    console.text(verdict(facts.release, console.say))
    if held := held_against(facts.release, console.say):
        console.text(held)
    console.out("score.fixture")


def _gates(console: Console, facts: "ScoreFacts") -> None:
    from builder.report.gate_lines import kind_name, named, ordered, outcome_name, reason

    say = console.say
    rows = [
        (say(f"score.gate.{outcome_name(one)}"), one.gate, kind_name(one, say), reason(one, say), some_ids(named(one)))
        for one in ordered(facts.release)
    ]
    if rows:
        _title(console, "score.html.gates")
        console.table(("outcome", "gate", "gate_kind", "found", "cases"), rows)


def _metrics(console: Console, facts: "ScoreFacts", verbose: bool) -> None:
    """The headline, or with -v all; below it what they leave out, and what each does not tell."""
    from builder.report.score_facts import rows_of
    from builder.report.score_wording import left_out

    rows = [row for row in rows_of(facts) if verbose or row.name in facts.headline]
    if not verbose:
        rows.sort(key=lambda row: facts.headline.index(row.name))
    _title(console, "score.html.metrics" if verbose else "score.html.headline")
    heads = ("metric", "value", "judged", "n", "interval", "smallest_drop")
    console.table(heads, [_metric(console, row, facts) for row in rows], right=(1, 2, 3, 5))
    console.out("score.what_drop")
    for reasons, names in left_out(rows, console.say).items():
        console.out("score.left_out", names=console.say("review.comma").join(names), reasons=reasons)
    about = [facts.about[row.name] for row in rows if row.name in facts.about and (verbose or row.n)]
    told = {one.name.partition("@")[0]: one.does_not_tell.said(console.say) for one in about}
    for name, line in told.items():
        console.out("score.does_not_tell", name=name, line=line)


def _metric(console: Console, row: "Row", facts: "ScoreFacts") -> tuple[object, ...]:
    from builder.report.score_wording import few, figure, interval, judged_share

    about, say = facts.about.get(row.name), console.say
    judged = judged_share(row, facts)
    drop = "" if row.smallest_drop is None else figure(row.smallest_drop, about, say)
    n = " ".join(piece for piece in (few(row, say), str(row.n)) if piece)
    between = interval(row.interval, about, say)
    return row.name, figure(row.value, about, say), "" if judged is None else f"{judged:.2f}", n, between, drop


def _cell(console: Console, row: "Row | None", facts: "ScoreFacts") -> str:
    from builder.report.score_wording import few, figure, interval

    if row is None or row.n == 0:
        return console.say("score.no_figure")
    about = facts.about.get(row.name)
    between = interval(row.interval, about, console.say)
    told = (figure(row.value, about, console.say), f"[{between}]" if between else "", f"n={row.n}")
    return " ".join(piece for piece in (*told, few(row, console.say)) if piece)


def _sources(console: Console, facts: "ScoreFacts") -> None:
    """All cases beside manual, feedback and generated ones."""
    from builder.report.score_wording import HALVES, by_source

    found = by_source(facts)
    if not found:
        return
    _title(console, "score.html.by_source")
    rows = [(name, *(_cell(console, row, facts) for row in some)) for name, some in found]
    console.table(("metric", "all", *HALVES), rows)
    console.out("score.generated_high")


def _slices(console: Console, facts: "ScoreFacts", by: Sequence[str], verbose: bool) -> None:
    """The headline of each slice, or with -v all; with how small a drop each can show."""
    from builder.report.score_facts import cuts, rows_of
    from builder.report.score_wording import cut_name, slice_name

    known = cuts(facts)
    for cut in by:
        if cut not in known:
            console.talk("score.no_cut", cut=cut, known=", ".join(known) or "-")
            continue
        console.text("")
        console.text(cut_name(cut, console.say))
        rows = []
        for name in known[cut]:
            some = {row.name: row for row in rows_of(facts, cut, name)}
            names = facts.headline if verbose else [one for one in facts.headline if one.partition("@")[0] in _CORE]
            shown = [some[metric] for metric in names if metric in some and some[metric].n]
            head = slice_name(cut, name, console.say)
            rows += [(head, *_metric(console, row, facts)) for row in shown]
        heads = ("slice", "metric", "value", "judged", "n", "interval", "smallest_drop")
        console.table(heads, rows, right=(2, 3, 4, 6))


def _layers(console: Console, facts: "ScoreFacts", by: Sequence[str]) -> None:
    from builder.report.score_wording import cut_name, layer_name, slice_name

    cells = [cell for cell in facts.layers if cell.by in ("all", *by)]
    if not cells:
        return
    _title(console, "score.html.layers")
    rows = [
        (
            layer_name(cell.layer, console.say),
            cut_name(cell.by, console.say),
            slice_name(cell.by, cell.slice, console.say),
            len(cell.case_ids),
            some_ids(cell.case_ids),
        )
        for cell in cells
    ]
    console.table(("layer", "cut", "slice", "failing", "cases"), rows, right=(3,))


def _more(console: Console, facts: "ScoreFacts") -> None:
    """Signals, changes, repeats; what it was measured on, uses of the test split, blind spots, when to roll back."""
    from builder.report.score_ground import blind_lines, config_line, roll_back, use_lines
    from builder.report.score_wording import firm_lines, flip_lines, signal_line

    say = console.say
    _list(console, "score.html.signals", [signal_line(signal, say) for signal in facts.signals])
    _list(console, "score.chart.flips", flip_lines(facts.flips, say, _IDS))
    _list(console, "score.html.firm", firm_lines(facts, say))
    uses = use_lines(facts, say) if facts.uses else ()
    blind = [say("score.named", name=fact.name, told=fact.told) for fact in blind_lines(facts, say)]
    _list(console, "score.html.ground", [config_line(facts, say), *uses, *blind])
    _list(console, "score.ground.roll_back", roll_back(facts))


def _list(console: Console, key: str, lines: Sequence[str]) -> None:
    if lines:
        _title(console, key)
    for line in lines:
        console.text(f"  {line}")


def _failing(console: Console, facts: "ScoreFacts", again: str) -> None:
    from builder.report.score_wording import layer_name

    if not facts.failing:
        return
    _title(console, "score.html.failing")
    rows = [
        (told.case_id, layer_name(told.layer, console.say), _because(console, told), told.question)
        for told in facts.failing[:_FIRST]
    ]
    console.table(("case_id", "layer", "reason", "question"), rows)
    first = facts.failing[0].case_id
    console.out("score.look", first=first, again=again, shown=len(rows), all=len(facts.failing))


def _because(console: Console, told: "Told") -> str:
    """Why the layer is blamed, without its name."""
    from builder.report.line import Line

    if not told.why:
        return ""
    why = told.why[0].values.get("why")
    return (why if isinstance(why, Line) else told.why[0]).said(console.say)


def _title(console: Console, key: str) -> None:
    console.text("")
    console.out(key)


def some_ids(case_ids: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    more = f" +{len(case_ids) - _IDS}" if len(case_ids) > _IDS else ""
    return " ".join(case_ids[:_IDS]) + more


def show_case(console: Console, told: "Told") -> None:
    """One answer: what the layers say, then question, reference, claims, answer and the texts of each stage."""
    from builder.report.score_cases import circumstances, claim_line
    from builder.report.score_wording import counted, layer_name

    layer = layer_name(told.layer, console.say) if told.layer else console.say("score.passes")
    console.out("score.case", case=told.case_id, repeat=told.repeat, layer=layer)
    for line in dict.fromkeys(line.said(console.say) for line in (*told.why, *told.looked)):
        console.text(f"  {line}")
    _side(console, "question", [*told.turns, told.question, *circumstances(told, console.say)])
    _side(console, "reference", [told.reference])
    problem = [told.problem] if told.problem else []
    status = [counted(f"review.status.{told.status}", told.status, console.say)] if told.status else []
    _side(console, "answer", [*problem, told.answer or console.say("score.html.no_answer"), *status])
    _side(console, "claims", [claim_line(one, console.say) for one in told.claims])
    _side(console, "evidence", _pieces(console, told.evidence))
    for stage, pieces in told.stages.items():
        _side(console, f"stage.{stage}", _pieces(console, pieces) or [console.say("score.none")])
    _side(console, "context_text", [told.context_text or ""])
    _side(console, "citations", _pieces(console, told.citations or ()))


def _side(console: Console, name: str, lines: Sequence[str]) -> None:
    shown = [line for line in lines if line]
    if shown:
        console.out(f"score.side.{name}")
    for line in shown:
        for row in line.splitlines():
            console.text(f"    {row}")


def _pieces(console: Console, pieces: Sequence["Piece"]) -> list[str]:
    from builder.report.score_cases import mark

    found = []
    for piece in pieces:
        rank = f"{piece.rank}. " if piece.rank is not None else ""
        marks = "".join(f" [{mark(name, console.say)}]" for name in piece.marks)
        notes = [console.say("score.semicolon").join(note.said(console.say) for note in piece.notes)]
        found.append("\n".join(line for line in (f"{rank}{piece.name}{marks}", *notes, piece.text) if line))
    return found
