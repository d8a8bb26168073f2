"""Units of a type over chunks written by hand, and replies to them written by hand."""

import json
from collections.abc import Mapping, Sequence
from datetime import date

from builder.generate.material import Material
from builder.generate.run import attempt_for
from builder.generate.tasks import Outcome, call_of, outcome_of
from builder.generate.types import Unit, type_module
from builder.generate.writers.extractive import ExtractiveWriter
from builder.model.attempt import Reply, Task
from builder.model.case import QuestionType
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from tests.generate.make import chunk
from tests.servers.typed_more import JOINED

Item = dict[str, object]
assert JOINED, "the scripted server knows these types"


def version(text: str, label: str, start: str | None, end: str | None = None, **more: str) -> Chunk:
    """A chunk of one version of a family."""
    data = DocumentMetadata(
        **{"family": "policy", **more},
        version_label=label,
        valid_from=date.fromisoformat(start) if start else None,
        valid_to=date.fromisoformat(end) if end else None,
    )
    return chunk(text, doc_id=f"{label}.pdf", metadata=data).replace(reading_id=label)


def units(name: QuestionType, material: Material) -> list[Unit]:
    """All units of a type."""
    return list(type_module(name).units(material))


def replied(name: QuestionType, material: Material, unit: Unit, *items: Mapping[str, object]) -> Outcome:
    """What a reply with these items becomes, where the unit was asked about."""
    task = Task(question_type=name, chunk_ids=unit.chunk_ids, asked=unit.asked, facts=dict(unit.facts))
    call = call_of(task, material)
    reply = Reply(text=json.dumps({"items": list(items)}, ensure_ascii=False))
    return outcome_of(call, attempt_for(call, ExtractiveWriter(), dataset="main"), reply, material)


def item(
    question: str, answer: str, passage: int = 1, sentences: Sequence[int] = (1,), **more: object
) -> dict[str, object]:
    """An item as a model writes it."""
    row = {"question": question, "ground_truth": answer, "source_index": passage, "sentences": list(sentences)}
    return row | more
