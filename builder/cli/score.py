"""builder score."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Console, session
from builder.cli.options import Json, Lang
from builder.cli.score_lines import show_case, show_score
from builder.cli.score_options import KS, Ks, Level, Levels, Map, Snapshot, ks_of, names_of
from builder.errors import BuilderError, InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from builder.app.score import ScoreAsked, ScoreReport
    from builder.report.score_answer import Told


def mount(app: typer.Typer) -> None:
    """Add the command and its hidden alias."""
    app.command("score")(score)
    app.command("evaluate", hidden=True)(score)


def score(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run: its name, or its file.", show_default=False)],
    snapshot: Snapshot = None,
    ks: Ks = KS,
    level: Levels = Level.PASSAGE,
    map_file: Map = None,
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

        files = {"html": html, "markdown": markdown, "junit": junit, "pull_request": pull_request}
        _together(gates, case, files)
        asked = ScoreAsked(
            run=run,
            snapshot=snapshot,
            ks=ks_of(ks),
            level=level.value,
            map_file=map_file,
            by=names_of(by),
            gates=gates,
            baseline=baseline,
        )
        if case is not None:
            _case(console, case_chain(Path.cwd(), asked, case))
            return
        report = score_run(Path.cwd(), asked)
        _show(console, report, asked, verbose)
        if report.no_flips is not None:
            console.talk("score.no_flips", why=report.no_flips.line(console.say))
        _write(console, report, files)
        if report.facts.release is not None and report.facts.release.exit_code:
            raise typer.Exit(report.facts.release.exit_code)


def _together(gates: Path | None, case: str | None, files: "Mapping[str, Path | None]") -> None:
    """Refuse what would be left undone without a word, or lose what is there.

    Raises:
        UsageError: a file of the whole run beside one case, one that tells of gates without any, or a report in the
            place of a run, a map or a gates file.
    """
    asked = [name for name, path in files.items() if path is not None]
    if case is not None and (asked or gates is not None):
        raise UsageError("score_case_alone", option=_option(asked[0] if asked else "gates"))
    needing = [name for name in asked if name in ("junit", "pull_request")]
    if needing and gates is None:
        raise UsageError("score_needs_gates", option=_option(needing[0]))
    for name, path in files.items():
        if path is not None and path.suffix in (".jsonl", ".toml"):
            raise UsageError("score_over_data", option=_option(name), file=path)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _again(asked: "ScoreAsked") -> str:
    """The command that scores the same again."""
    told = {"--snapshot": asked.snapshot, "--map": asked.map_file, "--level": asked.level}
    told = {name: value for name, value in told.items() if value not in (None, Level.PASSAGE.value)}
    return shlex.join(["builder", "score", asked.run, *(str(part) for pair in told.items() for part in pair)])


def _show(console: Console, report: "ScoreReport", asked: "ScoreAsked", verbose: bool) -> None:
    if console.as_json:
        from builder.report.score_json import score_json

        console.json(score_json(report.facts, console.say))
        return
    show_score(console, report.facts, by=asked.by, verbose=verbose, again=_again(asked))


def _case(console: Console, chain: "Sequence[Told]") -> None:
    from builder.report.score_json import told_json

    console.json([told_json(told, console.say) for told in chain])
    for told in chain:
        show_case(console, told)


def _write(console: Console, report: "ScoreReport", files: "Mapping[str, Path | None]") -> None:
    """Write the reports that were asked for; one that cannot be written keeps none of the others back.

    Raises:
        InputError: one could not be written.
    """
    failed: list[BuilderError] = []
    for kind, path in files.items():
        if path is None:
            continue
        try:
            _write_text(path, _text(report, kind, console))
        except InputError as error:
            failed.append(error)
        else:
            console.talk("score.written", file=path)
    for other in failed[1:]:
        console.error(other)
    if failed:
        raise failed[0]


def _text(report: "ScoreReport", kind: str, console: Console) -> str:
    if kind == "html":
        from builder.report.score_html import score_html

        return score_html(report.facts, console.say)
    if kind == "markdown":
        from builder.report.score_markdown import score_markdown

        return score_markdown(report.facts, console.say)
    if report.facts.release is None:
        raise UsageError("score_needs_gates", option=_option(kind))
    if kind == "junit":
        from builder.report.junit import junit

        return junit(report.facts.release, report.layers, console.say)
    from builder.report.pull_request import pull_request

    return pull_request(report.facts.release, report.layers, console.say)


def _write_text(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error
