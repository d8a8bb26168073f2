"""Every word that a user reads: zh.toml and en.toml hold the same keys.

Usage: `say = words("zh"); say("ingest.done", documents=3)`.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("zh", "en")


class Words:
    """The word list of one language."""

    def __init__(self, language: str, lines: Mapping[str, str]) -> None:
        self.language = language
        self._lines = lines

    def __call__(self, key: str, /, **values: object) -> str:
        """The line at `key` with its places filled.

        Raises:
            KeyError: no such key, or a place without a value: a defect, found by the tests.
        """
        return self._lines[key].format(**values)

    def __contains__(self, key: object) -> bool:
        return key in self._lines

    def keys(self) -> tuple[str, ...]:
        """All keys, dotted."""
        return tuple(self._lines)

    def pattern(self, key: str) -> str:
        """The line as written, places unfilled."""
        return self._lines[key]


@cache
def words(language: str) -> Words:
    """The word list of `language` (zh or en).

    Raises:
        ValueError: another language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no word list for {language!r}")
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Words(language, dict(_flat("", tomllib.loads(text))))


def _flat(prefix: str, table: Mapping[str, object]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{prefix}{name}"
        rows += _flat(f"{key}.", value) if isinstance(value, dict) else [(key, str(value))]
    return rows
