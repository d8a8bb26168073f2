"""What response format a server takes, remembered in the store; see llm.formats."""

from builder.store import Store


class StoreFormats:
    """The memory of one workspace. A fresh one forgets what was known, so that it is found out anew."""

    def __init__(self, store: Store, *, fresh: bool = False) -> None:
        self._store = store
        self._fresh = fresh

    def get(self, key: str) -> str | None:
        """What is remembered under `key`."""
        return None if self._fresh else self._store.note(key)

    def put(self, key: str, value: str) -> None:
        """Remember `value` under `key`."""
        self._store.set_note(key, value)
