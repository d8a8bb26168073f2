"""Undo without limit, from what is written down: an undo is an act that names the act it takes back."""

from collections.abc import Sequence
from typing import Protocol

from builder.model.case import Case, Revision


class ActLike(Protocol):
    """An act as far as undo looks at it."""

    @property
    def act(self) -> str:
        """Its id."""

    @property
    def undoes(self) -> str | None:
        """The act that it takes back; none for a decision."""


def undo_target(acts: Sequence[ActLike]) -> str | None:
    """The act to take back next; `acts` are one person's, oldest first. None: nothing is left."""
    done, _ = _stacks(acts)
    return done[-1] if done else None


def redo_target(acts: Sequence[ActLike]) -> str | None:
    """The undo to take back next; a new decision forgets what was undone before it."""
    _, undone = _stacks(acts)
    return undone[-1] if undone else None


def before_act(case: Case, revisions: Sequence[Revision]) -> Case:
    """The case as it was before `revisions` (of one act and this case, in order of their numbers)."""
    values = case.model_dump(mode="json")
    for revision in reversed(revisions):
        values |= revision.before
    return Case.model_validate(values | {"revision": case.revision})


def _stacks(acts: Sequence[ActLike]) -> tuple[list[str], list[str]]:
    done: list[str] = []
    undone: list[str] = []
    for act in acts:
        if act.undoes is None:
            done.append(act.act)
            undone.clear()
        elif act.undoes in done:
            done.remove(act.undoes)
            undone.append(act.act)
        else:
            undone.remove(act.undoes)
            done.append(act.act)
    return done, undone
