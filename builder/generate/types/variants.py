"""Cases that a program makes out of one item of a reply."""

from typing import Any

from builder.model.case import Case, Status
from builder.model.claim import Claim
from builder.text.ids import generated_case_id


def variant(case: Case, label: str, **changes: Any) -> Case:
    """A second case out of the item that `case` came from; the same item and label always give the same id."""
    made = case.provenance
    request, position = (made.request_hash, made.position) if made else (case.case_id, 0)
    case_id = generated_case_id(case.dataset, f"{request}/{label}", position)
    return case.replace(case_id=case_id, **changes)


def refusing(case: Case, **changes: Any) -> Case:
    """The case as one that is rightly refused: without answer, claims and evidence."""
    return case.replace(
        **{
            "answerable": False,
            "acceptable_status": (Status.REFUSE,),
            "ground_truth": "",
            "claims": (),
            "evidence_groups": (),
            "required_citations": (),
            "grades": (),
            **changes,
        }
    )


def told(case: Case) -> tuple[Claim, ...]:
    """What the answer of `case` says: its claims, else the answer itself as one claim."""
    return case.claims or (Claim(text=case.ground_truth, critical=True),)
