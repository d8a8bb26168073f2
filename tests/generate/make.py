"""Chunks, calls and prompts for the tests of this room."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from builder.checks.corpus import Corpus
from builder.generate.material import Material
from builder.generate.prompt import Prompts, load_prompts, numbered
from builder.generate.tasks import Call, Outcome, call_of, outcome_of
from builder.generate.writer import NumberedPassage
from builder.model.attempt import Attempt, Reply, Task
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import DocumentMetadata
from builder.model.parts import Span
from builder.search import open_search
from builder.settings import GenerateSettings
from builder.text.language import language_of

PROMPTS = Path(__file__).parents[2] / "prompts"
WARRANTY = (
    "备件保修 6 个月，自更换之日起计算。有偿维修保修 3 个月，自维修完成之日起计算。"
    "自签收之日起 7 日内，消费者可以申请退货。生鲜商品除外。"
)
HANDBOOK = (
    "Overtime must be approved by your manager. Claims must be filed in the portal within 30 days after the trip. "
    "Passwords have at least 12 characters. The probation period is 3 months."
)


def chunk(
    text: str = WARRANTY,
    *,
    doc_id: str = "policy.pdf",
    ordinal: int = 0,
    section: tuple[str, ...] = (),
    kind: ChunkKind = ChunkKind.TEXT,
    metadata: DocumentMetadata | None = None,
) -> Chunk:
    return Chunk(
        chunk_id=f"{doc_id}#{ordinal:010x}",
        doc_id=doc_id,
        reading_id="r1",
        kind=kind,
        text=text,
        parts=(Span(page=1 + ordinal, start=0, end=len(text)),),
        section=section,
        language=language_of(text),
        ordinal=ordinal,
        metadata=metadata or DocumentMetadata(),
    )


@cache
def prompts(language: str) -> Prompts:
    return load_prompts(language, PROMPTS)


def material(chunks: Sequence[Chunk], folder: Path | None = None, **more: Any) -> Material:
    """What tasks are made of, over these chunks alone."""
    rows = [(one.chunk_id, one.text) for one in chunks]
    search = open_search(folder or Path(mkdtemp(prefix="search-")), rows)
    languages = {language: prompts(language) for language in ("zh", "en")}
    return Material(corpus=Corpus(chunks, search), allowed=tuple(chunks), prompts=languages, **more)


def call(chunks: Sequence[Chunk], asked: int = 2, max_tokens: int = 500) -> Call:
    task = Task(chunk_ids=tuple(one.chunk_id for one in chunks), asked=asked)
    return call_of(task, material(chunks, settings=GenerateSettings(max_tokens=max_tokens)))


def read(call: Call, attempt: Attempt, reply: Reply) -> Outcome:
    """What a reply becomes, where there is no corpus but the chunks of the call."""
    return outcome_of(call, attempt, reply, material(call.chunks))


def passage(text: str, heading: str = "", kind: ChunkKind = ChunkKind.TEXT) -> NumberedPassage:
    found = numbered([chunk(text, kind=kind)])[0]
    return NumberedPassage(
        number=1,
        chunk_id=found.chunk_id,
        text=text,
        sentences=found.sentences,
        heading=heading,
        kind=kind,
        language=found.language,
    )
