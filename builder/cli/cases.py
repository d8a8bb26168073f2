"""builder cases: list, show, approve, reject, restore, enable, disable, edit, history."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from builder.cli.console import Console, session
from builder.cli.options import Dataset, Json, Lang, Who
from builder.errors import InputError

if TYPE_CHECKING:
    from builder.app.cases import CaseView
    from builder.model.case import Case

CaseIds = Annotated[list[str], typer.Argument(metavar="CASE_ID…", help="One or several.")]
Why = Annotated[str, typer.Option("--why", "-m", help="Why, in your words.")]


def mount(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look at cases and decide about them.")
    for name, command in (
        ("list", listing),
        ("show", show),
        ("approve", approve),
        ("reject", reject),
        ("restore", restore),
        ("enable", enable),
        ("disable", disable),
        ("edit", edit),
        ("history", history),
    ):
        group.command(name)(command)
    app.add_typer(group, name="cases")


def listing(
    state: Annotated[list[str] | None, typer.Option("--state", help="Only this review_state; repeatable.")] = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="manual, generated or feedback.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many.")] = None,
    dataset: Dataset = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List cases by id."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.cases import list_cases
        from builder.settings import find_workspace

        found = list_cases(
            find_workspace(Path.cwd()), dataset=dataset, states=state or (), sources=source or (), limit=limit
        )
        console.json([case.model_dump(mode="json") | {"enabled": case.enabled} for case in found])
        rows = [
            (
                case.case_id,
                console.say(f"review.source.{case.source}"),
                _state(console, case),
                " ".join(case.question.split()),
            )
            for case in found
        ]
        console.table(("case_id", "source", "state", "question"), rows)


def show(case_id: str, as_json: Json = False, lang: Lang = None) -> None:
    """Show a case: question, answer and source text."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.cases import show_case
        from builder.settings import find_workspace

        view = show_case(find_workspace(Path.cwd()), case_id)
        console.json(
            view.case.model_dump(mode="json")
            | {"enabled": view.enabled, "reference_chunk_ids": list(view.reference_chunk_ids)}
        )
        show_view(console, view)


def show_view(console: Console, view: "CaseView") -> None:
    """Print a case as text."""
    case = view.case
    console.out(
        "cases.head",
        case_id=case.case_id,
        source=console.say(f"review.source.{case.source}"),
        state=_state(console, case),
    )
    console.out("cases.question", text=case.question)
    if case.rejected_output:
        console.out("cases.rejected_output", text=case.rejected_output)
    console.out("cases.answer", text=case.ground_truth or console.say("cases.no_answer"))
    for evidence in case.evidence:
        console.out("cases.quote", text=evidence.quote, document=evidence.doc_id)
    if not case.evidence:
        console.out("cases.no_evidence")
    for chunk in view.chunks:
        console.out("cases.source", chunk_id=chunk.chunk_id, text=chunk.text)


def approve(case_ids: CaseIds, who: Who = None, as_json: Json = False, lang: Lang = None) -> None:
    """Approve: a person looked, and the case counts."""
    _decide("approve", case_ids, who, as_json, lang)


def reject(
    case_ids: CaseIds,
    reason: Annotated[str, typer.Option("--reason", "-r", help="wrong_answer, unsupported, unclear, closed_book, …")],
    why: Why = "",
    who: Who = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Reject with a reason; the case is kept."""
    _decide("reject", case_ids, who, as_json, lang, reason=reason, text=why)


def restore(case_ids: CaseIds, who: Who = None, as_json: Json = False, lang: Lang = None) -> None:
    """Take a rejection back."""
    _decide("restore", case_ids, who, as_json, lang)


def enable(case_ids: CaseIds, who: Who = None, as_json: Json = False, lang: Lang = None) -> None:
    """Let a case that was disabled by hand count again."""
    _decide("enable", case_ids, who, as_json, lang)


def disable(case_ids: CaseIds, why: Why = "", who: Who = None, as_json: Json = False, lang: Lang = None) -> None:
    """Keep a case, but do not count it."""
    _decide("disable", case_ids, who, as_json, lang, text=why)


def edit(
    case_id: str,
    set_: Annotated[list[str] | None, typer.Option("--set", help="FIELD=VALUE, the value as text or JSON.")] = None,
    who: Who = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Change fields of a case. Changes of question, answer or evidence take an approval back."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.cases import edit_case
        from builder.settings import find_workspace

        case = edit_case(find_workspace(Path.cwd()), case_id, dict(map(_assignment, set_ or [])), who=who)
        console.json(case.model_dump(mode="json"))
        console.out("cases.now", case_id=case.case_id, state=_state(console, case))


def history(case_id: str, as_json: Json = False, lang: Lang = None) -> None:
    """Show every change of a case: when, who, what, why."""
    with session(as_json=as_json, lang=lang) as console:
        from builder.app.cases import history as read
        from builder.settings import find_workspace

        found = read(find_workspace(Path.cwd()), case_id)
        console.json([revision.model_dump(mode="json") for revision in found])
        rows = [
            (row.number, f"{row.at:%Y-%m-%d %H:%M:%S}Z", row.who, row.action, ", ".join(row.before), row.reason)
            for row in found
        ]
        console.table(("revision", "at", "who", "action", "fields", "reason"), rows, right=(0,))


def _decide(action: str, case_ids: list[str], who: str | None, as_json: bool, lang: Any, **more: Any) -> None:
    with session(as_json=as_json, lang=lang) as console:
        from pydantic import ValidationError

        from builder.app.cases import decide_cases
        from builder.model.decision import Decision
        from builder.settings import find_workspace

        try:
            decision = Decision(action=action, **more)
        except ValidationError as error:
            raise InputError("reject_reason", reason=more.get("reason"), detail=error.errors()[0]["msg"]) from error
        found = decide_cases(find_workspace(Path.cwd()), case_ids, decision, who=who)
        console.json([case.model_dump(mode="json") for case in found])
        for case in found:
            console.out("cases.now", case_id=case.case_id, state=_state(console, case))


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError("assignment", text=text)
    try:
        return name.strip(), json.loads(value)
    except json.JSONDecodeError:
        return name.strip(), value  # plain text needs no quotes


def _state(console: Console, case: "Case") -> str:
    state = console.say(f"review.state.{case.review_state}")
    return f"{state} ({console.say(f'review.disabled.{case.disabled_reason}')})" if case.disabled_reason else state
