"""What each decision does to a case. The table of states is section 4 of the manual."""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from builder.errors import InputError, Refused
from builder.model.case import Case, DisabledReason, ReviewState
from builder.model.decision import Action, Decision

DECIDING = frozenset(
    {
        "question",
        "conversation",
        "user_context",
        "as_of",
        "answerable",
        "acceptable_status",
        "ground_truth",
        "claims",
        "must_not_claims",
        "evidence_groups",
        "required_citations",
    }
)
"""Fields whose change takes an approval back; all others keep it."""

EDITABLE = DECIDING | frozenset(
    {
        "grades",
        "hard_negatives",
        "question_type",
        "style",
        "risk",
        "split",
        "tags",
        "note",
        "valid_from",
        "valid_to",
        "checks",
    }
)
"""Fields that an edit may change at all."""


def decide(case: Case, decision: Decision) -> Case:
    """The case after `decision`; the store raises its revision.

    Raises:
        Refused: the state of the case does not allow it.
        InputError: an edit of a field that is not editable, or to a value that is not legal.
    """
    return _RULES[decision.action](case, decision)


def missing(case: Case) -> tuple[str, ...]:
    """What a case lacks before it can be approved, as field names. Evidence is never demanded."""
    lacks = [] if case.question.strip() else ["question"]
    if case.answerable and not case.ground_truth.strip():
        lacks.append("ground_truth")
    return tuple(lacks)


def _approve(case: Case, decision: Decision) -> Case:
    if case.review_state is ReviewState.REJECTED:
        raise Refused("approve_rejected", case=case.case_id)
    if lacks := missing(case):
        raise Refused("approve_incomplete", case=case.case_id, missing=", ".join(lacks))
    reason = None if case.disabled_reason is DisabledReason.STALE_CHECK else case.disabled_reason
    return case.replace(review_state=ReviewState.APPROVED, disabled_reason=reason)


def _reject(case: Case, decision: Decision) -> Case:
    if case.review_state is ReviewState.REJECTED:
        raise Refused("reject_twice", case=case.case_id)
    return case.replace(
        review_state=ReviewState.REJECTED,
        disabled_reason=None,
        reject_reason=decision.reason,
    )


def _restore(case: Case, decision: Decision) -> Case:
    if case.review_state is not ReviewState.REJECTED:
        raise Refused("restore_not_rejected", case=case.case_id)
    return case.replace(review_state=_open_state(case), reject_reason=None)


def _edit(case: Case, decision: Decision) -> Case:
    if unknown := sorted(decision.changes.keys() - EDITABLE):
        raise InputError("edit_field", case=case.case_id, field=", ".join(unknown))
    # One validation, after the new state is known: half-way the record could be illegal.
    values: dict[str, Any] = {name: getattr(case, name) for name in Case.model_fields} | decision.changes
    if "evidence_groups" in decision.changes:
        values["checks"] = ()  # they spoke of other evidence
    values |= {"review_state": ReviewState.REJECTED, "disabled_reason": None, "reject_reason": "other"}
    try:
        edited = Case(**values)
        return edited.replace(
            review_state=(state := _state_after(case, edited)),
            disabled_reason=_reason_after(case, edited, state),
            reject_reason=case.reject_reason,
        )
    except ValidationError as error:
        raise InputError("edit_value", case=case.case_id, detail=error.errors()[0]["msg"]) from error


def _state_after(before: Case, edited: Case) -> ReviewState:
    if before.review_state is ReviewState.REJECTED:
        return ReviewState.REJECTED
    if before.review_state is ReviewState.APPROVED and not _changed(before, edited, DECIDING):
        return ReviewState.APPROVED
    return _open_state(edited)


def _reason_after(before: Case, edited: Case, state: ReviewState) -> DisabledReason | None:
    reason = before.disabled_reason
    if state in (ReviewState.NEEDS_ANSWER, ReviewState.REJECTED):
        return None
    if reason in (DisabledReason.STALE_CHANGED, DisabledReason.STALE_GONE):
        return None if _changed(before, edited, {"evidence_groups"}) else reason
    if reason is DisabledReason.STALE_CHECK and state is ReviewState.UNREVIEWED:
        return None
    return reason


def _enable(case: Case, decision: Decision) -> Case:
    if case.disabled_reason is None:
        raise Refused("enable_not_disabled", case=case.case_id)
    if case.disabled_reason is not DisabledReason.BY_HAND:
        raise Refused("enable_stale", case=case.case_id, reason=case.disabled_reason)
    return case.replace(disabled_reason=None)


def _disable(case: Case, decision: Decision) -> Case:
    if case.review_state not in (ReviewState.UNREVIEWED, ReviewState.APPROVED):
        raise Refused("disable_state", case=case.case_id, state=case.review_state)
    return case.replace(disabled_reason=decision.disabled_reason or DisabledReason.BY_HAND)


def _open_state(case: Case) -> ReviewState:
    return ReviewState.UNREVIEWED if case.complete else ReviewState.NEEDS_ANSWER


def _changed(before: Case, after: Case, fields: frozenset[str] | set[str]) -> bool:
    return any(getattr(before, name) != getattr(after, name) for name in fields)


_RULES: dict[Action, Callable[[Case, Decision], Case]] = {
    Action.APPROVE: _approve,
    Action.REJECT: _reject,
    Action.RESTORE: _restore,
    Action.EDIT: _edit,
    Action.ENABLE: _enable,
    Action.DISABLE: _disable,
}
