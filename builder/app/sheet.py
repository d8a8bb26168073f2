"""builder sheet: the cases that wait, as a spreadsheet for the expert who knows the answers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from builder.app.review_queue import queue
from builder.app.searching import Passages
from builder.curate.filters import parse
from builder.errors import InputError, UsageError
from builder.model.case import Case, ReviewState, Source
from builder.model.document import Document
from builder.model.record import Record
from builder.review.sheet.columns import PASSAGES
from builder.review.sheet.guide import About
from builder.review.sheet.reading import SUFFIXES
from builder.review.sheet.rows import Candidate, SheetRow, chunk_ref, evidence_ref, row_of
from builder.review.sheet.writing import write_sheet
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.words import Words

_OPEN = (ReviewState.NEEDS_ANSWER, ReviewState.UNREVIEWED)
_STATES = ("state", "review_state", "disabled", "disabled_reason", "reject_reason")
_LOOKED_AT = 12
"""Passages found, of which the first that may be shown are proposed."""


class SheetFile(Record):
    """One file that was written."""

    file: str
    """Where."""
    reviewer: str = ""
    """Who is asked; empty: nobody in particular."""
    case_ids: tuple[str, ...]
    """What it holds, in order."""


class SheetReport(Record):
    """What was written."""

    files: tuple[SheetFile, ...]
    """The files."""
    levels: tuple[str, ...] = ()
    """What one must have to read the documents that are quoted."""
    restricted: int = 0
    """Cases that quote restricted documents and were left out (public only)."""
    without_candidates: int = 0
    """Cases without a passage to choose."""


def make_sheet(
    workspace: Workspace,
    path: Path,
    say: Words,
    *,
    where: str = "",
    to: Sequence[str] = (),
    parts: int | None = None,
    limit: int | None = None,
    public: bool = False,
    dataset: str | None = None,
) -> SheetReport:
    """Write the cases that wait for a person, complaints first; nothing is changed in the store.

    Args:
        workspace: the workspace.
        path: FILE.xlsx or FILE.csv; of several parts FILE-1.xlsx, FILE-2.xlsx, …
        say: words of the sheet's language.
        where: which cases, as in review; without a word about states those that need an answer or were not looked at.
        to: who is asked: one person, or one a part.
        parts: into how many files, no case twice; none: one, or one a person.
        limit: at most so many cases.
        public: without restricted documents.
        dataset: the dataset, else that of the workspace.

    Raises:
        UsageError: another suffix, or persons and parts that do not fit.
        InputError: no case fits, a file is there already, or a filter is none.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError("sheet_suffix", file=path)
    people = _people(to, parts)
    with open_store(workspace.store_url) as store:
        desk = _Desk(workspace, store, public=public)
        cases = _cases(store, dataset or workspace.settings.dataset, where)
        shown = [case for case in cases if not desk.withheld(case)]
        chosen = shown[:limit]
        if not chosen:
            raise InputError("sheet_empty")
        offers = [desk.candidates(case) for case in chosen]
    people = people[: len(chosen)]
    numbered = list(enumerate(zip(chosen, offers, strict=True), 1))
    files: list[SheetFile] = []
    targets = _targets(path, len(people))
    for part, (target, person) in enumerate(zip(targets, people, strict=True), 1):
        rows = [row_of(case, some, number, person, say) for number, (case, some) in numbered[part - 1 :: len(people)]]
        levels = desk.levels([offers[int(row.cells["number"]) - 1] for row in rows])
        about = About(cases=len(rows), reviewer=person, part=part, parts=len(people), levels=levels)
        write_sheet(target, rows, about, say)
        files.append(_file(target, person, rows))
    return SheetReport(
        files=tuple(files),
        levels=desk.levels(offers),
        restricted=len(cases) - len(shown),
        without_candidates=sum(not some for some in offers),
    )


class _Desk:
    """Cases and passages as far as they may be shown."""

    def __init__(self, workspace: Workspace, store: Store, *, public: bool) -> None:
        self._passages = Passages(workspace, store)
        self._documents = {document.doc_id: document for document in store.documents.all(retired=True)}
        self._public = public

    def withheld(self, case: Case) -> bool:
        """It rests on what not everybody may read, and only the public part is wanted."""
        return self._public and any(self._restricted(evidence.doc_id) for evidence in case.evidence)

    def candidates(self, case: Case) -> tuple[Candidate, ...]:
        """The evidence, then proposals until there are as many as a sheet has columns."""
        own = [
            Candidate(ref=evidence_ref(place), passage=self._passages.of_evidence(evidence))
            for place, evidence in enumerate(case.evidence, 1)
        ]
        more = max(0, PASSAGES - len(own))
        return (*own, *list(self._proposals(case))[:more])

    def levels(self, offers: Sequence[Sequence[Candidate]]) -> tuple[str, ...]:
        """What one must have to read all of it."""
        quoted = {candidate.passage.evidence.doc_id for some in offers for candidate in some}
        known = (self._documents[doc_id] for doc_id in quoted if doc_id in self._documents)
        return tuple(sorted({level for document in known for level in document.metadata.levels}))

    def _proposals(self, case: Case) -> Iterator[Candidate]:
        index = self._passages.index
        held = {chunk.chunk_id for evidence in case.evidence if (chunk := index.chunk_of(evidence))}
        query = " ".join((case.question, case.ground_truth)).strip()
        for chunk, _ in self._passages.hits(query, _LOOKED_AT) if self._passages.chunks else ():
            if chunk.chunk_id not in held and not (self._public and self._restricted(chunk.doc_id)):
                yield Candidate(ref=chunk_ref(chunk.chunk_id), passage=self._passages.of_chunk(chunk))

    def _restricted(self, doc_id: str) -> bool:
        document: Document | None = self._documents.get(doc_id)
        return document is None or document.metadata.restricted


def _cases(store: Store, dataset: str, where: str) -> list[Case]:
    """Complaints first; then as review walks them."""
    wanted = parse(where)
    ids = queue(store, dataset, where)
    found = store.cases.get_many(ids)
    every = any(wanted.names(name) for name in _STATES)
    waiting = [found[one] for one in ids if one in found and (every or found[one].review_state in _OPEN)]
    return sorted(waiting, key=lambda case: case.source is not Source.FEEDBACK)


def _people(to: Sequence[str], parts: int | None) -> list[str]:
    """Who gets which part; an empty name where nobody in particular does."""
    names = [name.strip() for name in to if name.strip()]
    wanted = parts or max(1, len(names))
    if len(names) not in (0, 1, wanted):
        raise UsageError("sheet_to", names=len(names), parts=wanted)
    return names if len(names) == wanted else [names[0] if names else ""] * wanted


def _targets(path: Path, parts: int) -> list[Path]:
    """The files; none of them is there yet.

    Raises:
        InputError: one is.
    """
    targets = [path.with_stem(f"{path.stem}-{part}") for part in range(1, parts + 1)] if parts > 1 else [path]
    if there := [target for target in targets if target.exists()]:
        raise InputError("file_exists", file=there[0])
    return targets


def _file(target: Path, person: str, rows: Sequence[SheetRow]) -> SheetFile:
    return SheetFile(file=str(target), reviewer=person, case_ids=tuple(row.cells["id"] for row in rows))
