"""Who asks: tasks are shared out over the audiences of builder.toml, and their prompts say who it is."""

from collections.abc import Mapping
from itertools import accumulate

from builder.generate.prompt import on_one_line
from builder.model.attempt import Task
from builder.settings import Audience
from builder.text.ids import digest

_END = " \t。.;；"


def with_audiences(tasks: tuple[Task, ...], audiences: Mapping[str, Audience], seed: int) -> tuple[Task, ...]:
    """The tasks with an audience each, by share; the same chunks always get the same one. As given without any."""
    if not audiences:
        return tasks
    names = sorted(audiences)
    bounds = list(accumulate(audiences[name].share for name in names))
    return tuple(task.replace(audience=_drawn(task, names, bounds, seed)) for task in tasks)


def audience_values(task: Task, audiences: Mapping[str, Audience]) -> dict[str, object]:
    """What the prompt says of who asks; nothing where nobody is named, or who is named is gone from builder.toml."""
    found = audiences.get(task.audience)
    if found is None:
        return {}
    said = {"who": found.who, "knows": found.knows, "talks": found.talks}
    return {"audience": {name: on_one_line(text).strip(_END) for name, text in said.items()}}


def _drawn(task: Task, names: list[str], bounds: list[int], seed: int) -> str:
    place = int(digest(str(seed), *task.chunk_ids, length=12), 16) % bounds[-1]
    return next(name for name, bound in zip(names, bounds, strict=True) if place < bound)
