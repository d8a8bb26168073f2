"""The form that is edited outside: Markdown, a heading a field, comments for what is only to be read."""

import re
from dataclasses import dataclass

from builder.model.case import Case, Evidence
from builder.review.desk import Item
from builder.review.source import where
from builder.review.strip import shown
from builder.words import Words

_FIELDS = ("question", "ground_truth", "note")
_EVIDENCE = "evidence_groups"
_REQUIRED = ("question", "ground_truth")
_SPECIAL = re.compile(r"\\*(#|<!--)")
_NUMBER = re.compile(r"\s*\[(\d+)\]")
_QUOTE = 60
"""Characters of a quote that name it."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What a form changes."""

    changes: dict[str, object]
    """New values by field of Case; empty: no edit."""
    emptied: tuple[str, ...] = ()
    """Fields that were emptied and may not be; they keep their value."""


def form(item: Item, say: Words, draft: str = "") -> str:
    """The form for a case; `draft` is an earlier form that could not be saved, given as comments."""
    case = item.case
    lines = [_comment(say("review.form.top")), ""]
    for name in _FIELDS:
        lines += [f"# {say(f'review.field.{name}')}", "", *_hints(case, name, say), *_body(getattr(case, name)), ""]
    if case.evidence:
        lines += [f"# {say('review.field.evidence_groups')}", "", _comment(say("review.form.evidence"))]
        lines += [f"[{number}] {_short(one)}" for number, one in enumerate(case.evidence, 1)] + [""]
    lines += _sources(item, say) + _draft(draft, say)
    return "\n".join(lines).rstrip("\n") + "\n"


def read(before: str, after: str, case: Case, say: Words) -> Edit:
    """What `after` changes against `before`, both forms of `case`. An empty or unchanged form changes nothing."""
    if not after.strip():
        return Edit({})
    old, new = _parse(before, say), _parse(after, say)
    texts = {name: new[name] for name in _FIELDS if name in new and new[name] != old.get(name)}
    emptied = tuple(name for name in texts if not texts[name] and _keeps(case, name))
    changes: dict[str, object] = {name: text for name, text in texts.items() if name not in emptied}
    if _EVIDENCE in new and new[_EVIDENCE] != old.get(_EVIDENCE):
        groups = _kept(case, new[_EVIDENCE])
        changes |= {_EVIDENCE: groups} if groups != case.evidence_groups else {}
    return Edit(changes, emptied)


def _keeps(case: Case, name: str) -> bool:
    """A question is always needed, an answer unless the documents hold none."""
    return name in _REQUIRED and (name == "question" or case.answerable)


def _kept(case: Case, text: str) -> tuple[tuple[Evidence, ...], ...]:
    """The evidence whose line still stands."""
    numbers = {int(found[1]) for line in text.splitlines() if (found := _NUMBER.match(line))}
    places = iter(range(1, len(case.evidence) + 1))
    groups = (tuple(one for one in group if next(places) in numbers) for group in case.evidence_groups)
    return tuple(group for group in groups if group)


def _parse(text: str, say: Words) -> dict[str, str]:
    """Texts by field. Headings that are not ours belong to the text; a backslash before # or <!-- is taken off."""
    headings = {f"# {say(f'review.field.{name}')}": name for name in (*_FIELDS, _EVIDENCE)}
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.lstrip("\ufeff").replace("\r\n", "\n").split("\n"):
        if (heading := headings.get(line.rstrip())) is not None:
            name = heading
            found[name] = []
        elif name and not line.startswith("<!--"):
            found[name].append(line[1:] if line.startswith("\\") and _SPECIAL.match(line) else line)
    return {field: "\n".join(lines).strip() for field, lines in found.items()}


def _body(text: str) -> list[str]:
    lines = shown(text.replace("\r\n", "\n")).strip().split("\n")
    return [f"\\{line}" if _SPECIAL.match(line) else line for line in lines]


def _hints(case: Case, name: str, say: Words) -> list[str]:
    """What helps to write the answer; the answer that was voted down is never offered as one."""
    if name != "ground_truth":
        return []
    hints = [_comment(say("review.form.answer"))]
    if case.rejected_output:
        hints += _comments(say("review.field.rejected_output") + say("review.voted_down"), case.rejected_output)
    for comment in case.origin.comments if case.origin else ():
        hints += _comments(say("review.field.comments"), comment)
    return hints


def _sources(item: Item, say: Words) -> list[str]:
    lines: list[str] = []
    for passage in dict.fromkeys(item.passages or item.proposals):
        lines += ["", *_comments(where(passage, say), passage.text)]
    return lines


def _draft(draft: str, say: Words) -> list[str]:
    return ["", *_comments(say("review.form.draft"), draft)] if draft else []


def _comments(label: str, text: str) -> list[str]:
    return [_comment(f"{label}:"), *(_comment(f"  {line}") for line in shown(text).split("\n"))]


def _comment(line: str) -> str:
    return f"<!-- {line} -->"


def _short(evidence: Evidence) -> str:
    quote = " ".join(shown(evidence.quote).split())
    return quote if len(quote) <= _QUOTE else f"{quote[:_QUOTE]}…"
