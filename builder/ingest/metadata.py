"""What is known of a document beside its text: rules of builder.toml, front matter, a sidecar; the later wins."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from builder.errors import InputError
from builder.ingest.walk import SIDECAR, FoundFile
from builder.model.document import DocumentMetadata
from builder.settings import MetadataRule


def read_metadata(
    file: FoundFile, rules: Sequence[MetadataRule], front_matter: Mapping[str, Any] | None
) -> DocumentMetadata:
    """The metadata of one file: rules in order, then front matter, then the sidecar. Unknown keys go to `extra`.

    Raises:
        InputError: a field of the wrong type, or a sidecar that is no TOML; the line names file and key.
    """
    fields: dict[str, Any] = {}
    for rule in rules:
        if matches(rule.match, file.source_path):
            fields = _merged(fields, rule.set.model_dump(exclude_unset=True))
    if front_matter:
        fields = _merged(fields, _checked(file.path, front_matter))
    if file.sidecar:
        sidecar = file.path.with_name(file.path.name + SIDECAR)
        fields = _merged(fields, _checked(sidecar, _read(sidecar)))
    return DocumentMetadata(**fields)


def matches(pattern: str, path: str) -> bool:
    """True where glob `pattern` fits `path`: `*` within a folder, `**` over folders, `?` one character."""
    return _compiled(pattern).fullmatch(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    tokens = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(tokens.get(token, re.escape(token)) for token in re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern))
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("metadata_syntax", file=path, detail=error) from error


def _checked(path: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Known fields with values of the right type; all others as text in `extra`."""
    known = {key: _listed(key, value) for key, value in given.items() if key in DocumentMetadata.model_fields}
    own = known.pop("extra", {})
    other = {key: _text(value) for key, value in given.items() if key not in DocumentMetadata.model_fields}
    if isinstance(own, Mapping):
        own = {key: _text(value) for key, value in own.items()} | other
    try:
        return DocumentMetadata(**known, extra=own).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError("metadata_value", file=path, key=key, detail=first["msg"]) from error


def _listed(key: str, value: Any) -> Any:
    return [value] if key == "roles" and isinstance(value, str) else value


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    extra = {**below.get("extra", {}), **above.get("extra", {})}
    return {**below, **above, **({"extra": extra} if extra else {})}
