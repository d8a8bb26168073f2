"""Which cases are meant: `type=multi_hop risk=refund 保修`, in review, in the sheet, wherever cases are chosen."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from pydantic import BaseModel

from builder.errors import InputError
from builder.model.case import (
    Case,
    CheckOutcome,
    DisabledReason,
    QuestionType,
    RejectReason,
    ReviewState,
    Source,
    Split,
    Style,
)
from builder.text.fold import folded

ANY, NONE = "any", "none"
"""Values that fit whatever is there, and what is empty."""


@dataclass(frozen=True, slots=True)
class Term:
    """One condition."""

    name: str
    """A name of NAMES, or a field of Case, with dots into nested ones."""
    values: tuple[str, ...]
    """One of these is enough."""
    wanted: bool = True
    """False for `!=`: none of them fits."""

    def __str__(self) -> str:
        value = ",".join(self.values)
        if self.name == "text" and self.wanted and not set(value) & set(_MARKS):
            return value
        return f"{self.name}{'=' if self.wanted else '!='}{_quoted(value)}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that all hold; without any, every case fits."""

    terms: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.terms))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def names(self, name: str) -> bool:
        """One of its conditions is about `name`."""
        return any(term.name == name for term in self.terms)


def parse(text: str) -> Filter:
    """The filter that an expression says: `name=value` (several values with commas), `name!=value`, words of the text.

    Raises:
        InputError: an unknown name or value, or a quote that is not closed.
    """
    plain = text.replace("＝", "=").replace("！=", "!=").replace("\u3000", " ").replace("，", ",")
    lexer = shlex.shlex(plain, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return Filter(tuple(map(_term, lexer)))
    except ValueError as error:
        raise InputError("filter_quote", text=text) from error


def matches(case: Case, wanted: Filter) -> bool:
    """The case fits all conditions."""
    return all(_fits(case, term) for term in wanted.terms)


def _term(token: str) -> Term:
    name, equals, value = token.partition("=")
    if not equals:
        return Term("text", (token,))
    name, wanted = name.removesuffix("!").strip(), not name.endswith("!")
    if name not in NAMES and name.split(".")[0] not in Case.model_fields:
        raise InputError("filter_name", name=name, known=", ".join(NAMES))
    values = (value,) if name == "text" else tuple(part.strip() for part in value.split(","))
    kind = _KINDS.get(name)
    if kind and (unknown := [one for one in values if one not in (*kind, ANY, NONE, "")]):
        raise InputError("filter_value", name=name, value=unknown[0], known=", ".join(kind))
    return Term(name, values, wanted)


def _fits(case: Case, term: Term) -> bool:
    found = any(_one(case, term.name, value) for value in term.values)
    return found is term.wanted


def _one(case: Case, name: str, value: str) -> bool:
    if name in NAMES:
        return NAMES[name](case, value)
    return _is(_at(case, name.split(".")), value)


def _is(held: Any, value: str) -> bool:
    """A single value as it is written, or one of several; `any` and `none` for whether there is something at all."""
    if value in (ANY, NONE, ""):
        return bool(held) is (value == ANY)
    if isinstance(held, tuple | list):
        return any(_is(one, value) for one in held)
    return _written(held).casefold() == value.casefold()


def _at(held: Any, path: Iterable[str]) -> Any:
    for name in path:
        held = tuple(_step(one, name) for one in held) if isinstance(held, tuple | list) else _step(held, name)
    return held


def _step(held: Any, name: str) -> Any:
    return held.get(name) if isinstance(held, Mapping) else getattr(held, name, None)


def _written(held: Any) -> str:
    if isinstance(held, bool):
        return "true" if held else "false"
    return held.model_dump_json() if isinstance(held, BaseModel) else str(held)


def _text(case: Case, value: str) -> bool:
    comments = case.origin.comments if case.origin else ()
    turns = (turn.text for turn in case.conversation)
    claims = (claim.text for claim in case.claims)
    wanted = folded(value)
    texts = (case.question, case.ground_truth, case.rejected_output, case.note, *turns, *comments, *claims)
    return any(wanted in folded(text) for text in texts)


def _check(case: Case, value: str) -> bool:
    """`NAME` that did not pass, `NAME:pass`, `any` that did not pass, `none`: all passed."""
    name, _, asked = value.partition(":")
    wanted = {asked} if asked else {CheckOutcome.FAIL, CheckOutcome.WARN}
    found = any(one.outcome in wanted and name in (one.name, ANY, NONE) for one in case.checks)
    return found is (name != NONE)


def _document(case: Case, value: str) -> bool:
    """A glob on the documents of the evidence, or a part of their ids."""
    ids = {one.doc_id for one in case.evidence}
    if value in (ANY, NONE, ""):
        return _is(tuple(ids), value)
    return any(fnmatchcase(doc_id, value) or value in doc_id for doc_id in ids)


_MARKS = " \t=!'\","


def _quoted(value: str) -> str:
    if not set(value) & set(" \t'\""):
        return value
    return f'"{value}"' if '"' not in value else f"'{value}'"


NAMES: dict[str, Callable[[Case, str], bool]] = {
    "state": lambda case, value: _is(case.review_state, value),
    "type": lambda case, value: _is(case.question_type, value),
    "source": lambda case, value: _is(case.source, value),
    "check": _check,
    "risk": lambda case, value: _is(case.risk, value),
    "tag": lambda case, value: _is(case.tags, value),
    "doc": _document,
    "text": _text,
    "disabled": lambda case, value: _is(case.disabled_reason, value),
    "id": lambda case, value: case.case_id.startswith(value),
}
"""Short names of conditions; every field of Case is one, too."""

_KINDS: dict[str, type[StrEnum]] = {
    "state": ReviewState,
    "type": QuestionType,
    "source": Source,
    "disabled": DisabledReason,
    "split": Split,
    "style": Style,
    "reject_reason": RejectReason,
    "review_state": ReviewState,
    "question_type": QuestionType,
    "disabled_reason": DisabledReason,
}
