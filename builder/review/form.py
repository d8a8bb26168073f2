"""The form that is edited outside: Markdown, a heading a field, comments for what is only to be read."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from builder.model.case import Case, Status
from builder.review.form_fields import FIELDS, Blank, WrongValueError, status_word
from builder.review.groups import cleared
from builder.review.source import where
from builder.review.state import Message
from builder.review.strip import shown
from builder.words import Words

_REQUIRED = ("question", "ground_truth")
_SPECIAL = re.compile(r"\\*(#|<!--)")


@dataclass(frozen=True, slots=True)
class Edit:
    """What a form changes."""

    changes: dict[str, object]
    """New values by field of Case; empty: no edit."""
    emptied: tuple[str, ...] = ()
    """Fields that were emptied and may not be; they keep their value."""
    faults: tuple[Message, ...] = ()
    """What cannot be read, a message a field; then nothing of the form holds."""


def form(blank: Blank, say: Words, draft: str = "", only: Collection[str] = FIELDS) -> str:
    """The form for a case; `draft` is an earlier form for another revision of it, given as comments.

    `only` names the fields that it has.
    """
    lines = [_comment(say("review.form.top")), ""]
    for name in (name for name in FIELDS if name in only):
        written = FIELDS[name].lines(blank, say)
        lines += [_heading(name, say), "", *_hints(blank, name, say), *map(_escaped, written), ""]
    lines += _sources(blank, say) + _draft(draft, say)
    return "\n".join(lines).rstrip("\n") + "\n"


def again(draft: str, say: Words) -> str:
    """A form that could not be saved, to be put right."""
    head = _comment(say("review.form.draft"))
    return "\n".join([head, *(line for line in draft.split("\n") if line != head)])


def read(before: str, after: str, blank: Blank, say: Words) -> Edit:
    """What `after` changes against `before`, the form of `blank`. An empty or unchanged form changes nothing."""
    if not after.strip():
        return Edit({})
    old, new = _parse(before, say), _parse(after, say)
    texts = {name: new[name] for name in FIELDS if name in new and new[name] != old.get(name)}
    emptied = tuple(name for name in texts if not texts[name] and _keeps(blank.case, name))
    changes: dict[str, object] = {}
    faults: list[Message] = []
    for name, text in texts.items():
        try:
            if name not in emptied and (value := FIELDS[name].value(text, blank, say)) != getattr(blank.case, name):
                changes[name] = value
        except WrongValueError as error:
            faults.append(error.message)
    groups = changes.get("evidence_groups")
    changes |= cleared(blank.case, groups) if isinstance(groups, tuple) else {}
    return Edit({} if faults else changes, emptied, tuple(faults))


def _keeps(case: Case, name: str) -> bool:
    """A question is always needed, an answer unless the documents hold none."""
    return name in _REQUIRED and (name == "question" or case.answerable)


def _heading(name: str, say: Words) -> str:
    return f"# {say(f'review.field.{name}')}"


def _parse(text: str, say: Words) -> dict[str, str]:
    """Texts by field. Headings that are not ours belong to the text; a backslash before # or <!-- is taken off."""
    headings = {_heading(name, say): name for name in FIELDS}
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.lstrip("\ufeff").replace("\r\n", "\n").split("\n"):
        if (heading := headings.get(line.rstrip())) is not None:
            name = heading
            found[name] = []
        elif name and not line.startswith("<!--"):
            found[name].append(line[1:] if line.startswith("\\") and _SPECIAL.match(line) else line)
    return {field: "\n".join(lines).strip() for field, lines in found.items()}


def _escaped(line: str) -> str:
    return f"\\{line}" if _SPECIAL.match(line) else line


def _hints(blank: Blank, name: str, say: Words) -> list[str]:
    """What helps to write a field; the answer that was voted down is never offered as the reference."""
    values: dict[str, object] = {
        "known": say("review.comma").join(blank.risks),
        "status": say("review.comma").join(status_word(status, say) for status in Status),
    }
    hints = [_comment(say(f"review.form.{name}", **values))] if f"review.form.{name}" in say else []
    if name != "ground_truth":
        return hints
    case = blank.case
    if case.rejected_output:
        hints += _comments(say("review.field.rejected_output") + say("review.voted_down"), case.rejected_output)
    for comment in case.origin.comments if case.origin else ():
        hints += _comments(say("review.field.comments"), comment)
    return hints


def _sources(blank: Blank, say: Words) -> list[str]:
    """The numbered passages with their text; those that lie in one text are named together."""
    texts: dict[tuple[str, str], list[int]] = {}
    for number, passage in enumerate(blank.passages, 1):
        texts.setdefault((where(passage, say), passage.text), []).append(number)
    lines: list[str] = []
    for (place, text), numbers in texts.items():
        lines += ["", *_comments(f"{' '.join(f'[{number}]' for number in numbers)} {place}", text)]
    return lines


def _draft(draft: str, say: Words) -> list[str]:
    return ["", *_comments(say("review.form.draft"), draft)] if draft else []


def _comments(label: str, text: str) -> list[str]:
    return [_comment(f"{label}:"), *(_comment(f"  {line}") for line in shown(text).split("\n"))]


def _comment(line: str) -> str:
    return f"<!-- {line} -->"
