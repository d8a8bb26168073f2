"""What one ingest did."""

from pydantic import Field

from builder.model.document import Problem
from builder.model.record import Record


class IngestReport(Record):
    """What one ingest did."""

    new: int = 0
    """Documents that were not known."""
    changed: int = 0
    """Documents whose bytes changed."""
    metadata_changed: int = 0
    """Documents of which only the metadata changed."""
    unchanged: int = 0
    """Documents left as they were."""
    renamed: int = 0
    """Documents found at another path."""
    retired: int = 0
    """Documents whose file is gone."""
    retired_chunks: int = 0
    """Chunks that went with them."""
    retire_refused: int = 0
    """Documents whose file is gone, not retired for want of --yes."""
    failed: int = 0
    """Documents that could not be read."""
    broken: int = 0
    """Files left as they were because their metadata is broken."""
    read: int = 0
    """Documents that were read well, now or before."""
    waiting_pages: int = 0
    """Pages that still wait for OCR."""
    ignored: tuple[str, ...] = ()
    """Files of a kind that is not read."""
    problems: tuple[tuple[str, Problem], ...] = ()
    """Every failure: doc_id or path, and why."""
    chunk_fields: dict[str, dict[str, str]] = Field(default_factory=dict)
    """By file of user chunks: which field was taken for what."""
    wrong_rows: dict[str, tuple[tuple[int, Problem], ...]] = Field(default_factory=dict)
    """By file of user chunks of which nothing was taken: the rows that are wrong, and why."""
    cases_moved: int = 0
    """Cases whose evidence moved with its quote."""
    cases_disabled: int = 0
    """Cases that went stale."""
