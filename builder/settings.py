"""builder.toml: the settings of a workspace, and where the workspace is."""

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from builder.errors import InputError, WorkspaceError
from builder.model.document import DocumentMetadata
from builder.model.record import Record

FILE_NAME = "builder.toml"


class MetadataRule(Record):
    """Documents whose path fits `match` get the fields of `set`."""

    match: str
    """Glob on the path below the root; `**` reaches any depth."""
    set: DocumentMetadata
    """Fields that are set."""


class ChunkSettings(Record):
    """How pages become chunks. Lengths in characters, white space counted."""

    name: str = "structure"
    """The chunker: structure, fixed, or one of an installed package (entry points `builder.chunkers`)."""
    border: Literal["sentence", "hard"] = "sentence"
    """fixed: cut at the ends of sentences and rows, or anywhere."""
    target: int = Field(default=600, ge=50)
    """A chunk is closed at the next border once it is this long."""
    maximum: int = Field(default=1200, ge=100)
    """No chunk is longer, but for a single sentence or table row."""
    overlap: int = Field(default=0, ge=0)
    """Characters repeated from the chunk before."""


class OcrSettings(Record):
    """How images become text."""

    mode: Literal["auto", "always", "never"] = "auto"
    """auto: pages that need it."""
    engine: Literal["auto", "tesseract", "rapidocr"] = "auto"
    """auto: rapidocr for Chinese and mixed pages, tesseract for others; where one is not installed, the other."""
    languages: str = "chi_sim+eng"
    """Tesseract's language codes; of these a page is read with those that fit its script."""
    dpi: int = Field(default=200, ge=72, le=600)
    """Resolution of the rendered page."""
    timeout: int = Field(default=120, ge=1)
    """Seconds a page."""
    weak_mean: int = Field(default=60, ge=0, le=100)
    """A page whose words have a lower mean confidence is listed as weak."""
    weak_share: int = Field(default=10, ge=0, le=101)
    """So is a page with at least so many weak words, per cent."""
    hidden_sample: int = Field(default=3, ge=0)
    """Pages a document whose hidden text layer is compared with the image; 0: every layer is trusted."""
    hidden_agreement: int = Field(default=85, ge=0, le=100)
    """A layer that agrees less with what OCR reads is given up for OCR, per cent."""


class IngestSettings(Record):
    """How files become pages."""

    workers: int = Field(default=0, ge=0)
    """Worker processes; 0: one a core."""
    timeout: int = Field(default=300, ge=1)
    """Seconds a document, without OCR."""
    memory_mib: int = Field(default=2048, ge=256)
    """Address space of a worker."""
    ocr_memory_mib: int = Field(default=3072, ge=256)
    """Address space of a worker that reads images."""


class CoverageSettings(Record):
    """What `builder coverage` insists on, and what it calls too short, too long, too alike."""

    required_metadata: tuple[str, ...] = ()
    """Names that must be known: title, page, section, version, access, or any field of the metadata."""
    failed_documents: int | None = Field(default=None, ge=0)
    """At most so many documents may have failed; none: any number."""
    documents: int | None = Field(default=None, ge=0)
    """So many documents there must be; none: any number."""
    reversible: bool = False
    """Every chunk must lead back to its pages."""
    table_header: bool = False
    """Every table row must be in a chunk with its header."""
    negation: bool = False
    """Every negation of the pages must be in a chunk."""
    short: int = Field(default=20, ge=1)
    """A chunk with fewer characters, white space not counted, is too short."""
    long: int | None = Field(default=None, ge=1)
    """A chunk with more characters is too long; none: `[chunk] maximum`."""
    near_duplicate: int = Field(default=90, ge=50, le=100)
    """Chunks that are alike by at least so much of 100 are near-duplicates."""


class ChunkFields(Record):
    """Fields of the user's own chunks (`ingest --chunks`); empty: the usual names. Dots lead into nested objects."""

    id: str = ""
    """The chunk's id."""
    text: str = ""
    """Its text."""
    document: str = ""
    """The document that it comes from."""
    section: str = ""
    """Its heading, or a list of headings."""


class SendRule(Record):
    """Restricted documents that may be sent to an outside endpoint."""

    match: str
    """Glob on the doc_id."""
    hosts: tuple[str, ...] = ()
    """Only to these hosts; empty: to any."""


