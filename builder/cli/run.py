"""builder run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builder.cli.console import Bar, Console, session
from builder.cli.options import Json, Lang
from builder.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from builder.app.run_records import RunReport
    from builder.model.case import Split


Splits = Annotated[list[str] | None, typer.Option("--split", help="Only cases of this split (again: or that).")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="At most so many cases, drawn by the seed.")]
Facts = Annotated[list[str] | None, typer.Option("--config", help="KEY=VALUE: a fact about the system.")]
Body = Annotated[Path | None, typer.Option("--body", help="http: jinja2 template of the body.")]
Headers = Annotated[
    list[str] | None, typer.Option("--header", help="http: 'Name: {VARIABLE}', filled from the environment.")
]
Fields = Annotated[
    list[str] | None, typer.Option("--field", help="FIELD=dotted.path: where a field of the answer stands.")
]
From = Annotated[
    Path | None, typer.Option("--from", help="Ask nobody: take the answers in this file (results, traces).")
]
Format = Annotated[
    str, typer.Option("--format", help="With --from: otel, langfuse, phoenix, deepeval, ragas, plain, trec.")
]


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="The snapshot to ask.", show_default=False)],
    target: Annotated[str, typer.Option("--target", help="bm25, module:function, or http://…")] = "bm25",
    name: Annotated[str | None, typer.Option("--name", help="The run's name; else snapshot, target, splits.")] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Calls at a time.")] = 4,
    timeout: Annotated[float, typer.Option("--timeout", min=0.01, help="Seconds a call.")] = 60.0,
    repeats: Annotated[int, typer.Option("--repeat", min=1, help="Ask every case so many times.")] = 1,
    split: Splits = None,
    limit: Limit = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the choice within --limit.")] = 0,
    config: Facts = None,
    top: Annotated[int, typer.Option("--top", min=1, help="bm25: passages a question.")] = 10,
    body: Body = None,
    header: Headers = None,
    field: Fields = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask again what failed before.")] = False,
    from_: From = None,
    format_: Format = "auto",
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Ask a RAG system every question of a snapshot; the same command goes on where it was broken off."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.run import run as ask
        from builder.app.run_from import run_from
        from builder.app.run_records import RunAsked
        from builder.settings import find_workspace

        if format_ != "auto" and from_ is None:
            raise UsageError("run_option", option="--format", what=f"--target {target}")
        workspace = find_workspace(Path.cwd())
        asked = RunAsked(
            snapshot=snapshot,
            target=target,
            name=name,
            concurrency=concurrency,
            timeout=timeout,
            repeats=repeats,
            splits=_splits(split or ()),
            limit=limit,
            seed=seed,
            config=_pairs(config or ()),
            top=top,
            body=body,
            headers=tuple(header or ()),
            fields=_pairs(field or ()),
            retry_failed=retry_failed,
        )
        report = run_from(workspace, asked, from_, format_) if from_ else ask(workspace, asked, Bar(console.say))
        console.json(report.model_dump(mode="json"))
        show_run(console, report)
        if report.broken:
            raise typer.Exit(ExitCode.OUTSIDE)


def show_run(console: Console, report: "RunReport") -> None:
    """Print what became of a run."""
    answers = report.cases * report.repeats - report.missing
    console.out("run.done", answers=answers, **report.model_dump(include={"run", "target", "cases", "repeats"}))
    if report.format:
        console.out("run.taken", format=report.format, rows=report.rows, answers=report.there)
    elif report.there:
        console.talk("run.there", there=report.there, asked=report.asked)
    for reason, count in sorted(report.unmapped.items()):
        console.talk("run.unmapped", count=count, reason=console.say(f"run.lost.{reason}"))
    for row, reason, detail in report.unmapped_rows[:3]:
        console.talk("run.unmapped_row", row=row, reason=console.say(f"run.lost.{reason}"), detail=detail[:80])
    if report.holds:
        console.out("run.holds", fields=", ".join(f"{name} {count}" for name, count in report.holds.items()))
    if report.redacted:
        kinds = ", ".join(f"{console.say(f'redact.{kind}')} {count}" for kind, count in report.redacted.items())
        console.talk("run.redacted", kinds=kinds)
    _show_failed(console, report)
    if report.missing:
        console.talk("run.stopped" if report.stopped else "run.missing", missing=report.missing)
    if report.test_uses:
        console.talk("run.test_uses", uses=report.test_uses)


def _show_failed(console: Console, report: "RunReport") -> None:
    if report.failed and report.errors:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(report.errors.items()))
        console.talk("run.failed", failed=report.failed, kinds=kinds, last=report.last_error or "-")
    elif report.failed:
        console.talk("run.failed_rows" if report.format else "run.failed_before", failed=report.failed)


def _splits(names: "Iterable[str]") -> "tuple[Split, ...]":
    from builder.model.case import Split

    known = [split.value for split in Split]
    if unknown := [name for name in names if name not in known]:
        raise UsageError("run_split", split=unknown[0], known=", ".join(known))
    return tuple(sorted({Split(name) for name in names}))


def _pairs(lines: "Iterable[str]") -> dict[str, str]:
    pairs = [(line, *line.partition("=")) for line in lines]
    if wrong := [line for line, name, equals, value in pairs if not equals or not name.strip() or not value.strip()]:
        raise UsageError("assignment", text=wrong[0])
    return {name.strip(): value.strip() for _, name, _, value in pairs}
