"""Coverage: where each character has gone, and what became of tables, conditions and metadata on the way to chunks."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, computed_field

from builder.model.chunk import Chunk
from builder.model.document import DocumentStatus, PageOrigin, Problem
from builder.model.record import Record


class Counts(Record):
    """Characters by where they have gone."""

    extractable: int = 0
    """Characters that the source offers."""
    kept: int = 0
    """Of these: in a chunk."""
    boilerplate: int = 0
    """Of these: running headers, footers, page numbers, marks of the file format."""
    replaced_by_ocr: int = 0
    """Of these: not taken because OCR reads the page."""
    discarded: int = 0
    """Of these: garbage."""
    lost: int = 0
    """Of these: nowhere."""
    ocr_extracted: int = 0
    """Characters that OCR read."""
    ocr_kept: int = 0
    """Of these: in a chunk."""
    ocr_boilerplate: int = 0
    """Of these: running headers and the like."""
    ocr_lost: int = 0
    """Of these: nowhere."""

    @property
    def closes(self) -> bool:
        """Both sums are right: no character is missing, none is counted twice."""
        digital = self.kept + self.boilerplate + self.replaced_by_ocr + self.discarded + self.lost
        return digital == self.extractable and (
            self.ocr_kept + self.ocr_boilerplate + self.ocr_lost == self.ocr_extracted
        )

    @property
    def wanted(self) -> int:
        """Characters that belong into chunks: all but boilerplate and what OCR replaced. Garbage counts as missing."""
        return self.kept + self.ocr_kept + self.lost + self.ocr_lost + self.discarded

    @property
    def kept_share(self) -> float | None:
        """Per cent of the wanted characters that are in a chunk; none where nothing is wanted."""
        return percent(self.kept + self.ocr_kept, self.wanted)


class PageCoverage(Counts):
    """The characters of one page."""

    number: int
    """From 1."""
    origin: PageOrigin
    """Where the text came from."""
    problem: Problem | None = None
    """Why it failed, or what is doubtful."""
    confidence: int | None = None
    """OCR: mean word confidence, 0-100."""

    @property
    def covered(self) -> bool:
        """The page was read, and its text is in chunks; or all of it is boilerplate."""
        if self.origin in (PageOrigin.FAILED, PageOrigin.WAITING, PageOrigin.BLANK):
            return False
        alone = self.boilerplate + self.ocr_boilerplate > 0 and self.wanted == 0
        return self.kept + self.ocr_kept > 0 or alone


class PageShare(Record):
    """Pages that should have text, and those whose text is in chunks. Blank pages are counted apart."""

    expected: int = 0
    """Pages that are not blank."""
    covered: int = 0
    """Of these: read, with text in chunks."""
    blank: int = 0
    """Pages without anything to read."""
    uncovered: tuple[int, ...] = ()
    """Numbers of expected pages that are not covered; within one document."""


class Place(Record):
    """Where something stands; what does not matter is left out."""

    doc_id: str = ""
    """The document; empty where the record around names it."""
    page: int | None = None
    """Page, from 1."""
    table: int | None = None
    """Table of that page, or of the user's list, from 1."""
    row: int | None = None
    """Row of that table, headers counted, from 1."""
    text: str = ""
    """Chunk id, name of metadata, or the words around."""


class TableRows(Record):
    """Table rows: a row is kept when one chunk holds all its cells and the header cells above them."""

    base: Literal["seen", "annotated"] = "seen"
    """`seen`: rows that the reader found; `annotated`: rows that the user wrote down."""
    rows: int = 0
    """Rows with text, headers left out."""
    kept: int = 0
    """Of these: whole, with their header."""
    headless: tuple[Place, ...] = ()
    """Rows that are whole but whose header is not in their chunk."""
    broken: tuple[Place, ...] = ()
    """Rows that are not whole in any chunk."""


class OcrQuality(Record):
    """How well images were read."""

    pages: int = 0
    """Pages that OCR read."""
    confidence: int | None = None
    """Mean over these pages, 0-100."""
    confidence_low: int | None = None
    """The lowest 5 % quantile of word confidence that a page has."""
    weak_share: int | None = None
    """Weak words in per cent, mean over these pages."""
    weak_pages: tuple[int, ...] = ()
    """Pages that OCR itself is unsure of."""
    true_pages: int = 0
    """Pages compared with true text that the user gave."""
    wrong: int = 0
    """Character edits between both, white space not counted."""
    length: int = 0
    """Characters of the true text."""

    @computed_field
    def error_percent(self) -> float | None:
        """Character errors in per cent of the true text; none without true text."""
        return percent(self.wrong, self.length)


class Negations(Record):
    """Words that turn a statement round: those of the page text (boilerplate left out) that are in no chunk."""

    seen: int = 0
    """On pages."""
    lost: tuple[Place, ...] = ()
    """Those that no chunk holds, with the words around them."""


