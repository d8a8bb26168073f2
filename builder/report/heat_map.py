"""The page heat map: every page of every document as a tile, the colder the more of it is missing from the chunks."""

from collections.abc import Sequence

from builder.model.coverage import CoverageReport, DocumentCoverage, PageCoverage, Rule
from builder.model.document import PageOrigin
from builder.report.places import place_line, share
from builder.report.shell import Html, joined, page, tag, text
from builder.words import Words

_LEVELS = ((100.0, "l4"), (98.0, "l3"), (90.0, "l2"), (50.0, "l1"), (0.0, "l0"))
"""From so many per cent kept on, this colour."""
_COLUMNS = ("extractable", "kept", "boilerplate", "replaced_by_ocr", "discarded", "lost", "ocr_kept", "ocr_lost")


def heat_map(report: CoverageReport, say: Words) -> str:
    """One HTML file that stands alone."""
    title = say("coverage.html.title")
    body = joined(
        [
            tag("h1", text(title)),
            tag("p", text(say("coverage.html.what")), css="faint"),
            _figures(report, say),
            _rules(report.rules, say),
            _legend(say),
            *(_document(document, say) for document in report.documents),
        ]
    )
    return page(title, body, language=say.language)


def _figures(report: CoverageReport, say: Words) -> Html:
    pages, totals = report.pages, report.totals
    tables = [document.tables for document in report.documents if document.tables]
    rows, kept = sum(one.rows for one in tables), sum(one.kept for one in tables)
    figures = [
        (share(report.kept_percent, say), "kept"),
        (f"{totals.lost + totals.ocr_lost:,}", "lost"),
        (f"{pages.covered:,} / {pages.expected:,}", "pages"),
        (f"{pages.blank:,}", "blank"),
        (f"{kept:,} / {rows:,}", "rows"),
        (f"{sum(document.chunks for document in report.documents):,}", "chunks"),
    ]
    return tag("div", *(_figure(value, say(f"coverage.html.{name}")) for value, name in figures), css="figures")


def _figure(value: str, name: str) -> Html:
    return tag("div", tag("b", text(value)), tag("span", text(name)), css="figure")


def _rules(rules: Sequence[Rule], say: Words) -> Html:
    items = [
        tag(
            "li",
            tag("span", text(say(f"coverage.outcome.{rule.outcome}")), css=f"mark {rule.outcome}"),
            text(say(f"coverage.rule.{rule.name}", found=rule.found, wanted=rule.wanted)),
            text(_where(rule, say)),
        )
        for rule in rules
    ]
    return tag("ul", *items, css="rules") if items else Html("")


def _where(rule: Rule, say: Words) -> str:
    more = " …" if len(rule.where) > 1 else ""
    return say("coverage.html.where", place=place_line(rule.where[0], say) + more) if rule.where else ""


def _legend(say: Words) -> Html:
    items = [(css, say(f"coverage.level.{css}")) for _, css in _LEVELS]
    items += [(origin.value, say(f"coverage.level.{origin}")) for origin in (PageOrigin.WAITING, PageOrigin.BLANK)]
    shown = [tag("span", tag("i", css=css), text(name)) for css, name in items]
    return tag(
        "div",
        *shown,
        tag("span", tag("span", text("7"), css="ocr"), text(f"  {say('coverage.level.ocr')}")),
        css="legend",
    )


def _document(document: DocumentCoverage, say: Words) -> Html:
    origins = [f"{say(f'origin.{origin}')} {count}" for origin, count in document.origins.items()]
    about = [document.doc_id, *origins, say("coverage.html.of_chunks", chunks=document.chunks)]
    head = tag("div", tag("h2", text(document.title or document.doc_id)), _share(document, say), css="head")
    problem = [tag("p", text(say(f"problem.{document.problem.code}")), css="fail")] if document.problem else []
    tiles = tag("ol", *(_tile(row, say) for row in document.pages), css="tiles")
    return tag(
        "section", head, tag("div", text(" · ".join(about)), css="faint"), *problem, tiles, _table(document, say)
    )


def _share(document: DocumentCoverage, say: Words) -> Html:
    return tag("span", text(share(document.kept_share, say)), css="share")


def _tile(row: PageCoverage, say: Words) -> Html:
    level = _level(row)
    css = f"{level} ocr" if row.origin in (PageOrigin.OCR, PageOrigin.HIDDEN) else level
    told = say(
        "coverage.html.tile",
        page=row.number,
        origin=say(f"origin.{row.origin}"),
        share=share(row.kept_share, say),
        lost=row.lost + row.ocr_lost,
    )
    return tag("li", text(row.number), css=css, title=told)


def _level(row: PageCoverage) -> str:
    if row.origin in (PageOrigin.BLANK, PageOrigin.WAITING):
        return row.origin.value
    if row.origin is PageOrigin.FAILED:
        return "l0"
    kept = 100.0 if row.kept_share is None else row.kept_share
    return next(css for least, css in _LEVELS if kept >= least)


def _table(document: DocumentCoverage, say: Words) -> Html:
    if not document.pages:
        return Html("")
    heads = [tag("th", text(say(f"head.{name}")), css=css) for name, css in (("page", ""), ("origin", "word"))]
    heads += [tag("th", text(say(f"head.{name}"))) for name in _COLUMNS]
    rows = [
        tag(
            "tr",
            tag("td", text(row.number)),
            tag("td", text(say(f"origin.{row.origin}")), css="word"),
            *(tag("td", text(f"{getattr(row, name):,}")) for name in _COLUMNS),
        )
        for row in document.pages
    ]
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag("details", tag("summary", text(say("coverage.html.details"))), tag("div", table, css="scroll"))
