"""The head of a Markdown file: TOML between `+++` lines, or simple `key: value` lines between `---` lines."""

import re
import tomllib
from pathlib import Path
from typing import Any

from builder.ingest.plain import decode

_FENCED = re.compile(
    r"\A\ufeff?(\+\+\+|---)[ \t]*\r?\n(.*?)(?:^|(?<=\n))\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_PAIR = re.compile(r"([\w.-]+)[ \t]*:[ \t]*(.*)\Z")


class FrontMatterError(ValueError):
    """The head of a file is no front matter of a known form; the message says why."""


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The fields at the head of `text`, and the rest. No fields where there is no head.

    A head between `---` lines must hold `key: value` lines only (lists as `[a, b]`, values quoted or not); else it
    is taken for a ruled line and stays in the text.

    Raises:
        FrontMatterError: a head between `+++` lines that is no TOML.
    """
    match = _FENCED.match(text)
    if match is None:
        return {}, text
    fence, head = match.group(1), match.group(2)
    fields = _toml(head) if fence == "+++" else _pairs(head)
    return ({}, text) if fields is None else (fields, text[match.end() :])


def read_front_matter(path: Path) -> dict[str, Any]:
    """The fields at the head of a file; none where it cannot be read or parsed: the reading itself says why.

    Raises:
        OSError: the file cannot be opened.
    """
    with path.open("rb") as file:
        if not _begins(file.peek(4)[:4]):
            return {}
        text = decode(file.read())
    try:
        return split_front_matter(text or "")[0]
    except FrontMatterError:
        return {}


def _begins(data: bytes) -> bool:
    """The first bytes may be those of a fence, in some encoding."""
    return data.removeprefix(b"\xef\xbb\xbf")[:1] in (b"+", b"-") or data[:1] in (b"\xff", b"\xfe", b"\x00")


def _toml(head: str) -> dict[str, Any]:
    try:
        return tomllib.loads(head)
    except tomllib.TOMLDecodeError as error:
        raise FrontMatterError(str(error)) from error


def _pairs(head: str) -> dict[str, Any] | None:
    fields: dict[str, Any] = {}
    for line in head.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _PAIR.match(line.strip())
        if match is None:
            return None
        fields[match.group(1)] = _value(match.group(2).strip())
    return fields or None


def _value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return _plain(text)


def _plain(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'" else text
