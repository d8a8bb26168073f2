"""Decisions: what people (and staleness) do to a case, as values."""

from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from builder.model.case import DisabledReason, RejectReason
from builder.model.record import Record


class Action(StrEnum):
    """The kinds of decision. curate.states says what each does to a case."""

    APPROVE = "approve"
    REJECT = "reject"
    RESTORE = "restore"
    EDIT = "edit"
    """Changes of fields: question, ground_truth, answerable, evidence_groups, note, …"""
    ENABLE = "enable"
    DISABLE = "disable"


class Decision(Record):
    """One decision about one case. Several in one act are one step for undo."""

    action: Action
    """What is done."""
    reason: RejectReason | None = None
    """Reject: why."""
    disabled_reason: DisabledReason | None = None
    """Disable: why; by_hand where a person does it."""
    text: str = ""
    """Why, in the person's words."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Edit: new values by field name of Case."""

    @model_validator(mode="after")
    def _fits(self) -> "Decision":
        if (self.action is Action.REJECT) != (self.reason is not None):
            raise ValueError("reject, and only reject, takes a reason code")
        if self.changes and self.action is not Action.EDIT:
            raise ValueError("only edit takes changes")
        return self
