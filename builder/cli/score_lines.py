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
_IDS = 12
"""Case ids that a line shows."""


def show_score(console: Console, facts: "ScoreFacts", *, by: Sequence[str], verbose: bool) -> None:
    """The whole report on the screen."""
    _head(console, facts)
    _gates(console, facts)
    _metrics(console, facts, verbose)
    _sources(console, facts)
    _slices(console, facts, by, verbose)
    _layers(console, facts, by)
    _more(console, facts)
    _failing(console, facts)


def _head(console: Console, facts: "ScoreFacts") -> None:
    from builder.report.score_wording import counted, sentence

    console.out("score.html.title", run=facts.run, snapshot=facts.snapshot)
    asked = {"cases": facts.cases, "repeats": facts.repeats, "hash": facts.snapshot_hash[:12]}
    console.out("score.html.asked", **asked)
    for flag, count in facts.flags.items():
        console.out("score.flagged", flag=counted(f"score.flag.{flag}", flag, console.say), count=count)
    console.text(sentence(facts.judged, console.say))
    console.out("score.fixture")


def _gates(console: Console, facts: "ScoreFacts") -> None:
    from builder.report.score_wording import counted

    if not facts.judged.gates:
        return
    _title(console, "score.html.gates")
    rows = [
        (
            console.say(f"score.gate.{gate.outcome}"),
            gate.name,
            counted(f"score.gate.kind.{gate.kind}", gate.kind, console.say),
            gate.line.said(console.say),
            _ids(gate.case_ids),
        )
        for gate in facts.judged.gates
    ]
    console.table(("outcome", "gate", "gate_kind", "found", "cases"), rows)


def _metrics(console: Console, facts: "ScoreFacts", verbose: bool) -> None:
    """The headline, or with -v all; below it what each metric does not tell."""
    from builder.report.score_facts import rows_of

    rows = [row for row in rows_of(facts) if verbose or row.name in facts.headline]
    if not verbose:
        rows.sort(key=lambda row: facts.headline.index(row.name))
    _title(console, "score.html.metrics" if verbose else "score.html.headline")
    heads = ("metric", "value", "n", "interval", "smallest_drop", "few", "excluded")
    console.table(heads, [_metric(console, row, facts) for row in rows], right=(1, 2, 4))
    about = [facts.about[row.name] for row in rows if row.name in facts.about]
    told = {one.name.partition("@")[0]: one.does_not_tell.said(console.say) for one in about}
    for name, line in told.items():
        console.out("score.does_not_tell", name=name, line=line)


def _metric(console: Console, row: "Row", facts: "ScoreFacts") -> tuple[object, ...]:
    from builder.report.score_wording import excluded, few, figure, interval

    about, say = facts.about.get(row.name), console.say
    drop = "" if row.smallest_drop is None else figure(row.smallest_drop, about, say)
    between = interval(row.interval, about, say)
    left_out = excluded(row.excluded, say)
    return row.name, figure(row.value, about, say), row.n, between, drop, few(row, say), left_out


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
        heads = ("slice", "metric", "value", "n", "interval", "smallest_drop", "few", "excluded")
        console.table(heads, rows, right=(2, 3, 5))


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
            _ids(cell.case_ids),
        )
        for cell in cells
    ]
    console.table(("layer", "cut", "slice", "failing", "cases"), rows, right=(3,))


def _more(console: Console, facts: "ScoreFacts") -> None:
    """Signals, repeats, uses of the test split, blind spots."""
    from builder.report.score_ground import blind_lines, use_lines
    from builder.report.score_wording import firm_lines

    if facts.signals:
        _title(console, "score.html.signals")
    for signal in facts.signals:
        behind = "".join(f" · {name} {value:.2f}" for name, value in signal.figures.items())
        console.text(f"  {signal.line.said(console.say)}{behind}")
    for line in firm_lines(facts, console.say):
        console.text(line)
    if facts.uses:
        console.text(use_lines(facts, console.say)[0])
    for fact in blind_lines(facts, console.say):
        console.text(f"{fact.name}: {fact.told}")


def _failing(console: Console, facts: "ScoreFacts") -> None:
    from builder.report.score_wording import layer_name

    if not facts.failing:
        return
    _title(console, "score.html.failing")
    rows = [
        (told.case_id, layer_name(told.layer, console.say), _because(console, told), told.question)
        for told in facts.failing[:_FIRST]
    ]
    console.table(("case_id", "layer", "reason", "question"), rows)
    console.out("score.look", first=facts.failing[0].case_id, run=facts.run, shown=len(rows), all=len(facts.failing))


def _because(console: Console, told: "Told") -> str:
    return told.why[0].said(console.say) if told.why else ""


def _title(console: Console, key: str) -> None:
    console.text("")
    console.out(key)


def _ids(case_ids: Sequence[str]) -> str:
    more = f" +{len(case_ids) - _IDS}" if len(case_ids) > _IDS else ""
    return " ".join(case_ids[:_IDS]) + more


def show_case(console: Console, told: "Told") -> None:
    """One answer: what the layers say, then question, reference, claims, answer and the texts of each stage."""
    from builder.report.score_wording import counted, layer_name

    layer = layer_name(told.layer, console.say) if told.layer else console.say("score.passes")
    console.out("score.case", case=told.case_id, repeat=told.repeat, layer=layer)
    for line in (*told.why, *told.looked):
        console.text(f"  {line.said(console.say)}")
    _side(console, "question", [*told.turns, told.question])
    _side(console, "reference", [told.reference])
    problem = [told.problem] if told.problem else []
    status = [counted(f"review.status.{told.status}", told.status, console.say)] if told.status else []
    _side(console, "answer", [*problem, told.answer or console.say("score.html.no_answer"), *status])
    _side(console, "claims", [f"{console.say(f'score.claim.{one.verdict}')}: {one.text}" for one in told.claims])
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
        found.append(f"{rank}{piece.name}{marks}" + (f"\n{piece.text}" if piece.text else ""))
    return found
