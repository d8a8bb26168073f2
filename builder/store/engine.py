"""Opening the database: pragmas, transactions, schema version."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, OperationalError

from builder.errors import InputError
from builder.store.schema import SCHEMA_VERSION, meta, metadata

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "glusterfs", "lustre", "ceph", "fuse.sshfs"})
_LOCK = 0x62756C64  # any number, the same for all who make the schema


def open_engine(url: str) -> Engine:
    """Open the database at `url`, and make its tables where there are none.

    Raises:
        InputError: it cannot be opened, is no database, or was made by a newer program.
    """
    engine = _sqlite(url) if url.startswith("sqlite") else _server(url)
    try:
        with engine.begin() as connection:
            _prepare(connection)
    except (OperationalError, DatabaseError) as error:
        engine.dispose()
        raise InputError("store_open", store=_shown(url), detail=_first_line(error)) from error
    return engine


def _server(url: str) -> Engine:
    try:
        return create_engine(url, json_serializer=_dump, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise InputError("store_driver", store=_shown(url)) from error


def _sqlite(url: str) -> Engine:
    path = Path(make_url(url).database or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, json_serializer=_dump)
    wal = not _on_network(path.parent)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the begin event below decides how a transaction starts
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=30000")
        # WAL does not work over a network file system.
        cursor.execute(f"PRAGMA journal_mode={'WAL' if wal else 'TRUNCATE'}")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A reader that turns writer under WAL fails at once, so writers say so first.
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _prepare(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    if not inspect(connection).has_table("meta"):
        metadata.create_all(connection)
        connection.execute(meta.insert().values(key="schema_version", value=str(SCHEMA_VERSION)))
    found = int(connection.execute(select(meta.c.value).where(meta.c.key == "schema_version")).scalar_one())
    if found != SCHEMA_VERSION:
        raise InputError("store_version", found=found, known=SCHEMA_VERSION)


def _on_network(folder: Path) -> bool:
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return False
    rows = [line.split()[1:3] for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    held = [(point, kind) for point, kind in rows if folder.resolve().is_relative_to(point)]
    return bool(held) and max(held, key=lambda row: len(row[0]))[1] in _NETWORK


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
