"""The call: nothing came back, or a failure."""

from builder.score.layers.finding import Finding, Layer, broken, fine
from builder.score.layers.looked import Looked


def look(at: Looked) -> Finding:
    """No record, an error, or an empty answer where one was to come."""
    record = at.view.record
    if record is None:
        return broken(Layer.ENGINEERING, "missing_run")
    if record.error is not None:
        return broken(Layer.ENGINEERING, "error", error=record.error)
    if record.answer is not None and not record.answer.strip() and record.status is None:
        return broken(Layer.ENGINEERING, "empty_answer")
    return fine(Layer.ENGINEERING)
