"""Tables and the constraints that refuse illegal states. One schema for SQLite and PostgreSQL."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.types import TypeEngine

SCHEMA_VERSION = 1

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcTime(TypeDecorator[datetime]):
    """Times with a zone in, UTC out. SQLite would give them back without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Refuse a time without a zone."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a stored time has a zone")
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Give the zone back."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Json(TypeDecorator[Any]):
    """JSON, on PostgreSQL as JSONB. That dialect is loaded only there: it costs each start some 40 ms."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Any) -> TypeEngine[Any]:
        """The type of the database in use."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON())  # type: ignore[no-any-return]
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB())  # type: ignore[no-any-return]


meta = Table("meta", metadata, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False))

roots = Table(
    "roots",
    metadata,
    Column("root", Text, primary_key=True),
    Column("registered_at", UtcTime, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("doc_id", Text, primary_key=True),
    Column("root", Text, nullable=False, index=True),
    Column("source_path", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("metadata_revision", Integer, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("mtime_ns", BigInteger, nullable=False),
    Column("media_type", String(128), nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("language", String(8), nullable=False),
    Column("status", String(16), nullable=False),
    Column("problem", Json),
    Column("metadata", Json, nullable=False),
    Column("reading_id", String(16)),
    Column("chunked_with", String(64), nullable=False),
    Column("retired_at", UtcTime),
    CheckConstraint("status IN ('ok', 'partial', 'failed')", name="status"),
    CheckConstraint("version >= 1 AND metadata_revision >= 1", name="versions"),
)

readings = Table(
    "readings",
    metadata,
    Column("reading_id", String(16), primary_key=True),
    Column("doc_id", Text, nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("extractor", Text, nullable=False),
    Column("settings_hash", String(64), nullable=False),
)

pages = Table(
    "pages",
    metadata,
    Column("reading_id", String(16), ForeignKey("readings.reading_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("origin", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("body", Json, nullable=False),
    CheckConstraint("origin IN ('text', 'ocr', 'hidden', 'blank', 'failed', 'waiting')", name="origin"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("chunk_id", Text, primary_key=True),
    Column("doc_id", Text, ForeignKey("documents.doc_id"), nullable=False, index=True),
    Column("reading_id", String(16), ForeignKey("readings.reading_id"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("text", Text, nullable=False),
    Column("body", Json, nullable=False),
    CheckConstraint("kind IN ('text', 'table', 'faq')", name="kind"),
)

_COMPLETE = "(trim(question) <> '' AND (trim(ground_truth) <> '' OR NOT answerable))"

cases = Table(
    "cases",
    metadata,
    Column("case_id", String(16), primary_key=True),
    Column("dataset", String(64), nullable=False),
    Column("source", String(16), nullable=False),
    Column("question", Text, nullable=False),
    Column("ground_truth", Text, nullable=False),
    Column("answerable", Boolean, nullable=False),
    Column("review_state", String(16), nullable=False),
    Column("disabled_reason", String(16)),
    Column("reject_reason", String(16)),
    Column("revision", Integer, nullable=False),
    Column("urgency", Integer, nullable=False, server_default="0"),
    Column("body", Json, nullable=False),
    CheckConstraint("source IN ('manual', 'generated', 'feedback')", name="source"),
    CheckConstraint("review_state IN ('needs_answer', 'unreviewed', 'approved', 'rejected')", name="review_state"),
    CheckConstraint(
        "disabled_reason IS NULL"
        " OR (review_state = 'unreviewed' AND disabled_reason IN ('by_hand', 'stale_changed', 'stale_gone'))"
        " OR (review_state = 'approved'"
        " AND disabled_reason IN ('by_hand', 'stale_changed', 'stale_gone', 'stale_check'))",
        name="disabled_reason",
    ),
    CheckConstraint(f"review_state IN ('needs_answer', 'rejected') OR {_COMPLETE}", name="complete"),
    CheckConstraint(f"review_state <> 'needs_answer' OR NOT {_COMPLETE}", name="needs_answer"),
    CheckConstraint("(review_state = 'rejected') = (reject_reason IS NOT NULL)", name="reject_reason"),
    Index("ix_cases_dataset_state", "dataset", "review_state"),
    # Holds all that the queue of the reviewer is made of: of 100,000 cases in some hundredths of a second.
    Index("ix_cases_queue", "dataset", "review_state", "disabled_reason", "urgency", "case_id"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("case_id", String(16), ForeignKey("cases.case_id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("act", String(16), nullable=False, index=True),
    Column("at", UtcTime, nullable=False),
    Column("who", Text, nullable=False),
    Column("action", String(16), nullable=False),
    Column("before", Json, nullable=False),
    Column("after", Json, nullable=False),
    Column("reason", Text, nullable=False),
    Column("undoes", String(16)),
)

acts = Table(
    "acts",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("act", String(16), nullable=False, unique=True),
    Column("dataset", String(64), nullable=False),
    Column("who", Text, nullable=False),
    Column("undoes", String(16)),
    Index("ix_acts_who", "dataset", "who"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("dataset", String(64), primary_key=True),
    Column("request_hash", String(64), primary_key=True),
    Column("state", String(16), nullable=False),
    Column("writer", String(32), nullable=False),
    Column("model", Text, nullable=False),
    Column("kept", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("body", Json, nullable=False),
    CheckConstraint("state IN ('claimed', 'replied', 'done', 'failed', 'batched')", name="state"),
)

generation_runs = Table(
    "generation_runs",
    metadata,
    Column("dataset", String(64), primary_key=True),
    Column("fingerprint", Json, nullable=False),
    Column("finished", Boolean, nullable=False),
    Column("at", UtcTime, nullable=False),
)

reservations = Table(
    "reservations",
    metadata,
    Column("case_id", String(16), ForeignKey("cases.case_id", ondelete="CASCADE"), primary_key=True),
    Column("who", Text, nullable=False),
    Column("until", UtcTime, nullable=False),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("run", Text, nullable=False, index=True),
    Column("case_id", Text, nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("undoes", String(16)),
    Column("body", Json, nullable=False),
)