class GenerateSettings(Record):
    """How cases are written."""

    writer: str | None = None
    """openai, local or extractive."""
    model: str | None = None
    """Model name, or a .gguf file."""
    concurrency: int = Field(default=4, ge=1)
    """Calls at a time."""
    timeout: int = Field(default=120, ge=1)
    """Seconds a call."""
    temperature: str = "0.3"
    """Decimal as text: part of the fingerprint."""
    max_tokens: int = Field(default=2000, ge=100)
    """Tokens of a reply."""
    response_format: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    """What is asked of the server; auto: the best that it takes, found out once and remembered."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    """At most so many calls a minute."""
    tokens_per_minute: int | None = Field(default=None, ge=1)
    """At most so many tokens a minute, of prompts and replies."""
    batch_poll: int = Field(default=30, ge=0)
    """Seconds between two looks at a batch of the server."""
    verify_model: str | None = None
    """Model that answers blind to the first answer; none: the one that writes."""
    prices: dict[str, str] = Field(default_factory=dict)
    """Price of a million tokens, by `MODEL.input` and `MODEL.output`; decimals as text."""


class Audience(Record):
    """People who ask."""

    who: str
    """Who they are: `first-time buyers`."""
    knows: str = ""
    """What they know, and do not know."""
    talks: str = ""
    """How they talk."""
    share: int = Field(default=1, ge=1)
    """Their part of the cases, against the shares of the other audiences."""


def _risks() -> dict[str, tuple[str, ...]]:
    return {
        "refund": ("退款", "重复扣款", "多扣", "refund", "double charge", "charged twice"),
        "privacy": ("隐私", "个人信息", "注销", "删除数据", "privacy", "personal data", "delete my data"),
        "account": ("账号", "盗号", "密码", "验证码", "account", "password"),
        "safety": ("触电", "起火", "漏电", "受伤", "安全事故", "electric shock", "fire", "injury"),
        "hand_over": ("人工客服", "转人工", "投诉", "human agent", "complaint"),
    }


class ReviewSettings(Record):
    """How cases are reviewed."""

    reviewer: str | None = None
    """Name of the reviewer; else git's user.name."""


class Settings(Record):
    """All settings."""

    schema_version: Literal[1] = 1
    """Version of this file's format."""
    lang: Literal["zh", "en"] | None = None
    """Language of what is printed; else from LANG."""
    dataset: str = "main"
    """Dataset that commands speak of."""
    store: str = "data/builder.db"
    """SQLite file, or postgresql://…"""
    ingest: IngestSettings = IngestSettings()
    """How files become pages."""
    ocr: OcrSettings = OcrSettings()
    """How images become text."""
    chunk: ChunkSettings = ChunkSettings()
    """How pages become chunks."""
    coverage: CoverageSettings = CoverageSettings()
    """What coverage insists on."""
    chunk_fields: ChunkFields = ChunkFields()
    """Fields of the user's own chunks."""
    metadata: tuple[MetadataRule, ...] = ()
    """Rules, in order; later ones win, a sidecar wins over all."""
    departments: dict[str, str] = Field(default_factory=dict)
    """The department above each department."""
    send: tuple[SendRule, ...] = ()
    """Restricted documents that may leave."""
    generate: GenerateSettings = GenerateSettings()
    """How cases are written."""
    risk: dict[str, tuple[str, ...]] = Field(default_factory=_risks)
    """High-risk topics, and the words that propose each for a new case."""
    audience: dict[str, Audience] = Field(default_factory=dict)
    """Who asks, by name."""
    review: ReviewSettings = ReviewSettings()
    """How cases are reviewed."""


class Workspace(Record):
    """A folder with builder.toml."""

    root: Path
    """The folder."""
    settings: Settings
    """What builder.toml says."""

    @property
    def store_url(self) -> str:
        """The store as a database URL."""
        if "://" in self.settings.store:
            return self.settings.store
        return f"sqlite:///{self.root / self.settings.store}"

    @property
    def search_folder(self) -> Path:
        """Where the search index lies."""
        return self.root / "data" / "search"

    @property
    def snapshots(self) -> Path:
        """Where snapshots lie."""
        return self.root / "snapshots"

    @property
    def runs(self) -> Path:
        """Where runs and the verdicts on them lie."""
        return self.root / "runs"

    @property
    def prompts(self) -> Path:
        """Where the user's own prompts lie, if any."""
        return self.root / "prompts"


def find_workspace(start: Path) -> Workspace:
    """The nearest folder upward from `start` that holds builder.toml.

    Raises:
        WorkspaceError: there is none.
        InputError: builder.toml is broken.
    """
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / FILE_NAME).is_file():
            return Workspace(root=folder, settings=read_settings(folder / FILE_NAME))
    raise WorkspaceError("no_workspace", where=start)


def read_settings(path: Path) -> Settings:
    """Read builder.toml.

    Raises:
        InputError: no TOML, an unknown key or a wrong value; the line names the file and the key.
    """
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return Settings(**values)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("settings_syntax", file=path, detail=error) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError("settings_value", file=path, key=key, detail=first["msg"]) from error