class ChunkFaults(Record):
    """Chunks that will not serve, by id."""

    empty: tuple[str, ...] = ()
    """No character."""
    short: tuple[str, ...] = ()
    """Shorter than `[coverage] short`."""
    long: tuple[str, ...] = ()
    """Longer than `[coverage] long`, else `[chunk] maximum`."""
    orphans: tuple[str, ...] = ()
    """No heading, and nothing known of the document."""
    exceptions: int = 0
    """Sentences that except from a rule before them."""
    cut: tuple[str, ...] = ()
    """Chunks that begin with an exception whose rule ends the chunk before."""
    irreversible: tuple[str, ...] = ()
    """Text that is not what its spans say."""

    @computed_field
    def cut_percent(self) -> float | None:
        """Share of exceptions that were cut from their rule; none where there is no exception."""
        return percent(len(self.cut), self.exceptions)


class DocumentCoverage(Counts):
    """The characters of one document, summed over its pages, and what else was measured of it."""

    doc_id: str
    """The document."""
    title: str = ""
    """Its title, else the file name."""
    media_type: str = ""
    """Kind of file."""
    status: DocumentStatus = DocumentStatus.OK
    """How the last reading went."""
    origins: dict[str, int]
    """Pages by origin."""
    chunks: int
    """Chunks."""
    page_share: PageShare = PageShare()
    """Pages that should have text."""
    pages: tuple[PageCoverage, ...]
    """Page by page."""
    tables: TableRows | None = None
    """Rows that the reader saw; none: not measured."""
    annotated: TableRows | None = None
    """Rows that the user wrote down beside the document, if he did."""
    ocr: OcrQuality | None = None
    """How well images were read; none where no page came from OCR."""
    faults: ChunkFaults | None = None
    """Chunks that will not serve; none: not measured."""
    negations: Negations | None = None
    """Negations between page and chunk; none: not measured."""
    missing: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Metadata by name: the document's id, or ids of its chunks, that lack it."""
    problem: Problem | None = None
    """Why the document failed or is partial."""


class RuleOutcome(StrEnum):
    """What became of a blocking rule."""

    PASS = "pass"
    FAIL = "fail"
    NOT_MEASURED = "not_measured"
    """There was nothing to measure; that is not passed, and blocks nothing."""


class Rule(Record):
    """One blocking rule of builder.toml and its outcome."""

    name: str
    """Its key in `[coverage]`."""
    outcome: RuleOutcome
    """What became of it."""
    found: int = 0
    """How many stand against it; for `documents` how many documents there are."""
    wanted: int = 0
    """How many are allowed; for `documents` how many there should be."""
    where: tuple[Place, ...] = ()
    """Documents, chunks, rows or words that stand against it."""


class CoverageReport(Record):
    """The coverage of a workspace, or of one document."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    totals: Counts
    """Summed over the documents."""
    kept_percent: float | None = None
    """Per cent of the characters wanted in chunks that are there."""
    pages: PageShare
    """Summed over the documents."""
    near_duplicates: tuple[tuple[str, ...], ...] = ()
    """Groups of chunks with nearly the same text, over documents."""
    documents: tuple[DocumentCoverage, ...]
    """By id."""
    rules: tuple[Rule, ...] = ()
    """The blocking rules that builder.toml sets."""


def percent(part: int, whole: int) -> float | None:
    """`part` in per cent of `whole`, rounded towards nothing gained: 99.99 % is never shown as 100."""
    return int(part * 10000 / whole) / 100 if whole else None


class Verdict(StrEnum):
    """What a person said of a chunk on the check list."""

    OK = "ok"
    WRONG = "wrong"
    """The text is not what the page says."""
    MISSING = "missing"
    """Something of the page is not there."""


class Drawn(Record):
    """A chunk on the check list, and why it was drawn."""

    chunk: Chunk
    """The chunk."""
    stratum: str
    """longest, shortest, table, code, weak_ocr, or the source type."""


class Checked(Record):
    """A row of the check list that came back."""

    row: int
    """Row of the sheet, from 1."""
    chunk_id: str
    """The chunk."""
    doc_id: str = ""
    """Its document, as the sheet says."""
    stratum: str = ""
    """Why it was drawn."""
    verdict: Verdict | None = None
    """None: not looked at."""
    note: str = ""
    """What the person wrote."""
    stale: bool = False
    """The chunk is gone or has another text now: the verdict does not count."""


class SampleReport(Record):
    """What people said of the check list."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    rows: int
    """Rows of the sheet."""
    open: int
    """Not looked at."""
    verdicts: dict[str, int]
    """Counted verdicts: ok, wrong, missing."""
    ok_percent: float | None
    """Per cent of the counted verdicts that are ok; none where there is none."""
    interval: tuple[float, float] | None
    """Wilson's 95 % interval of that share, per cent."""
    failures: tuple[Checked, ...]
    """Rows with wrong or missing."""
    stale: tuple[Checked, ...]
    """Rows that do not count because their chunk is gone or changed."""
