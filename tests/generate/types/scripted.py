"""Replies by hand and by the scripted server, read as the run reads them."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from builder.generate.material import Material
from builder.generate.run import attempt_for, run
from builder.generate.tasks import Call, Outcome, call_of, outcome_of
from builder.generate.types import Unit, type_module
from builder.generate.writer import WriterOptions, open_writer
from builder.generate.writers.extractive import ExtractiveWriter
from builder.llm.endpoint import Endpoint
from builder.model.attempt import Attempt, Reply, Task
from builder.model.case import Case, QuestionType
from builder.model.chunk import Chunk
from builder.progress import Silent
from builder.text.sentences import sentences
from tests.generate.journal import MemoryJournal
from tests.servers.openai_server import KEY, OpenAIServer
from tests.servers.typed import Sentence, item, typed


@dataclass(frozen=True, slots=True)
class Said:
    """An item as a model might write it: the evidence is named by words that stand in its sentences."""

    question: str
    answer: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Made:
    """What came of the units of a type."""

    cases: list[Case] = field(default_factory=list)
    drops: Counter[str] = field(default_factory=Counter)
    asked: int = 0


def said(question: str, answer: str, *evidence: str) -> Said:
    return Said(question, answer, evidence)


def chunk_with(material: Material, text: str, document: str = "") -> Chunk:
    """The first chunk (of a document) that holds `text`."""
    return next(c for c in material.allowed if text in c.text and c.doc_id.startswith(document))


def chunks_for(material: Material, items: Iterable[Said], document: str = "") -> list[Chunk]:
    """The chunks that the evidence of the items stands in, each once, in the order of the items."""
    found = [chunk_with(material, text, document) for one in items for text in one.evidence]
    return list({one.chunk_id: one for one in found}.values())


def answered(
    name: QuestionType, material: Material, chunks: Sequence[Chunk], items: Iterable[Said], clue: str = ""
) -> Outcome:
    """What a reply with these items becomes, where the type was asked about these chunks."""
    rows = list(items)
    facts = {"clue": clue} if clue else {}
    task = Task(question_type=name, chunk_ids=tuple(c.chunk_id for c in chunks), asked=max(1, len(rows)), facts=facts)
    call = call_of(task, material)
    values = [item(one.question, one.answer, *(_cited(text, chunks) for text in one.evidence)) for one in rows]
    reply = Reply(text=json.dumps({"items": values}, ensure_ascii=False))
    return outcome_of(call, attempt_for(call, ExtractiveWriter(), dataset="main"), reply, material)


def _cited(text: str, chunks: Sequence[Chunk]) -> Sentence:
    for passage, chunk in enumerate(chunks, 1):
        for number, (start, end) in enumerate(sentences(chunk.text), 1):
            if text in chunk.text[start:end]:
                return Sentence(passage, number, chunk.text[start:end])
    raise LookupError(text)


def served(name: QuestionType, material: Material, quality: str, every: int = 1) -> Made:
    """The units of a type (each so-many-th) asked about over a real connection."""
    units = list(type_module(name).units(material))[::every]
    made, journal = Made(asked=sum(unit.asked for unit in units)), MemoryJournal()
    with OpenAIServer(typed(quality)) as server:
        place = Endpoint(base_url=server.base_url, model="scripted", api_key=KEY, timeout=10)
        writer = open_writer("openai", WriterOptions(endpoint=place))
        calls = [_call(name, unit, material) for unit in units]
        read = partial(_read, material=material)
        result = asyncio.run(run(calls, writer, journal, read, dataset="main", concurrency=2, progress=Silent()))
    assert not result.failed
    made.cases += journal.cases.values()
    made.drops.update(result.dropped)
    return made


def _call(name: QuestionType, unit: Unit, material: Material) -> Call:
    return call_of(
        Task(question_type=name, chunk_ids=unit.chunk_ids, asked=unit.asked, facts=dict(unit.facts)), material
    )


def _read(call: Call, attempt: Attempt, reply: Reply, *, material: Material) -> Outcome:
    return outcome_of(call, attempt, reply, material)
