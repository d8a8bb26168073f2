"""The plan of styles: which accepted questions are worded anew."""

from collections.abc import Iterable, Mapping

from builder.model.attempt import Purpose, Task
from builder.model.case import Case, CheckOutcome, ReviewState, Source, Style
from builder.text.ids import digest

_WORTH_IT = (ReviewState.UNREVIEWED, ReviewState.APPROVED)


def plan_styles(
    cases: Iterable[Case],
    missing: Mapping[Style, int],
    turns: Mapping[tuple[str, Style], int],
    *,
    turns_allowed: int = 1,
    seed: int = 0,
) -> tuple[Task, ...]:
    """Tasks for at most `missing` new cases of each style; a question is worded once in each style.

    Args:
        cases: the dataset.
        missing: cases that are missing, by style.
        turns: replies that have come in, by case and style.
        turns_allowed: a question that was answered so often in a style is spent in it.
        seed: changes which questions come first.
    """
    chosen: list[Task] = []
    eligible = sorted(filter(worth_styling, cases), key=lambda case: digest(str(seed), case.case_id))
    for style, count in missing.items():
        left = [case for case in eligible if turns.get((case.case_id, style), 0) < turns_allowed]
        chosen += [
            Task(
                purpose=Purpose.STYLE,
                style=style,
                case_id=case.case_id,
                turn=turns.get((case.case_id, style), 0) + 1,
            )
            for case in left[: max(0, count)]
        ]
    return tuple(chosen)


def worth_styling(case: Case) -> bool:
    """A generated question in formal words whose case nobody rejected and no check failed."""
    sound = not any(check.outcome is CheckOutcome.FAIL for check in case.checks)
    written = case.source is Source.GENERATED and case.style is Style.FORMAL and not case.conversation
    return written and sound and case.review_state in _WORTH_IT
