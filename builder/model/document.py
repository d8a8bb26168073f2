"""Documents, their readings and pages."""

from datetime import date, datetime
from enum import StrEnum

from pydantic import Field, field_validator

from builder.model.access import Access
from builder.model.record import Record


class Problem(Record):
    """Why something could not be done, as a row and not as a silence."""

    code: str
    """A key of the word lists below `problem.`, for instance `password` or `no_text`."""
    detail: str = ""
    """What the outside program said, in one line."""
    page: int | None = None
    """The page concerned, from 1."""


class DocumentStatus(StrEnum):
    """How the last reading went."""

    OK = "ok"
    PARTIAL = "partial"
    """Some pages failed."""
    FAILED = "failed"
    """Nothing could be read."""


class DocumentMetadata(Access):
    """What is known of a document beside its text: rules in builder.toml, a sidecar, or front matter."""

    title: str | None = None
    """Title; else the file name stands for it."""
    family: str | None = None
    """Joins documents that replace each other; else the doc_id."""
    authority: str | None = None
    """Who issued it, or its rank."""
    version_label: str | None = None
    """The version as people name it."""
    valid_from: date | None = None
    """First day on which it holds."""
    valid_to: date | None = None
    """Last day on which it holds."""
    extra: dict[str, str] = Field(default_factory=dict)
    """Anything the user adds."""


class Document(Record):
    """One source file through time."""

    doc_id: str
    """Derived from the path below its root; see text.ids."""
    root: str
    """The registered folder that it lies below; absolute, or relative to the workspace."""
    source_path: str
    """Path below the root, POSIX form."""
    version: int = 1
    """Goes up when the bytes change."""
    metadata_revision: int = 1
    """Goes up when only the metadata changes."""
    sha256: str
    """Hash of the bytes, hex."""
    size: int
    """Bytes."""
    mtime_ns: int
    """Modification time, nanoseconds; with `size` the first look at whether a file changed."""
    media_type: str
    """`application/pdf`, `text/markdown`, `text/plain`."""
    page_count: int = 0
    """Pages."""
    language: str = "en"
    """zh or en, from the text."""
    status: DocumentStatus = DocumentStatus.OK
    """How the last reading went."""
    problem: Problem | None = None
    """Why it failed or is partial."""
    metadata: DocumentMetadata = Field(default_factory=DocumentMetadata)
    """What is known beside the text."""
    reading_id: str | None = None
    """The latest reading; chunks come from it."""
    chunked_with: str = ""
    """Hash of the chunker and its settings; empty while it is not chunked."""
    retired_at: datetime | None = None
    """When the file was found gone, UTC; its chunks are gone too."""

    @property
    def title(self) -> str:
        """The declared title, else the file name."""
        return self.metadata.title or self.source_path.rsplit("/", 1)[-1]

    @property
    def family(self) -> str:
        """The declared family, else the doc_id."""
        return self.metadata.family or self.doc_id


class PageOrigin(StrEnum):
    """Where the canonical text of a page came from."""

    TEXT = "text"
    OCR = "ocr"
    HIDDEN = "hidden"
    """A hidden text layer over an image: kept, trusted less."""
    BLANK = "blank"
    FAILED = "failed"
    WAITING = "waiting"
    """Needs OCR that is not done yet; its document is not chunked."""


class Line(Record):
    """One line of the canonical text and its box on the page."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character, without the line break."""
    box: tuple[float, float, float, float]
    """Left, top, right, bottom in points from the upper left corner of the page as shown."""
    size: float = 0.0
    """Height of the letters in points; 0 where unknown."""


class TableCell(Record):
    """One cell: where its text stands in the canonical text (empty cells have start == end)."""

    start: int
    """Offset of the first character."""
    end: int
    """Offset behind the last character."""


class Table(Record):
    """A table as rows of cells; the first `header_rows` name the columns."""

    rows: tuple[tuple[TableCell, ...], ...]
    """Cells by row; a merged cell is repeated where it reaches."""
    header_rows: int = 1
    """How many rows name the columns; 0 where none does."""
    faq: tuple[int, int] | None = None
    """Columns of questions and of answers, where each row is such a pair."""

    @field_validator("rows")
    @classmethod
    def _not_empty(cls, rows: tuple[tuple[TableCell, ...], ...]) -> tuple[tuple[TableCell, ...], ...]:
        if not rows:
            raise ValueError("a table has rows")
        return rows


class Page(Record):
    """One page of a reading: canonical text and where it came from."""

    number: int
    """From 1."""
    origin: PageOrigin
    """Where the text came from."""
    text: str = ""
    """Canonical text. Spans count its characters (code points)."""
    lines: tuple[Line, ...] = ()
    """Lines with their boxes, in reading order."""
    tables: tuple[Table, ...] = ()
    """Tables found on the page."""
    width: float = 0.0
    """Points, as shown (after rotation)."""
    height: float = 0.0
    """Points, as shown."""
    extractable: int = 0
    """Characters that the source offers on this page, white space not counted."""
    discarded: int = 0
    """Of these: thrown away as garbage (unmapped, control, private use), none of it in `text`."""
    replaced_by_ocr: int = 0
    """Of these: not taken because OCR reads the page."""
    boilerplate: tuple[tuple[int, int], ...] = ()
    """Offsets of running headers, footers and page numbers: in the text, out of chunks."""
    confidence: int | None = None
    """OCR: mean word confidence, 0-100."""
    weak_share: int | None = None
    """OCR: words under the engine's bar (tesseract 60, rapidocr 80), per cent."""
    confidence_low: int | None = None
    """OCR: 5 % quantile of word confidence, 0-100."""
    read_by: str = ""
    """OCR: engine, version and, where they matter, languages."""
    agreement: int | None = None
    """Hidden layer: how far OCR read the same, per cent; none where they were not compared."""
    problem: Problem | None = None
    """Why it failed, or what is doubtful."""


class Reading(Record):
    """One document version as read by one extractor with one settings hash."""

    reading_id: str
    """Hash of doc_id, bytes, extractor and settings."""
    doc_id: str
    """The document."""
    version: int
    """The document's version at that time."""
    sha256: str
    """Hash of the bytes that were read."""
    extractor: str
    """Name and version of what read it."""
    settings_hash: str
    """Hash of the settings that shape the text."""
