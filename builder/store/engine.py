"""Opening the database: pragmas, transactions, schema version."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from builder.errors import InputError
from builder.store.schema import SCHEMA_VERSION, meta, metadata

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "glusterfs", "lustre", "ceph", "fuse.sshfs"})
_SERVERS = frozenset({"postgresql", "postgresql+psycopg"})
_LOCK = 0x62756C64
"""Any number, the same for all who write to a PostgreSQL store."""
_IDLE = 60
"""Seconds after which the server ends a writer that went silent in the middle: its machine may be gone."""


def open_engine(url: str) -> Engine:
    """Open the database at `url`, and make its tables where there are none.

    Raises:
        InputError: it cannot be opened, is no database, or was made by a newer program. No password is in its line.
    """
    where = _parsed(url)
    engine = _sqlite(where) if where.get_backend_name() == "sqlite" else _server(where)
    try:
        with engine.begin() as connection:
            _prepare(connection)
    except InputError:
        engine.dispose()
        raise
    except (OperationalError, DatabaseError) as error:
        engine.dispose()
        raise InputError("store_open", store=_shown(where), detail=_first_line(error)) from error
    return engine


def _parsed(url: str) -> URL:
    unusable = InputError("store_url", store=f"{url.partition(':')[0]}://…")
    try:
        where = make_url(url)
    except (ArgumentError, ValueError):
        raise unusable from None  # it quotes the URL
    if where.get_backend_name() == "sqlite" and not where.host:
        return where
    # An @ there is part of a password that was not written as %40, and would be printed as a host.
    if where.drivername not in _SERVERS or "@" in f"{where.host}{where.database}":
        raise unusable
    return where


def _server(url: URL) -> Engine:
    try:
        engine = create_engine(url, json_serializer=_dump, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise InputError("store_driver", store=_shown(url)) from error

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{_IDLE}s'")
        connection.commit()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("reading"):
            return
        # One writer at a time, as on SQLite: what was looked up still holds when it is written, and no two acts over
        # the same cases wait for each other for ever.
        before = "set_config('synchronous_commit', 'off', true), " if options.get("passing") else ""
        connection.exec_driver_sql(f"SELECT {before}pg_advisory_xact_lock({_LOCK})")

    return engine


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
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
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("reading"):
            connection.exec_driver_sql("BEGIN")
            return
        connection.exec_driver_sql(f"PRAGMA synchronous={'NORMAL' if options.get('passing') else 'FULL'}")
        # A reader that turns writer under WAL fails at once, so writers say so first.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _prepare(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    if meta.name in there:
        found = int(connection.execute(select(meta.c.value).where(meta.c.key == "schema_version")).scalar_one())
        if found != SCHEMA_VERSION:
            raise InputError("store_version", found=found, known=SCHEMA_VERSION)
        if all(column["name"] != "urgency" for column in inspect(connection).get_columns("cases")):
            from builder.store.upgrade import upgrade

            upgrade(connection)
    if new := [table for name, table in metadata.tables.items() if name not in there]:
        metadata.create_all(connection, new)  # all, or one that an older store has not
    if meta in new:
        connection.execute(meta.insert().values(key="schema_version", value=str(SCHEMA_VERSION)))


def _on_network(folder: Path) -> bool:
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return False
    rows = [line.split()[1:3] for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    held = [(point, kind) for point, kind in rows if folder.resolve().is_relative_to(point)]
    return bool(held) and max(held, key=lambda row: len(row[0]))[1] in _NETWORK


def _shown(url: URL) -> str:
    hidden = {name: "***" for name in url.query if "pass" in name}
    return url.update_query_dict(hidden).render_as_string(hide_password=True)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
