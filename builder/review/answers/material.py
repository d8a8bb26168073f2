"""What the model read, with the evidence and the cited passages marked in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.run import Citation, RetrievedItem, RunRecord
from builder.review.answers.desk import Block, CitedPassage, Lost, Marked, Place
from builder.text.quotes import find_quote, occurrences
from builder.text.sentences import sentences

_SENTENCE = 8
"""Characters from which on a sentence is told from others by its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What stands at the right of the screen."""

    context: tuple[Block, ...]
    cited: tuple[CitedPassage, ...]
    lost: tuple[Lost, ...]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A text to look for."""

    label: str
    text: str
    title: str
    gold: bool


def material(case: Case, record: RunRecord, chunks: Mapping[str, Chunk], titles: Mapping[str, str]) -> Material:
    """Context, citations and lost evidence of an answer; `titles` are those of documents."""
    blocks = tuple(_blocks(record, chunks, titles))
    gold = tuple(_gold(case, titles))
    cited = tuple(_cited(record, chunks))
    shown = tuple(_marked(block, (*cited, *gold)) for block in blocks)
    there = {mark.label for block in shown for mark in block.marks}
    return Material(
        context=shown,
        cited=tuple(_passages(record, chunks, titles, gold, there)),
        lost=tuple(Lost(label=one.label, title=one.title, quote=one.text) for one in gold if one.label not in there),
    )


def _blocks(record: RunRecord, chunks: Mapping[str, Chunk], titles: Mapping[str, str]) -> Iterator[Block]:
    """The context as the model read it; where that was not kept, the passages that were put into it."""
    if record.context_text is not None:
        yield Block(title="", text=record.context_text)
        return
    for number, item in enumerate(record.context or (), 1):
        document = item.doc_id or (chunks[item.id].doc_id if item.id in chunks else "")
        name = titles.get(document, document)
        yield Block(title="  ".join(filter(None, (f"{number}", item.id, name))), text=_text(item, chunks))


def _text(item: RetrievedItem, chunks: Mapping[str, Chunk]) -> str:
    if item.text is not None:
        return item.text
    return chunks[item.id].text if item.id in chunks else ""


def _gold(case: Case, titles: Mapping[str, str]) -> Iterator[_Wanted]:
    for number, group in enumerate(case.evidence_groups, 1):
        for place, evidence in enumerate(group):
            letter = "" if len(group) == 1 else chr(ord("a") + place % 26)
            title = titles.get(evidence.doc_id, evidence.doc_id)
            yield _Wanted(f"[{number}{letter}]", evidence.quote, title, gold=True)


def _cited(record: RunRecord, chunks: Mapping[str, Chunk]) -> Iterator[_Wanted]:
    for number, citation in enumerate(record.citations or (), 1):
        if text := _cited_text(citation, record, chunks):
            yield _Wanted(f"{{{number}}}", text, "", gold=False)


def _cited_text(citation: Citation, record: RunRecord, chunks: Mapping[str, Chunk]) -> str:
    """The quote; else the text of the passage that was cited, as the system or the snapshot has it."""
    if citation.quote:
        return citation.quote
    for item in (*(record.context or ()), *(record.reranked or ()), *(record.retrieved or ())):
        if item.id == citation.id and item.text:
            return item.text
    return chunks[citation.id].text if citation.id in chunks else ""


def _marked(block: Block, wanted: tuple[_Wanted, ...]) -> Block:
    marks = [
        Marked(start=start, end=end, label=one.label, gold=one.gold)
        for one in wanted
        for start, end in _places(one, block.text)
    ]
    return Block(title=block.title, text=block.text, marks=tuple(marks))


def _places(wanted: _Wanted, text: str) -> tuple[tuple[int, int], ...]:
    """Where a text stands: evidence perhaps with a changed layout, of a cited passage perhaps only some sentences."""
    if found := occurrences(wanted.text.strip(), text):
        return found
    if wanted.gold:
        match = find_quote(wanted.text, text)
        return ((match.start, match.end),) if match else ()
    whole = (wanted.text[start:end] for start, end in sentences(wanted.text) if end - start >= _SENTENCE)
    return tuple(sorted((at, at + len(one)) for one in whole if (at := text.find(one)) >= 0))


def _passages(
    record: RunRecord,
    chunks: Mapping[str, Chunk],
    titles: Mapping[str, str],
    gold: tuple[_Wanted, ...],
    there: set[str],
) -> Iterator[CitedPassage]:
    for number, citation in enumerate(record.citations or (), 1):
        label = f"{{{number}}}"
        text = _cited_text(citation, record, chunks)
        document = citation.doc_id or (chunks[citation.id].doc_id if citation.id in chunks else "")
        yield CitedPassage(
            label=label,
            id=citation.id,
            title=titles.get(document, document),
            place=_place(citation, record, chunks, label in there),
            gold=any(occurrences(one.text, text) for one in gold),
        )


def _place(citation: Citation, record: RunRecord, chunks: Mapping[str, Chunk], seen: bool) -> Place:
    if seen or any(item.id == citation.id for item in record.context or ()):
        return Place.CONTEXT
    if any(item.id == citation.id for item in (*(record.reranked or ()), *(record.retrieved or ()))):
        return Place.RETRIEVED
    return Place.CORPUS if citation.id in chunks else Place.NOWHERE
