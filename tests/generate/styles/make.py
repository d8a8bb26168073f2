"""Cases to be worded anew."""

from builder.generate.claims import propose
from builder.model.case import Case, ReviewState, Source, Turn

ZH = "GTE-3000Pro 整机保修期是多久？"
EN = "How long is the warranty of the GTE-3000Pro after delivery?"


def case(question: str = ZH, answer: str = "24 个月。", **more: object) -> Case:
    """A formal case."""
    values = {"claims": propose(answer), "review_state": ReviewState.UNREVIEWED, "source": Source.GENERATED} | more
    return Case.model_validate({"case_id": "g0123456789ab", "question": question, "ground_truth": answer} | values)


def talk(*texts: str) -> tuple[Turn, ...]:
    """A conversation, the user first."""
    return tuple(Turn(role=("user", "assistant")[n % 2], text=text) for n, text in enumerate(texts))
