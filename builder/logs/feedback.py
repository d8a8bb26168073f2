"""Complaints as cases: what was voted down becomes a question that waits for its answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from builder.logs.record import GENERIC, LogRecord
from builder.model.case import Case, Origin, ReviewState, Source, Style
from builder.text.fold import folded
from builder.text.ids import feedback_case_id

TAG = "thumbs_down"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackImport:
    """The cases of one log. The counts add up to the records that were read."""

    cases: tuple[Case, ...]
    """One a question, in file order."""
    imported: int
    """Records that stand at the head of a case: as many as cases."""
    not_negative: int
    """Records that praise, or say nothing."""
    without_question: int
    """Complaints without a question."""
    merged: int
    """Further complaints about the question of a case above."""
    repeated: int
    """Records whose id comes again below; the last one counts."""


def feedback_cases(records: Iterable[LogRecord], dataset: str, file: str) -> FeedbackImport:
    """Make a needs_answer case of each question that was voted down.

    Complaints about the same question in the same conversation are one case, which names them all. The answer is kept
    as `rejected_output`, never as a reference. `file` is the origin where the system is not known.
    """
    read = list(records)
    last = list({_key(record): record for record in read}.values())
    negative = [record for record in last if record.rating == "down"]
    asked = [record for record in negative if record.question]
    groups: dict[tuple[str, ...], list[LogRecord]] = {}
    for record in asked:
        groups.setdefault(_same_question(record), []).append(record)
    return FeedbackImport(
        cases=tuple(_case(group, dataset, file) for group in groups.values()),
        imported=len(groups),
        not_negative=len(last) - len(negative),
        without_question=len(negative) - len(asked),
        merged=len(asked) - len(groups),
        repeated=len(read) - len(last),
    )


def _key(record: LogRecord) -> str:
    """What names the record within its system.

    The ids of an unknown log may be row numbers, which name another record in the next file, or ids of a chat: there
    the question belongs to the name.
    """
    return f"{record.record_id}\n{folded(record.question)}" if record.system == GENERIC else record.record_id


def _same_question(record: LogRecord) -> tuple[str, ...]:
    return (folded(record.question), *(folded(turn.text) for turn in record.conversation))


def _case(group: Sequence[LogRecord], dataset: str, file: str) -> Case:
    """One case. The oldest complaint names it, so that a log that grew, or is sorted the other way, names it again."""
    first = min(group, key=lambda record: record.time or "")
    return Case(
        case_id=feedback_case_id(dataset, first.system, _key(first)),
        dataset=dataset,
        question=first.question,
        conversation=first.conversation,
        source=Source.FEEDBACK,
        origin=Origin(
            system=file if first.system == GENERIC else first.system,
            record_ids=tuple(dict.fromkeys(record.record_id for record in group)),
            comments=tuple(dict.fromkeys(record.comment for record in group if record.comment)),
            count=len(group),
            link=first.link,
        ),
        rejected_output=first.answer,
        style=Style.FOLLOW_UP if first.conversation else Style.COLLOQUIAL,
        tags=(TAG,),
        review_state=ReviewState.NEEDS_ANSWER,
    )
