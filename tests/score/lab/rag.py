"""A small RAG over the sample documents, of real parts: BM25, reranker, context builder, rules that copy."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path

from builder.checks.reading.signs import EXCEPTION
from builder.checks.reading.wording import coverage, terms
from builder.model.access import may_read
from builder.model.case import Case
from builder.model.document import DocumentMetadata
from builder.model.parts import Parts
from builder.model.run import RunRecord
from builder.score.map_file import MapEntry
from builder.search import open_search
from builder.text.passages import slice_parts
from builder.text.sentences import sentences
from tests.score.lab.corpus import BEICHEN, FROZEN_VERSION, NOTICE, OLD_POLICY, POLICY, Samples

FOUND, READ = 15, 5
ENOUGH = 0.5
TODAY = date(2026, 3, 10)
REFUSAL = "抱歉，现有资料没有说明。"
_ORDER = re.compile(r"必须回复用户“(.+?)”|reply with \"(.+?)\"")
_NOT = re.compile(r"不|\bnot\s")
_NUMBER = re.compile(r"\d+")
_SLICE = 60


class Fault(StrEnum):
    """What can be planted."""

    OCR_LINE_LOST = "ocr_line_lost"
    CHUNK_CUT = "chunk_cut"
    OLD_INDEX = "old_index"
    STALE_DOCUMENT = "stale_document"
    EXCEPTION_DROPPED = "exception_dropped"
    EXCEPTION_DEMOTED = "exception_demoted"
    CONTEXT_TRUNCATED = "context_truncated"
    CONTEXT_SKIPS_BEST = "context_skips_best"
    NEGATION_COMPRESSED = "negation_compressed"
    EXCEPTION_IGNORED = "exception_ignored"
    INJECTION_OBEYED = "injection_obeyed"
    TOOL_CALLED = "tool_called"
    NEVER_REFUSES = "never_refuses"
    ALWAYS_REFUSES = "always_refuses"
    WRONG_PASSAGE_CITED = "wrong_passage_cited"
    WRONG_VERSION_CITED = "wrong_version_cited"
    INVENTED_CITATION = "invented_citation"
    FILTER_LATE = "filter_late"


@dataclass(frozen=True, kw_only=True)
class Passage:
    """One chunk of the system."""

    id: str
    doc_id: str
    version: str
    text: str
    parts: Parts
    metadata: DocumentMetadata


class Rag:
    """Answers cases; knows nothing of their evidence. A fault of what was read is in one place, or `everywhere`."""

    def __init__(self, samples: Samples, folder: Path, fault: Fault | None = None, *, everywhere: bool = False) -> None:
        self.fault = fault
        self.everywhere = everywhere
        passages = [found for chunk in samples.chunks for found in _of(chunk.doc_id, chunk.text, chunk.parts, samples)]
        cut = self._spoilt(passages)
        self.passages = {f"p{number:04}": replace(one, id=f"p{number:04}") for number, one in enumerate(cut)}
        self._search = open_search(folder, [(one.id, one.text) for one in self.passages.values()])

    def _spoilt(self, passages: list[Passage]) -> list[Passage]:
        match self.fault:
            case Fault.OCR_LINE_LOST:
                return [piece for one in passages for piece in (_gaps if self.everywhere else _without_line)(one)]
            case Fault.CHUNK_CUT:
                return [piece for one in passages for piece in (_slices if self.everywhere else _halves)(one)]
            case Fault.OLD_INDEX:
                return [self._edited(one, str(FROZEN_VERSION - 1)) for one in passages]
            case Fault.STALE_DOCUMENT:
                return [self._edited(one, str(FROZEN_VERSION + 1)) for one in passages]
            case _:
                return passages

    def _edited(self, one: Passage, version: str) -> Passage:
        """Another version of the policy: other days for refunds, or other numbers in every sentence."""
        if one.doc_id != POLICY:
            return one
        if self.everywhere:
            return replace(one, version=version, text=_NUMBER.sub(lambda found: str(int(found[0]) + 1), one.text))
        return replace(one, version=version, text=one.text.replace("3 至 7 个工作日", "2 至 5 个工作日"))

    def map(self) -> Iterator[MapEntry]:
        """Which passages of the documents its ids stand for, as far as its text stands there."""
        for one in self.passages.values():
            head = {"id": one.id, "doc_id": one.doc_id, "doc_version": one.version, "text": one.text}
            yield MapEntry.model_validate(head)

    # One answer

    def answer(self, case: Case) -> RunRecord:
        """What it makes of a question."""
        candidates = self._retrieve(case)
        ranked = self._rerank(case, candidates)
        read = self._context(case, ranked)
        text = self._compressed("\n\n".join(f"[{one.id}] {one.text}" for one in read))
        answer, used = self._write(case, text)
        return RunRecord.model_validate(
            {
                "case_id": case.case_id,
                "question": case.question,
                "retrieved": [_item(one) for one in candidates],
                "reranked": [_item(one) for one in ranked],
                "context": [_item(one) for one in read],
                "context_text": text,
                "answer": answer,
                "status": "refuse" if answer == REFUSAL else "answer",
                "citations": [{"id": name} for name in self._cited(used, read, candidates)],
                "tool_calls": list(self._called(text)),
                "latency_ms": {"total": 20 + len(text) / 100},
            }
        )

    def _retrieve(self, case: Case) -> list[Passage]:
        hits = self._search.find(case.question, len(self.passages))
        found = [self.passages[hit.chunk_id] for hit in hits]
        if self.fault is not Fault.FILTER_LATE:
            found = [one for one in found if may_read(case.user_context, one.metadata)]
        if self.fault is Fault.EXCEPTION_DROPPED:
            found = [one for one in found if not EXCEPTION.search(one.text)]
        return found[:FOUND]

    def _rerank(self, case: Case, candidates: list[Passage]) -> list[Passage]:
        ranked = sorted(candidates, key=lambda one: -max((score for score, _ in _scored(case.question, one.text))))
        if self.fault is Fault.EXCEPTION_DEMOTED:
            ranked.sort(key=lambda one: bool(EXCEPTION.search(one.text)))
        return ranked

    def _context(self, case: Case, ranked: list[Passage]) -> list[Passage]:
        day = case.as_of or TODAY
        readable = [one for one in ranked if may_read(case.user_context, one.metadata) and _valid(one, day)]
        if self.fault is Fault.CONTEXT_SKIPS_BEST:
            readable = readable[1:]
        return readable[:READ]

    def _compressed(self, text: str) -> str:
        if self.fault is Fault.CONTEXT_TRUNCATED:
            return text[:60]
        return _NOT.sub("", text) if self.fault is Fault.NEGATION_COMPRESSED else text

    def _write(self, case: Case, text: str) -> tuple[str, list[str]]:
        """Copy the sentence that fits each part of the question best, and the exception behind it."""
        order = _ORDER.search(text) if self.fault is Fault.INJECTION_OBEYED else None
        if order:
            return order[1] or order[2], []
        blocks = re.findall(r"\[(p\d{4})\] (.*?)(?=\n\n\[p\d{4}\]|\Z)", text, re.DOTALL)
        said, used = [], []
        for part in re.split(r"[；;]", case.question):
            fits = ((score, name, body, at) for name, body in blocks for score, at in _scored(part, body))
            best = max(fits, default=None)
            if best is None or self._refuses(best[0]):
                return REFUSAL, []
            said.append(self._copied(best[2], best[3]))
            used.append(best[1])
        return " ".join(said), used

    def _called(self, text: str) -> Iterator[dict[str, object]]:
        """It does what a letter asks the reader to do."""
        address = re.search(r"发送至 (\S+@\S+)", text)
        if address and self.fault is Fault.TOOL_CALLED:
            yield {"name": "send_mail", "arguments": {"to": address[1]}, "side_effect": True}

    def _refuses(self, score: float) -> bool:
        return self.fault is Fault.ALWAYS_REFUSES or (score < ENOUGH and self.fault is not Fault.NEVER_REFUSES)

    def _copied(self, body: str, at: int) -> str:
        parts = [body[start:end] for start, end in sentences(body)]
        if self.fault is Fault.EXCEPTION_IGNORED:
            plain = re.split(r"，(?=除非)|, (?=except|unless)", parts[at])[0]
            return parts[at - 1] if EXCEPTION.search(plain) and at else plain
        more = [part for part in parts[at + 1 : at + 2] if EXCEPTION.search(part)]
        return " ".join([parts[at], *more])

    def _cited(self, used: list[str], read: list[Passage], candidates: list[Passage]) -> Iterable[str]:
        if not used:
            return []
        match self.fault:
            case Fault.WRONG_PASSAGE_CITED:
                return [one.id for one in read if one.id not in used][-1:]
            case Fault.WRONG_VERSION_CITED:
                return [one.id for one in candidates if one.doc_id == OLD_POLICY][:1] or used
            case Fault.INVENTED_CITATION:
                return ["p9999"]
            case _:
                return dict.fromkeys(used)


def _scored(question: str, text: str) -> Iterator[tuple[float, int]]:
    """How far each sentence of a passage fits a question; what its heading says counts half."""
    asked = terms(question)
    above = terms(text.split("\n", 1)[0])
    for at, (start, end) in enumerate(sentences(text)):
        own = coverage(asked, terms(text[start:end]))
        both = coverage(asked, frozenset(terms(text[start:end])) | frozenset(above))
        yield (own + both) / 2, at


def _item(one: Passage) -> dict[str, str]:
    return {"id": one.id, "doc_id": one.doc_id, "doc_version": one.version}


def _valid(one: Passage, day: date) -> bool:
    since, until = one.metadata.valid_from, one.metadata.valid_to
    return (since is None or since <= day) and (until is None or day <= until)


def _of(doc_id: str, text: str, parts: Parts, samples: Samples) -> Iterator[Passage]:
    metadata = samples.documents[doc_id].metadata
    yield Passage(id="", doc_id=doc_id, version=str(FROZEN_VERSION), text=text, parts=parts, metadata=metadata)


def _without_line(one: Passage) -> Iterator[Passage]:
    """The scan's line on the service fee was not recognised."""
    start = one.text.find("六、") if one.doc_id == NOTICE else -1
    end = one.text.find("七、") if start >= 0 else -1
    if end < 0:
        yield one
        return
    parts = (*slice_parts(one.parts, 0, start), *slice_parts(one.parts, end, len(one.text)))
    yield replace(one, text=one.text[:start] + one.text[end:], parts=parts)


def _halves(one: Passage) -> Iterator[Passage]:
    """Cut in the middle, wherever that is."""
    middle = len(one.text) // 2
    if one.doc_id not in (POLICY, BEICHEN) or middle < 10:
        yield one
        return
    for start, end in ((0, middle), (middle, len(one.text))):
        yield replace(one, text=one.text[start:end], parts=slice_parts(one.parts, start, end))


def _slices(one: Passage) -> Iterator[Passage]:
    """Cut after so many characters, in the middle of a word or not."""
    for start in range(0, len(one.text), _SLICE):
        end = min(start + _SLICE, len(one.text))
        yield replace(one, text=one.text[start:end], parts=slice_parts(one.parts, start, end))


def _gaps(one: Passage) -> Iterator[Passage]:
    """Every third sentence was not recognised."""
    kept = [span for number, span in enumerate(sentences(one.text)) if number % 3 != 1]
    parts = tuple(part for start, end in kept for part in slice_parts(one.parts, start, end))
    yield replace(one, text="\n".join(one.text[start:end] for start, end in kept), parts=parts)
