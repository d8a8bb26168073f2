"""The types of questions, one file each: what to ask about, which prompt, and which cases are of the type at all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.model.case import Case, QuestionType

TYPES: Mapping[QuestionType, str] = {
    QuestionType.SINGLE_FACT: "builder.generate.types.single_fact",
    QuestionType.MULTI_CONDITION: "builder.generate.types.multi_condition",
    QuestionType.CONDITION_PAIR: "builder.generate.types.condition_pair",
    QuestionType.COMPOUND: "builder.generate.types.compound",
    QuestionType.MULTI_HOP: "builder.generate.types.multi_hop",
    QuestionType.COMPARISON: "builder.generate.types.comparison",
    QuestionType.EXACT_TERM: "builder.generate.types.exact_term",
    QuestionType.UNANSWERABLE: "builder.generate.types.unanswerable",
    QuestionType.CONFLICT: "builder.generate.types.conflict",
    QuestionType.PERMISSION: "builder.generate.types.permission",
    QuestionType.INJECTION: "builder.generate.types.injection",
}
"""Modules by type; each has `units(material)` and `accept(cases, call, material)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One thing that a type can ask about."""

    chunk_ids: tuple[str, ...]
    """Chunks to be shown, in the order of their numbers; the first one stands for the unit when it is spread."""
    asked: int = 1
    """Items asked for."""
    makes: int = 1
    """Cases that one item becomes."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the prompt and the acceptance test need: words of the documents, dates, names of users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What a type takes of a reply."""

    cases: tuple[Case, ...]
    """Cases of the type: as they came, completed, or made from one another."""
    drops: Mapping[str, int] = field(default_factory=dict)
    """Cases refused, by reason: keys of the word lists below `generate.drop`."""


class TypeModule(Protocol):
    """One module of TYPES."""

    def units(self, material: Material) -> Iterator[Unit]:
        """What there is to ask about in `material.allowed`, in reading order; the same corpus gives the same units."""

    def accept(self, cases: Sequence[Case], call: Call, material: Material) -> Accepted:
        """Which of the cases of one reply are of this type. A case has its evidence, type and claims already."""


def type_module(name: QuestionType) -> TypeModule:
    """The module of a type.

    Raises:
        KeyError: the type cannot be generated.
    """
    module: TypeModule = import_module(TYPES[name])
    return module


def system_template(name: QuestionType | None) -> str:
    """File name of the system prompt of a type, below the folder of the language."""
    return "system.j2" if name is None or name is QuestionType.SINGLE_FACT else f"types/{name.value}.j2"
