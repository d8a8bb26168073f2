"""Whether the system answered where it may not, or refused although it had read what it needed."""

from builder.score.layers.finding import Finding, Layer, broken, fine, idle, untold
from builder.score.layers.looked import Looked


def look(at: Looked) -> Finding:
    """Both kinds of error; a refusal for want of evidence is no fault of this layer."""
    if at.view.record is None or at.view.record.error is not None or at.view.record.answer is None:
        return idle(Layer.REFUSAL)
    if at.status is None:
        return untold(Layer.REFUSAL, "no_status")
    if not at.misbehaved:
        return fine(Layer.REFUSAL)
    if not at.view.case.answerable:
        return broken(Layer.REFUSAL, "answered_unanswerable", status=at.status.value)
    if not at.wanted:
        return untold(Layer.REFUSAL, "no_evidence")
    if at.sufficient is None:
        return untold(Layer.REFUSAL, "no_context")
    return broken(Layer.REFUSAL, "refused_answerable", status=at.status.value) if at.sufficient else idle(Layer.REFUSAL)
