"""The plan of typed questions: which units of each type are asked about, spread like chunks are."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from builder.generate.plan import in_turns
from builder.generate.types import Unit
from builder.model.attempt import Task
from builder.model.case import QuestionType
from builder.text.ids import digest

Name = TypeVar("Name", bound=str)


class UnitKey(NamedTuple):
    """What tells one unit from another."""

    question_type: QuestionType | None
    chunk_ids: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


def key_of(task: Task) -> UnitKey:
    """The unit that a task asks about."""
    return UnitKey(task.question_type, task.chunk_ids, tuple(sorted(task.facts.items())))


def plan_type(
    name: QuestionType,
    units: Iterable[Unit],
    missing: int,
    turns: Mapping[UnitKey, int],
    *,
    turns_allowed: int = 1,
    seed: int = 0,
) -> tuple[Task, ...]:
    """Tasks for at least `missing` cases of one type, as far as there are units; in turns over documents.

    Args:
        name: the type.
        units: everything that it can ask about.
        missing: cases that are missing; nothing is asked for where it is not above 0.
        turns: replies about each unit that have come in.
        turns_allowed: a unit that was answered so often is spent.
        seed: changes which units come first.
    """
    chosen: list[Task] = []
    for unit in _spread(units, seed):
        if missing <= 0:
            break
        task = Task(question_type=name, chunk_ids=unit.chunk_ids, asked=unit.asked, facts=dict(unit.facts))
        turn = turns.get(key_of(task), 0)
        if turn < turns_allowed:
            chosen.append(task.replace(turn=turn + 1))
            missing -= unit.asked * unit.makes
    return tuple(chosen)


def shares(total: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """`total` shared out by weight, by largest remainder; the parts add up to `total`."""
    whole = sum(weights.values())
    parts = {name: total * weight // whole for name, weight in weights.items()}
    rest = sorted(weights, key=lambda name: (-(total * weights[name] % whole), name))
    for name in rest[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def _spread(units: Iterable[Unit], seed: int) -> list[Unit]:
    def order(text: str) -> str:
        return digest(str(seed), text)

    documents: dict[str, list[Unit]] = {}
    for unit in units:
        documents.setdefault(unit.chunk_ids[0].rpartition("#")[0], []).append(unit)
    rows = [
        sorted(documents[name], key=lambda unit: order("\0".join((*unit.chunk_ids, *sorted(unit.facts.values())))))
        for name in sorted(documents, key=order)
    ]
    return in_turns(rows)
