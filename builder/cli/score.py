"""builder score."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Json, Lang
from builder.cli.score_lines import show_case, show_score
from builder.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from builder.app.score import ScoreAsked, ScoreReport
    from builder.report.score_answer import Told


class Level(StrEnum):
    """What counts as found."""

    PASSAGE = "passage"
    DOCUMENT = "document"


def mount(app: typer.Typer) -> None:
    """Add the command and its hidden alias."""
    app.command("score")(score)
    app.command("evaluate", hidden=True)(score)


def score(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run: its name, or its file.", show_default=False)],
    snapshot: Annotated[
        str | None, typer.Option("--snapshot", help="Its snapshot: name or folder; else the one that the run names.")
    ] = None,
    ks: Annotated[str, typer.Option("--k", help="How many candidates to look at.")] = "1,3,5,10",
    level: Annotated[Level, typer.Option("--level", help="Found is the passage, or any of its document.")] = (
        Level.PASSAGE
    ),
    map_file: Annotated[
        Path | None, typer.Option("--map", help="JSON lines {id, doc_id, span}: what the system's ids stand for.")
    ] = None,
    by: Annotated[
        str, typer.Option("--by", help="Slices to show: type,source,risk,tag,… (-v: all figures of them)")
    ] = "type",
    case: Annotated[str | None, typer.Option("--case", help="Show one case's chain with its texts.")] = None,
    gates: Annotated[Path | None, typer.Option("--gates", help="Judge the run by this gates file.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="The approved run to compare with.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Also write the report as one HTML file.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="Also write the report as Markdown.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="With --gates: write JUnit XML.")] = None,
    pull_request: Annotated[
        Path | None, typer.Option("--pull-request", help="With --gates: write Markdown for a pull request.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="All metrics, and what they do not tell.")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Score a run: figures by slice, the layer that broke first, and with --gates whether it may be released."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.score import ScoreAsked, case_chain, score_run

        _together(gates, junit=junit, pull_request=pull_request)
        asked = ScoreAsked(
            run=run,
            snapshot=snapshot,
            ks=_ks(ks),
            level=level.value,
            map_file=map_file,
            by=_names(by),
            gates=gates,
            baseline=baseline,
        )
        if case is not None:
            _case(console, case_chain(Path.cwd(), asked, case))
            return
        report = score_run(Path.cwd(), asked)
        _show(console, report, asked, verbose)
        _write(console, report, {"html": html, "markdown": markdown, "junit": junit, "pull_request": pull_request})
        if report.release is not None and report.release.exit_code:
            raise typer.Exit(report.release.exit_code)


def _together(gates: Path | None, **needing: Path | None) -> None:
    for name, value in needing.items():
        if value is not None and gates is None:
            raise UsageError("score_needs_gates", option=f"--{name.replace('_', '-')}")


def _ks(text: str) -> tuple[int, ...]:
    """1,3,5 as numbers.

    Raises:
        UsageError: no such list.
    """
    names = _names(text)
    if not names or not all(name.isascii() and name.isdigit() and 0 < int(name) <= 10_000 for name in names):
        raise UsageError("score_k", given=text)
    return tuple(sorted({int(name) for name in names}))


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.replace("，", ",").split(",") if name.strip()))


def _show(console: Console, report: "ScoreReport", asked: "ScoreAsked", verbose: bool) -> None:
    if console.as_json:
        from builder.report.score_json import score_json

        console.json(score_json(report.facts, console.say))
        return
    show_score(console, report.facts, by=asked.by, verbose=verbose)


def _case(console: Console, chain: "Sequence[Told]") -> None:
    from builder.report.score_json import told_json

    console.json([told_json(told, console.say) for told in chain])
    for told in chain:
        show_case(console, told)


def _write(console: Console, report: "ScoreReport", files: "Mapping[str, Path | None]") -> None:
    """Write the reports that were asked for."""
    for kind, path in files.items():
        if path is not None:
            _write_text(path, _text(report, kind, console))
            console.talk("score.written", file=path)


def _text(report: "ScoreReport", kind: str, console: Console) -> str:
    if kind == "html":
        from builder.report.score_html import score_html

        return score_html(report.facts, console.say)
    if kind == "markdown":
        from builder.report.score_markdown import score_markdown

        return score_markdown(report.facts, console.say)
    if report.release is None:
        raise UsageError("score_needs_gates", option=f"--{kind.replace('_', '-')}")
    if kind == "junit":
        from builder.report.junit import junit

        return junit(report.release, report.layers, console.say)
    from builder.report.pull_request import pull_request

    return pull_request(report.release, report.layers, console.say)


def _write_text(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error
