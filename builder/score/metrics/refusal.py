"""Whether the system answered where it may and refused where it must, with both kinds of error."""

from builder.model.case import Status
from builder.score.metrics.metric import Figures, Metric, accepted, failure, none, number, status, tells, worst
from builder.score.view import View


def metrics() -> tuple[Metric, ...]:
    """refusal_accuracy, answered_unanswerable, refused_answerable."""
    return (
        Metric(name="refusal_accuracy", key="refusal_accuracy", layer="refusal", source="own", family=refusal),
        Metric(
            name="answered_unanswerable",
            key="answered_unanswerable",
            layer="refusal",
            source="own",
            family=refusal,
            better="lower",
            safety=True,
        ),
        Metric(
            name="refused_answerable",
            key="refused_answerable",
            layer="refusal",
            source="own",
            family=refusal,
            better="lower",
        ),
    )


def refusal(view: View) -> Figures:
    """By status as told, else by the words of the answer (flagged status_derived)."""
    may = accepted(view)
    does = None if failure(view) else status(view)
    if view.excluded == "expired":
        return dict.fromkeys(_NAMES, none("expired"))
    wanted = Status.ANSWER in may
    if does is None:
        if not tells(view, "answer", "status"):
            return dict.fromkeys(_NAMES, none("not_told"))
        lost = failure(view) or "no_answer"
        return {
            "refusal_accuracy": worst(0.0, lost),
            "answered_unanswerable": none("answerable" if wanted else lost),
            "refused_answerable": worst(1.0, lost) if wanted else none("unanswerable"),
        }
    return {
        "refusal_accuracy": number(float(does in may)),
        "answered_unanswerable": none("answerable") if wanted else number(float(does is Status.ANSWER)),
        "refused_answerable": number(float(does not in may)) if wanted else none("unanswerable"),
    }


_NAMES = ("refusal_accuracy", "answered_unanswerable", "refused_answerable")
