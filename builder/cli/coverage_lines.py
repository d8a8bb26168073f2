"""The lines of a coverage report."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from builder.cli.console import Console

if TYPE_CHECKING:
    from builder.app.coverage import Counts, CoverageReport, Place

_FIGURES = ("extractable", "kept", "boilerplate", "replaced_by_ocr", "discarded", "lost", "ocr_kept", "ocr_lost")
_FIRST = 5
"""So many items of a list are named; --json has all."""


def show_report(console: Console, report: "CoverageReport", *, pages: bool, bar: float | None) -> None:
    """Show a report: documents, or the pages of one; then what was measured. `bar` is told where it was not reached."""
    if pages:
        rows = [page for document in report.documents for page in document.pages]
        table = [(page.number, console.say(f"origin.{page.origin}"), *_figures(page)) for page in rows]
        console.table(("page", "origin", *_FIGURES), table, right=(0, *range(2, 10)))
    else:
        documents = [(row.doc_id, len(row.pages), *_figures(row), row.chunks) for row in report.documents]
        console.table(("doc_id", "pages", *_FIGURES, "chunks"), documents, right=range(1, 11))
    _characters(console, report)
    _tables(console, report)
    _images(console, report)
    _chunks(console, report)
    _conditions(console, report)
    _metadata(console, report)
    _rules(console, report)
    if bar is not None:
        share, pages_ = _share(console, report.kept_percent), report.pages
        console.talk("coverage.under", bar=f"{bar:g}", share=share, covered=pages_.covered, expected=pages_.expected)


def _figures(counts: "Counts") -> tuple[int, ...]:
    return tuple(getattr(counts, name) for name in _FIGURES)


def _characters(console: Console, report: "CoverageReport") -> None:
    totals, pages = report.totals, report.pages
    lost = totals.lost + totals.ocr_lost
    share = _share(console, report.kept_percent)
    console.out("coverage.kept", share=share, wanted=totals.wanted, lost=lost, discarded=totals.discarded)
    console.out("coverage.pages", covered=pages.covered, expected=pages.expected, blank=pages.blank)
    uncovered = [f"{row.doc_id} {page}" for row in report.documents for page in row.page_share.uncovered]
    _list(console, "coverage.uncovered", uncovered)


def _tables(console: Console, report: "CoverageReport") -> None:
    for name in ("tables", "annotated"):
        found = [(row.doc_id, rows) for row in report.documents if (rows := getattr(row, name)) and rows.rows]
        if found:
            kept, total = (sum(getattr(rows, field) for _, rows in found) for field in ("kept", "rows"))
            console.out(f"coverage.{name}", kept=kept, rows=total)
        elif name == "tables":
            console.out("coverage.no_tables")
        for field in ("headless", "broken"):
            places = [where.replace(doc_id=doc_id) for doc_id, rows in found for where in getattr(rows, field)]
            _list(console, f"coverage.{field}", _lines(console, places))


def _images(console: Console, report: "CoverageReport") -> None:
    found = [row.ocr for row in report.documents if row.ocr]
    if not found:
        return
    pages = sum(one.pages for one in found)
    weak = [f"{row.doc_id} {page}" for row in report.documents if row.ocr for page in row.ocr.weak_pages]
    known = [(one.confidence, one.pages) for one in found if one.confidence is not None]
    mean = sum(value * count for value, count in known) // max(1, sum(count for _, count in known))
    if pages:
        console.out("coverage.ocr", pages=pages, confidence=mean if known else "-", weak=len(weak))
        _list(console, "coverage.weak_pages", weak)
    wrong, length, true = (sum(getattr(one, name) for one in found) for name in ("wrong", "length", "true_pages"))
    if true:
        share = f"{wrong * 100 / length:.2f} %" if length else _share(console, None)
        console.out("coverage.truth", wrong=wrong, length=length, pages=true, share=share)


def _chunks(console: Console, report: "CoverageReport") -> None:
    names = ("empty", "short", "long", "orphans")
    faults = {name: _faults(report, name) for name in names}
    counts = {name: len(items) for name, items in faults.items()}
    chunks = sum(row.chunks for row in report.documents)
    repeated = sum(len(group) - 1 for group in report.near_duplicates)
    console.out("coverage.chunks", chunks=chunks, repeated=repeated, **counts)
    for name in names:
        _list(console, f"coverage.{name}", faults[name])
    _list(console, "coverage.repeated", [" = ".join(group[:3]) for group in report.near_duplicates])
    broken = _faults(report, "irreversible")
    if broken:
        console.out("coverage.irreversible", count=len(broken), chunks=chunks, items=_items(console, broken))
    elif chunks:
        console.out("coverage.reversible", chunks=chunks)


def _conditions(console: Console, report: "CoverageReport") -> None:
    faults = [row.faults for row in report.documents if row.faults]
    cut = _faults(report, "cut")
    console.out("coverage.exceptions", cut=len(cut), exceptions=sum(one.exceptions for one in faults))
    _list(console, "coverage.cut", cut)
    rows = [row for row in report.documents if row.negations]
    lost = [where.replace(doc_id=row.doc_id) for row in rows if row.negations for where in row.negations.lost]
    seen = sum(row.negations.seen for row in report.documents if row.negations)
    console.out("coverage.negations", lost=len(lost), seen=seen)
    _list(console, "coverage.negations_lost", _lines(console, lost))


def _metadata(console: Console, report: "CoverageReport") -> None:
    names = dict.fromkeys(chain.from_iterable(row.missing for row in report.documents))
    counts = {name: sum(len(row.missing.get(name, ())) for row in report.documents) for name in names}
    if not counts:
        console.out("coverage.complete")
        return
    items = [console.say("coverage.missing_of", name=_name(console, name), count=n) for name, n in counts.items()]
    console.out("coverage.missing", items=_joined(console, items))


def _name(console: Console, name: str) -> str:
    key = f"coverage.name.{name}"
    return console.say(key) if key in console.say else name


def _rules(console: Console, report: "CoverageReport") -> None:
    """Every rule in a line; one that failed is told on stderr, so that it is seen beside --json too."""
    for rule in report.rules:
        line = console.say(f"coverage.rule.{rule.name}", found=rule.found, wanted=rule.wanted)
        places = _items(console, _lines(console, rule.where))
        where = console.say("coverage.html.where", place=places) if rule.where else ""
        outcome = console.say(f"coverage.outcome.{rule.outcome}")
        tell = console.talk if rule.outcome == "fail" else console.out
        tell("coverage.rule_line", outcome=outcome, rule=line + where)


def _faults(report: "CoverageReport", name: str) -> list[str]:
    return [item for row in report.documents if row.faults for item in getattr(row.faults, name)]


def _list(console: Console, key: str, items: Sequence[str]) -> None:
    if items:
        console.out(key, items=_items(console, items))


def _items(console: Console, items: Sequence[str]) -> str:
    shown = _joined(console, [" ".join(item.split()) for item in items[:_FIRST]])
    rest = len(items) - _FIRST
    return console.say("coverage.more", items=shown, count=rest) if rest > 0 else shown


def _joined(console: Console, items: Iterable[str]) -> str:
    return console.say("review.comma").join(items)


def _lines(console: Console, places: Iterable["Place"]) -> list[str]:
    from builder.report.places import place_line

    return [place_line(place, console.say) for place in places]


def _share(console: Console, value: float | None) -> str:
    from builder.report.places import share

    return share(value, console.say)
