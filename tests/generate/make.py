"""Chunks, calls and prompts for the tests of this room."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from builder.generate.birth import Call
from builder.generate.prompt import Prompts, load_prompts, numbered
from builder.generate.writer import NumberedPassage, Request
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import DocumentMetadata
from builder.model.parts import Span
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


def call(chunks: Sequence[Chunk], asked: int = 2, max_tokens: int = 500) -> Call:
    passages = numbered(chunks)
    messages = prompts(chunks[0].language).messages(passages, asked)
    return Call(
        request=Request(messages=messages, passages=passages, asked=asked, max_tokens=max_tokens), chunks=tuple(chunks)
    )


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
