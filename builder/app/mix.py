"""What kinds of questions are asked for: `--types`, `--styles`, `--mix`."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

from builder.errors import UsageError
from builder.generate.styles import STYLES
from builder.generate.types import TYPES
from builder.model.case import QuestionType, Style

Kind = TypeVar("Kind", bound=StrEnum)


def kinds(types: str, styles: str, mix: str) -> tuple[dict[QuestionType, int], dict[Style, int]]:
    """Types and styles with their weights. `all` names all; what `--mix` names need not be named before.

    Raises:
        UsageError: no such type or style, or a weight that is no number above 0.
    """
    weights = {name: _weight(name, text) for name, text in _pairs(mix)}
    both = {*TYPES, *STYLES, Style.FORMAL}
    for name in weights:
        if name not in both:
            raise UsageError("no_such_kind", name=name, names=", ".join(sorted(both)))
    wanted_types = [*_named(types, tuple(TYPES)), *(name for name in TYPES if name in weights)]
    wanted_styles = [*_named(styles, tuple(STYLES)), *(name for name in (*STYLES, Style.FORMAL) if name in weights)]
    return (
        {name: weights.get(name, 1) for name in dict.fromkeys(wanted_types)},
        {name: weights.get(name, 1) for name in dict.fromkeys(wanted_styles)},
    )


def _named(text: str, known: tuple[Kind, ...]) -> Iterator[Kind]:
    words = [word.strip() for word in text.replace("，", ",").split(",") if word.strip()]
    if words == ["all"]:
        yield from known
        return
    for word in words:
        if word not in known:
            raise UsageError("no_such_kind", name=word, names=", ".join(known))
        yield from (name for name in known if name == word)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for part in text.replace("，", ",").split(","):
        if part.strip():
            name, _, weight = part.partition("=")
            yield name.strip(), weight.strip()


def _weight(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError("mix_weight", name=name, text=text)
    return int(text)
