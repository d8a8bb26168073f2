"""The only code that speaks SQL."""

from builder.store.store import Store, open_store

__all__ = ["Store", "open_store"]
