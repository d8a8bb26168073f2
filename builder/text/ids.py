"""All ids. An id is derived from what it names, so that an old id never names something else."""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable, Sequence

_KEPT = re.compile(r"[^\w./]+", re.UNICODE)


def digest(*fields: str, length: int = 64) -> str:
    """Hex hash of `fields`; their borders count, so ("ab", "c") and ("a", "bc") differ."""
    hasher = hashlib.sha256()
    for field in fields:
        data = field.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big") + data)
    return hasher.hexdigest()[:length]


def doc_id(path: str) -> str:
    """Id of the document at `path` below its root (POSIX form).

    NFC; letters of any script, digits, `.`, `_` and `/` are kept; other runs become one `-`.
    """
    return _KEPT.sub("-", unicodedata.normalize("NFC", path)).strip("-/") or "-"


def doc_ids(paths: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Ids of all `paths`. Where two clash (upper and lower case are the same), each gets `~` and 6 hex of its path.

    `taken` are ids that other documents have already; they are never given again.
    """
    ids = {path: doc_id(path) for path in paths}
    folded = [value.casefold() for value in ids.values()] + [value.casefold() for value in taken]
    return {
        path: f"{value}~{digest(path, length=6)}" if folded.count(value.casefold()) > 1 else value
        for path, value in ids.items()
    }


def reading_id(document: str, sha256: str, extractor: str, settings_hash: str) -> str:
    """Id of a reading: 16 hex."""
    return digest(document, sha256, extractor, settings_hash, length=16)


def chunk_ids(document: str, passages: Sequence[tuple[Sequence[str], str]]) -> list[str]:
    """Ids of the chunks of one document, given as (section path, text) in reading order.

    `doc_id#` and 10 hex of the section path and the text folded for width and white space. A repeat within a section
    mixes in the id of its left neighbour, never a running number.
    """
    ids: list[str] = []
    seen: set[str] = set()
    for section, text in passages:
        mixed = [*section, "\x00", _folded(text)]
        found = f"{document}#{digest(*mixed, length=10)}"
        while found in seen:
            mixed.append(ids[-1])
            found = f"{document}#{digest(*mixed, length=10)}"
        seen.add(found)
        ids.append(found)
    return ids


def generated_case_id(dataset: str, request_hash: str, position: int) -> str:
    """Id of the item at `position` (from 0, before any drop) of one reply: the same reply gives the same cases."""
    return "g" + digest(dataset, request_hash, str(position), length=12)


def feedback_case_id(dataset: str, system: str, record: str) -> str:
    """Id of the case of one feedback record: the same file imported twice gives the same cases."""
    return "f" + digest(dataset, system, record, length=12)


def manual_case_id() -> str:
    """A new random id."""
    return "m" + secrets.token_hex(6)


def imported_case_id(dataset: str, record: str, question: str) -> str:
    """Id of the case of one row of a manual list; the same list imported twice gives the same cases.

    `question` (folded) belongs to it: row 1 of another list is another case.
    """
    return "m" + digest(dataset, "manual", record, question, length=12)


def act_id() -> str:
    """A new random id that joins the revisions of one act."""
    return secrets.token_hex(8)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
